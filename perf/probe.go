// SPDX-License-Identifier: BSD-3-Clause

package perf

// Probe opens each event alone for the calling goroutine, runs for a moment and returns what came of it, in order. A value
// that is Exact with a Count of 0 is of an event that opens but counted nothing: it may be one that did not happen, or one
// that this processor does not have and does not refuse, as with raw numbers. Without events it takes all that are known
// here: the names of the package, some of the caches, and what the drivers of the system list.
func Probe(events ...Event) []Value {
	if len(events) == 0 {
		events = known()
	}
	values := make([]Value, len(events))
	for i, e := range events {
		values[i] = probe(e)
	}
	return values
}

// probe tries one event. What Open would say in an error is the value here.
func probe(e Event) Value {
	g := begin(Thread, e)
	defer g.Close()
	m := g.Start()
	keepBusy()
	return m.Stop().Get(e)
}

// keepBusy does a little of everything: arithmetic, branches that are hard to predict, memory that is not in the cache.
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

// known returns the events that are worth a try.
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
