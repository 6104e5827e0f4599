// SPDX-License-Identifier: BSD-3-Clause

package perf

// Check finds out which events can be counted here. It opens each alone for the calling goroutine, runs a little work, and
// returns one value per event, in order. Values that are not Known say why and what would help.
//
// An Exact value of 0 means that the event opened and counted nothing. Either it did not happen, or this processor lacks
// it and did not refuse it, as happens with raw numbers. Without arguments Check tries every event it knows: those this
// package names, common cache events, and those the system's drivers list.
func Check(events ...Event) []Value {
	if len(events) == 0 {
		events = known()
	}
	values := make([]Value, len(events))
	for i, e := range events {
		values[i] = check(e)
	}
	return values
}

// check tries one event. What would be an error of Open is in the value.
func check(e Event) Value {
	g := begin(Thread, e)
	defer g.Close()
	m := g.Start()
	keepBusy()
	return m.Stop().Get(e)
}

// keepBusy does a little of everything: arithmetic, branches that are hard to predict, and cache misses.
func keepBusy() {
	const n = 1 << 16
	b := make([]uint32, n)
	x := uint32(1)
	for range n / 2 {
		x = x*1664525 + 1013904223
		if at := &b[x>>16]; x&0x100 != 0 {
			*at += x
		} else {
			*at ^= x
		}
	}
}

// known returns the events worth trying.
func known() []Event {
	events := []Event{
		Cycles, Instructions, Branches, BranchMisses, "cache-references", "cache-misses", "stalled-cycles-frontend",
		"stalled-cycles-backend", "bus-cycles", "ref-cycles",
		TaskClock, "cpu-clock", PageFaults, "minor-faults", "major-faults", ContextSwitches, "cpu-migrations",
		"alignment-faults", "emulation-faults", "cgroup-switches",
		"L1-dcache-loads", "L1-dcache-load-misses", "L1-icache-load-misses", "LLC-loads", "LLC-load-misses",
		"dTLB-load-misses", "iTLB-load-misses", "branch-load-misses",
	}
	return append(events, ofSystem()...)
}
