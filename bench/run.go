// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/sample"
)

// A Result is what a function costs.
type Result struct {
	Name    string
	Options Options // as used

	Time    stat.Interval // ns a call, mean, without the loop's own cost; N is the samples
	Median  float64       // ns a call, of the samples
	Fastest float64       // ns a call, of the fastest sample
	Batch   int           // calls of a sample

	Loop     float64 // ns a call that were subtracted: the loop and the clock
	LoopHalf float64 // half the width of its interval

	Allocs float64 // allocations a call
	Bytes  float64 // bytes allocated a call

	// Warmup is how many samples belong to the warm-up judged by the data, with MSER-5, counted from the very first. Settled
	// is false where no end of it was found. WarmedUp is how many came before the measurement and are in no figure.
	Warmup   int
	Settled  bool
	WarmedUp int

	Counters []Counter // empty without any counters; a warning then says why
	Noise    Noise
	Warnings []string
}

// String gives the essentials in a line: "parse: 83.4 ± 0.3 ns, median 83.1, fastest 82.5, 0 allocations (1240 samples of 1200 calls, less
// 1.3 ns of loop)".
func (r Result) String() string {
	iv := r.Time
	per, unit := units.Scale(iv.Center)
	return fmt.Sprintf("%s: %s, median %s, fastest %s, %.3g allocations (%d samples of %d calls, less %.2g ns of loop)",
		r.Name, iv.In(per, unit), units.Duration(r.Median), units.Duration(r.Fastest), r.Allocs, iv.N, r.Batch, r.Loop)
}

// Run measures f: it finds a batch size, warms up, and samples until the interval is narrow enough or time is up.
//
// The goroutine keeps its thread meanwhile. It takes the time of the warm-up and of Options.MaxTime, and longer where
// Options.MinRepeat calls do. f must do the same each time; what it computes must go into [Keep] or somewhere else
// where it is seen, since the compiler removes work that nobody needs.
//
// A function that costs less than the loop's cost is known has an interval that begins at zero, and a warning.
func Run(name string, f func(), o Options) Result {
	o = o.forRun()
	r := Result{Name: name, Options: o}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	runtime.GC()

	r.Batch = batchFor(f, fine())
	warm := warmUp(f, r.Batch, o)
	r.WarmedUp = len(warm)
	if again := batchFor(f, fine()); again > r.Batch { // faster now that it is warm
		r.Batch, warm = again, nil
	}
	loop, loopHalf := costOfLoop(r.Batch)
	calls := float64(r.Batch)
	r.Loop, r.LoopHalf = loop/calls, loopHalf/calls

	counting, reason := count(o, r.Batch)
	if reason != "" {
		r.Warnings = append(r.Warnings, reason)
	}
	took, mean := measure(f, r.Batch, max(o.MinRepeat, r.WarmedUp), o, counting, &r)
	r.Counters = counting.results()

	if r.Time.Level > 0 {
		r.Time = net(mean, calls, loop, loopHalf)
	}
	if r.Time.Lo == 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("it costs too little to be told from the loop, which costs %.2g ns: the upper bound counts", r.Loop))
	}
	series := warm
	for _, t := range took {
		series = append(series, float64(t))
	}
	r.Warmup, r.Settled = sample.Warmup(series)
	if len(warm) > 0 && r.Settled && r.Warmup > len(warm)+len(took)/4 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("it settled only after %d samples, %d of them measured: warm up longer", r.Warmup, r.Warmup-len(warm)))
	}
	slices.Sort(took)
	per := func(t int64) float64 { return max(0, float64(t)-loop) / calls }
	r.Fastest = per(took[0])
	r.Median = (per(took[(len(took)-1)/2]) + per(took[len(took)/2])) / 2
	return r
}

// warmUp returns the samples of a warm-up.
func warmUp(f func(), batch int, o Options) (took []float64) {
	if o.MinTime < 0 {
		return nil
	}
	start := clock.Now()
	for n := o.MinRepeat; ; n = min(10*n, o.MaxRepeat) {
		for len(took) < n {
			took = append(took, float64(timed(f, batch)))
			if clock.Since(start) >= 2*o.MinTime { // enough, however many were meant
				return took
			}
		}
		if n >= o.MaxRepeat || clock.Since(start) >= o.MinTime {
			return took
		}
	}
}

// measure samples until it is enough, and fills in what is seen on the way.
func measure(f func(), batch, repeats int, o Options, counting *counting, r *Result) (took []int64, mean stat.Interval) {
	var b stat.BatchMeans
	took = make([]int64, 0, 1<<16) // so that it does not grow while it is measured
	beside := watch()
	next := o.MinRepeat
	for {
		t := counting.timed(f)
		took = append(took, t)
		b.Add(t)
		n := len(took)
		if o.Precision < 0 {
			if n >= repeats || n >= o.MinRepeat && clock.Since(beside.start) >= o.MaxTime {
				break
			}
			continue
		}
		if n < next {
			continue
		}
		// Looks are far apart: one that is narrow by chance must not be found by looking often.
		next = n + max(1, n/8)
		mean = b.Interval(o.Level)
		sofar := clock.Since(beside.start)
		if sofar >= o.MaxTime || n >= soonest && sofar >= o.MinTime/2 && mean.Half() <= o.Precision*mean.Center {
			break
		}
		if limit := beside.start.Add(o.MaxTime); n >= soonest { // do not miss the end of the time by an eighth
			left := float64(limit.Sub(clock.Now())) / float64(clock.Since(beside.start))
			next = min(next, n+max(1, int(left*float64(n))))
		}
	}
	r.Noise = beside.since()
	r.Allocs, r.Bytes = allocations(f, batch)
	r.Time = b.Interval(o.Level)
	return took, r.Time
}

// soonest is how many samples it takes before their own scatter may end the measurement.
const soonest = 50

// allocations returns how many there are in a call, and of how many bytes, seen over one batch.
func allocations(f func(), batch int) (count, bytes float64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	repeat(f, batch)
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / float64(batch), float64(after.TotalAlloc-before.TotalAlloc) / float64(batch)
}

// net turns ns a batch into ns a call without the loop. It never reaches below zero.
func net(gross stat.Interval, calls, loop, loopHalf float64) stat.Interval {
	iv := gross
	center := gross.Center - loop
	up, down := math.Hypot(gross.Hi-gross.Center, loopHalf), math.Hypot(gross.Center-gross.Lo, loopHalf)
	iv.Center = max(0, center) / calls
	iv.Lo = max(0, center-down) / calls
	// Where the loop around nothing costs more than with the function in it, the loop is not known better than that.
	iv.Hi = max(iv.Center*calls, center+up, loopHalf, -center) / calls
	return iv
}
