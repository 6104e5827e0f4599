// SPDX-License-Identifier: BSD-3-Clause

package clock

import "time"

// Info describes the clock that Now reads on this machine, and how good it is.
type Info struct {
	Source    string  // what Now reads: "tsc", "cntvct", or the reference itself
	Reference string  // the operating system's clock that the source is compared with
	Reason    string  // why the counter is not used; empty if it is
	Hz        float64 // ticks per second as measured; 0 if the counter is not used
	ClaimedHz float64 // ticks per second according to the processor; 0 if it does not say

	Step            float64 // granularity: smallest step observed, ns
	Overhead        float64 // cost of Now, ns, median
	OverheadOrdered float64 // cost of NowOrdered, ns, median

	Error    time.Duration // error found by the latest comparison, plus the uncertainty of that comparison
	Anchored time.Duration // time since the latest comparison; 0 if the counter is not used
	Baseline time.Duration // span over which Hz was measured; 0 if the counter is not used
	Steps    int           // disagreements so far: suspends, migrations, faults of the counter
	Strikes  int           // those not yet forgiven; at three the counter is given up
}

// Describe measures what a reading costs and returns the state of the clock. It takes some milliseconds, one more
// if the clock has not been read before. It is safe for concurrent use.
func Describe() Info {
	Now()
	e := master.load()
	for e.mode == warming {
		Now()
		e = master.load()
	}
	info := e.info(int64(Now()))
	info.ClaimedHz = claimedHz()
	info.Overhead = cost(master.hw.reference, func() { Now() })
	info.OverheadOrdered = cost(master.hw.reference, func() { NowOrdered() })
	raw := Source{Read: func() int64 { return int64(NowOrdered()) }, Hz: 1e9}
	if e.mode == running {
		raw = Source{Read: func() int64 { return int64(fenceCounter()) }, Hz: info.Hz, raw: true}
	}
	info.Step = raw.deltas(1<<12).step * 1e9 / raw.Hz
	return info
}

// info returns what the epoch knows about the clock, at the time now.
func (e *epoch) info(now int64) Info {
	info := Info{Source: referenceName, Reference: referenceName, Reason: e.reason, Steps: e.steps, Strikes: e.strikes}
	if e.mode == running {
		info.Source = counterName
		info.Hz = 1e9 / e.rate
		info.Error = time.Duration(magnitude(e.err) + e.latest.doubt(e.rate))
		info.Anchored = time.Duration(now - e.latest.ns)
		info.Baseline = time.Duration(e.latest.ns - e.oldest.ns)
	}
	return info
}
