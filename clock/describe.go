// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"slices"
	"time"
)

// Info says what Now reads here and how far it can be trusted.
type Info struct {
	Source    string  // what Now reads: "tsc", "cntvct", or the reference itself
	Reference string  // the operating system's clock that the source is held to
	Reason    string  // why the counter is not used; empty where it is
	Hz        float64 // ticks per second as measured; 0 while unknown or without a counter
	ClaimedHz float64 // ticks per second as the processor claims; 0 if it claims nothing

	Step            float64 // granularity: smallest step observed, ns
	Overhead        float64 // cost of Now, ns, median
	OverheadOrdered float64 // cost of NowOrdered, ns, median

	Error    time.Duration // what the source was off by at the latest anchor, plus what that anchor may be off by
	Anchored time.Duration // time since the latest anchor; 0 without a counter
	Baseline time.Duration // span over which Hz was measured; 0 without a counter
	Steps    int           // steps forward so far: suspends, migrations, counters gone wrong
	Strikes  int           // disagreements held against the counter; at three it is given up
}

// Describe measures and returns the state of the clock. It takes about 2 ms. Safe for concurrent use.
func Describe() Info {
	Now()
	info := Info{
		Source:          referenceName,
		Reference:       referenceName,
		ClaimedHz:       claimedHz(),
		Overhead:        cost(func() { Now() }),
		OverheadOrdered: cost(func() { NowOrdered() }),
	}
	e := master.load()
	for e.mode == warming {
		Now()
		e = master.load()
	}
	info.Steps, info.Strikes, info.Reason = e.steps, e.strikes, e.reason
	raw := Source{Read: func() int64 { return int64(NowOrdered()) }, Hz: 1e9}
	if e.mode == running {
		info.Source = counterName
		info.Hz = 1e9 / e.rate
		info.Error = time.Duration(max(e.err, -e.err) + int64(float64(e.near.width)*e.rate/2))
		info.Anchored = time.Duration(Now()) - time.Duration(e.near.ns)
		info.Baseline = time.Duration(e.near.ns - e.far.ns)
		raw = Source{Read: func() int64 { return int64(fenceCounter()) }, Hz: info.Hz, raw: true}
	}
	info.Step = raw.deltas(1<<12).step * 1e9 / raw.Hz
	return info
}

// cost returns the median ns of a call, over 31 rounds of 256. The call through f is part of it, about 1 ns.
func cost(f func()) float64 {
	const rounds, calls = 31, 256
	var took [rounds]int64
	for i := range took {
		start := master.hw.reference()
		for range calls {
			f()
		}
		took[i] = master.hw.reference() - start
	}
	slices.Sort(took[:])
	return float64(took[rounds/2]) / calls
}
