// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"context"
	"fmt"
	"runtime"

	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/sample"
)

// Run measures f: it finds the size of a batch, warms up, takes samples until the interval is narrow enough or time is up, and then
// makes calls in long stretches, for a third of that time.
//
// The goroutine is locked to its thread during the measurement. Run takes the time of the warm-up and Options.MaxTime, or longer
// if MinRepeat samples, or eight stretches, take longer. f should do the same work each time. Pass its results to [Keep], or store
// them where they are used, because the compiler removes work whose result is not used.
//
// Result.Cost is the figure to quote. It is the mean, unless other programs spoil it.
//
// The interval of a function that costs less than the uncertainty of the loop begins at zero, and there is a warning.
func Run(name string, f func(), o Options) Result {
	r, _ := RunContext(context.Background(), name, f, o) // which never ends
	return r
}

// RunContext is [Run] that ends when ctx does. The error is then the cause of that, and the result is of the samples so far, at least
// one; it may have no interval. A call of f is not interrupted, nor are the calls of a batch.
func RunContext(ctx context.Context, name string, f func(), o Options) (Result, error) {
	o, warnings := o.filled()
	r := Result{Name: name, Options: o, Warnings: warnings}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	runtime.GC()

	c := newCaller(f)
	r.Batch = c.batch(fine())
	warm := warmUp(ctx, c, r.Batch, o)
	r.WarmedUp = len(warm)
	if again := c.batch(fine()); again > r.Batch { // faster, now that it is warm
		r.Batch, warm = again, nil
	}
	loop, loopHalf := costOfLoop(r.Batch)
	measured := uint64(loopBatches)

	counting, reason := count(o, r.Batch)
	if reason != "" {
		r.Warnings = append(r.Warnings, reason)
	}
	w := watch()
	var loops []int64 // measured between the samples if the function is so cheap that a change of the machine's speed would look like its cost
	if float64(c.least(r.Batch)) < 2*loop {
		loops = make([]int64, 0, 1<<16)
	}
	core := newCore()
	short := o
	short.MaxTime -= o.MaxTime / 4
	before := readMemory()
	used, known := processTime()
	took, mean := measure(ctx, func() int64 {
		beside := int64(0)
		if loops != nil {
			beside = bare.timed(r.Batch)
			loops = append(loops, beside)
		}
		return core.add(counting.timed(c), beside)
	}, max(o.MinRepeat, r.WarmedUp), short)
	now, still := processTime()
	r.Noise = w.since()
	r.Noise.look(core.watch.Report())
	r.Allocs, r.Bytes = c.allocations(r.Batch)
	r.Counters = counting.results()

	r.judgeWarmUp(warm, took)
	if loops != nil {
		loop, loopHalf = median(loops)
		measured = uint64(len(loops))
	}
	r.summarize(took, mean, loop, loopHalf, measured)
	rest := loop
	if loops != nil {
		rest = 0
		r.beside(core.all, took[0]-loops[0])
	}
	after := readMemory()
	if during := min(o.MaxTime/4, max(r.Noise.Elapsed/3, leastLong)); r.Batch == 1 && r.Fastest >= float64(during/fewestStretches) {
		r.Long = r.ofSamples(now-used, known && still, after.collections-before.collections) // each is long enough
	} else {
		r.Long = longRun(ctx, c, during, after.period(before, r.Noise.Elapsed), r.Fastest+r.Loop.Center)
		half := r.Loop.Half()
		r.Long.Time, r.Long.CPU = net(r.Long.Time, 1, r.Loop.Center, half), net(r.Long.CPU, 1, r.Loop.Center, half)
	}
	r.lead(core.alone, rest)
	return r, context.Cause(ctx)
}

// judgeWarmUp finds where the samples of the warm-up and the measurement settled.
func (r *Result) judgeWarmUp(warm []float64, took []int64) {
	series := warm
	for _, t := range took {
		series = append(series, float64(t))
	}
	r.Warmup, r.Settled = sample.Warmup(series)
	if late := r.Warmup - len(warm); len(warm) > 0 && r.Settled && late > len(took)/4 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the times settled only after %d samples, %d of them in the measurement: use a longer warm-up", r.Warmup, late))
	}
}

// summarize computes the times from those of the batches, which it sorts.
func (r *Result) summarize(took []int64, mean stat.Interval, loop, loopHalf float64, loops uint64) {
	calls := float64(r.Batch)
	half := loopHalf + placement*loop
	r.Loop = stat.Interval{Center: loop / calls, Lo: max(0, loop-half) / calls, Hi: (loop + half) / calls, Level: 0.95, Method: "median of batches of an empty function", N: loops}
	middle, middleHalf := median(took)
	per := func(t float64) float64 { return max(0, t-loop) / calls }
	r.Fastest, r.Median, r.Slowest = per(float64(took[0])), per(middle), per(float64(took[len(took)-1]))
	r.Time = mean
	if mean.Bounded() {
		r.Time = netTime(mean, middle, middleHalf, calls, loop, loopHalf)
		r.warnOfLoop(r.Time)
	}
}

// beside takes the median and the fastest sample of a cheap function from the differences between the samples and the batches of an
// empty function beside them: a processor may call functions at one of two speeds, for a while each, and the loop shares the speed of
// its neighbour alone. fastest is the difference of the fastest ones. It sorts the differences.
func (r *Result) beside(differences []int64, fastest int64) {
	middle, _ := median(differences)
	r.Median = max(0, middle) / float64(r.Batch)
	r.Fastest = min(max(0, float64(fastest))/float64(r.Batch), r.Median)
}

// allocations returns the number of allocations per call, and their bytes, over one batch.
func (c caller) allocations(batch int) (count, bytes float64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c.site.Call(batch)
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / float64(batch), float64(after.TotalAlloc-before.TotalAlloc) / float64(batch)
}
