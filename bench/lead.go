// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/sample"
)

// leastLong is the minimum time for the long stretches of Run, if there is time.
const leastLong = 100 * time.Millisecond

// longRun runs long stretches of calls for about the given time, at least eight unless ctx ends. per is the ns that a call takes.
// The result includes the loop.
func longRun(ctx context.Context, c caller, during, period time.Duration, per float64) Stretches {
	var all stretches
	target := min(max(shortestStretch, periods*period), during/fewestStretches)
	calls := max(1, int(min(largest, float64(target)/max(per, 0.1))))
	for start := clock.Now(); ctx.Err() == nil && (len(all.wall) < fewestStretches || clock.Since(start) < during); {
		all.add(c.longAt(0, calls, patience*max(target, shortestStretch)), 0)
	}
	return all.summary()
}

// ofSamples returns the cost of long stretches if each sample is a single long call. used is the processor time of all of them.
func (r *Result) ofSamples(used time.Duration, known bool, collections uint64) Stretches {
	s := Stretches{Time: r.Time, CPU: stat.Unknown(noCPU), N: int(r.Time.N), Calls: r.Time.N, Collections: collections}
	if known && r.Time.N > 0 {
		s.CPU = stat.Point(float64(used)/float64(r.Time.N), r.Time.N, "processor time of all samples", "measured for all samples together")
	}
	return s
}

// spoiling is the share by which the mean may exceed the median, for any reason, and still be the figure to quote.
const spoiling = 0.05

// lead chooses the figure to quote. alone are the samples during which nothing else used the core, and loop is what to subtract from
// each.
//
// Time taken by other programs is part of the mean, but not of the median or of the processor time of long stretches. What the
// function itself does once in many calls is part of the mean and of the processor time. So the processor time shows which of the
// two makes the mean larger than the median.
func (r *Result) lead(alone []int64, loop float64) {
	r.Cost = r.Time
	middle := stat.Point(r.Median, r.Time.N, "median of the samples", "too few samples")
	if len(alone) >= steady {
		values := make([]float64, len(alone))
		for i, t := range alone {
			values[i] = float64(t)
		}
		n := float64(r.Batch)
		middle = net(sample.QuantileInterval(values, 0.5, r.Options.Level), n, loop, n*r.Loop.Half())
		middle.Method = "median of the samples during which nothing else used the core"
	}
	extra := r.Time.Center - middle.Center
	if !r.Time.Known() || extra <= spoiling*middle.Center || r.waits() {
		r.warnOfLong()
		return
	}
	own := extra / 2 // as far as is known
	if r.Long.CPU.Known() {
		own = r.Long.CPU.Center - middle.Center
	}
	if own > extra/2 && r.Long.CPU.Known() {
		r.warnOfLong()
		return
	}
	r.Cost = middle
	r.Spoiled = fmt.Sprintf("the mean, %s, has what other programs took", r.mean())
	if r.Noise.Involuntary.Known() && r.Noise.Involuntary.Center > 0 {
		r.Spoiled += fmt.Sprintf(": the thread lost its processor %.0f times", r.Noise.Involuntary.Center)
	}
	r.warnOfLong()
	if r.depends() {
		r.Cost = r.Long.CPU
	}
	if r.Time.Lo > 0 { // else there is a warning already
		r.warnOfLoop(r.Cost)
	}
}

// mean formats the mean.
func (r *Result) mean() string {
	per, unit := units.Scale(r.Time.Center)
	return r.Time.In(per, unit)
}

// waits reports whether the function spends much of its time without a processor even when nothing disturbs it.
func (r *Result) waits() bool {
	return r.Long.CPU.Known() && r.Fastest > r.Loop.Center && r.Long.CPU.Center < 0.7*r.Fastest
}

// depends reports whether long stretches cost more processor time than the leading figure says, by more than noise explains.
func (r *Result) depends() bool {
	most := r.Cost.Hi
	if !r.Cost.Bounded() {
		if r.Spoiled == "" {
			return false
		}
		most = r.Cost.Center // too few samples were undisturbed, so that the median of all leads
	}
	return r.Long.CPU.Bounded() && r.Cost.Center > r.Loop.Center && r.Long.CPU.Lo > (1+spoiling)*most
}

func (r *Result) warnOfLong() {
	if r.depends() {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the cost depends on the number of calls: %s in batches of %d, %s of processor time in long stretches, with %d garbage collections in %d calls",
			units.Duration(r.Cost.Center), r.Batch, units.Duration(r.Long.CPU.Center), r.Long.Collections, r.Long.Calls))
	}
}

// warnOfLoop warns of a figure that may be nothing but the loop.
func (r *Result) warnOfLoop(figure stat.Interval) {
	if figure.Bounded() && figure.Lo == 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the function costs too little to be distinguished from the loop, which costs %.2g ns per call: only the upper bound is meaningful", r.Loop.Center))
	}
}
