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

	// Cost is the figure to quote, in ns per call without the cost of the loop: the mean, like Time. Where other programs spoil that,
	// which Spoiled says, it is the median of the samples during which nothing else used the processor's core, if there are enough, or
	// of all; and where that has not its share of what happens once in many calls, the processor time in long stretches. Method says
	// which.
	Cost    stat.Interval
	Spoiled string // why the mean is not the figure to quote; empty if it is

	Time    stat.Interval // ns per call, mean, without the cost of the loop; N is the number of samples
	Median  float64       // ns per call, of the samples
	Fastest float64       // ns per call, of the fastest sample
	Slowest float64       // ns per call, of the slowest sample
	Batch   int           // calls per sample

	// Long is the cost when many calls are made in one go. Unlike the median and the fastest sample, it has its share of what happens
	// once in many calls.
	Long Stretches

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

// String returns a summary in one line: "parse: mean 83.4 ± 0.3 ns, median 83.1 ns, fastest 82.5 ns, 83.9 ± 0.5 ns of processor time in
// long stretches (4.1 M calls, 0 collections), 0 allocations (1240 samples of 1200 calls, less 1.3 ns of loop)". If the mean does not
// lead, it says why.
func (r Result) String() string {
	write := func(iv stat.Interval) string {
		per, unit := units.Scale(iv.Center)
		return iv.In(per, unit)
	}
	lead := fmt.Sprintf("mean %s, median %s", write(r.Time), units.Duration(r.Median))
	if r.Spoiled != "" {
		lead = fmt.Sprintf("%s, %s (%s), median of all %s", write(r.Cost), r.Cost.Method, r.Spoiled, units.Duration(r.Median))
	}
	long, of := r.Long.CPU, "of processor time "
	if !long.Known() {
		long, of = r.Long.Time, ""
	}
	if long.Known() {
		of = fmt.Sprintf(", %s %sin long stretches (%s calls, %d collections)", write(long), of, units.Count(r.Long.Calls), r.Long.Collections)
	} else {
		of = ""
	}
	return fmt.Sprintf("%s: %s, fastest %s%s, %.3g allocations (%d samples of %d calls, less %.2g ns of loop)",
		plain.Name(r.Name, plain.Longest), lead, units.Duration(r.Fastest), of, r.Allocs, r.Time.N, r.Batch, r.Loop.Center)
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
