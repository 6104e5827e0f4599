// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"

	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/perf"
	"github.com/strobe-go/strobe/stat"
)

// A Result is the cost of a function.
type Result struct {
	Name    string
	Options Options // as used

	Time    stat.Interval // ns per call, mean, without the cost of the loop; N is the number of samples
	Median  float64       // ns per call, of the samples
	Fastest float64       // ns per call, of the fastest sample
	Slowest float64       // ns per call, of the slowest sample
	Batch   int           // calls per sample

	Loop stat.Interval // ns per call that were subtracted: the loop and the clock

	Allocs float64 // allocations per call
	Bytes  float64 // bytes allocated per call

	// Warmup is the number of samples, from the very first, that belong to the warm-up according to the rule MSER-5, which
	// examines the samples. Settled is false if the rule found no end of the warm-up. WarmedUp is the number of samples taken
	// before the measurement; no figure includes them.
	Warmup   int
	Settled  bool
	WarmedUp int

	Counters []Counter // empty if nothing can be counted; a warning then says why
	Noise    Noise
	Warnings []string
}

// String returns a one-line summary: "parse: 83.4 ± 0.3 ns, median 83.1, fastest 82.5, 0 allocations (1240 samples of 1200
// calls, less 1.3 ns of loop)".
func (r Result) String() string {
	per, unit := units.Scale(r.Time.Center)
	return fmt.Sprintf("%s: %s, median %s, fastest %s, %.3g allocations (%d samples of %d calls, less %.2g ns of loop)",
		plain.Name(r.Name, plain.Longest), r.Time.In(per, unit), units.Duration(r.Median), units.Duration(r.Fastest), r.Allocs, r.Time.N, r.Batch, r.Loop.Center)
}

// IPC returns the instructions per cycle of the function. ok is false if the two were not counted all the time.
func (r Result) IPC() (ipc float64, ok bool) {
	var of [2]float64
	for _, c := range r.Counters {
		if !c.PerCall.Known() || c.Scaled {
			continue
		}
		switch c.Event {
		case perf.Instructions:
			of[0] = c.PerCall.Center
		case perf.Cycles:
			of[1] = c.PerCall.Center
		}
	}
	if of[0] == 0 || of[1] == 0 {
		return 0, false
	}
	return of[0] / of[1], true
}
