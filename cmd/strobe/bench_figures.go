// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/sample"
)

// figures are what the runs of a job come to. They exist only where there are runs.
type figures struct {
	runs             int
	mean             stat.Interval // of wall time, ns
	median, min, max float64       // ns
	stddev           float64       // ns; of two runs or more
	user, system     float64       // ns, mean
	peak             int64         // bytes, the largest
	peakKnown        bool
	preempted        float64 // a run
	switchesKnown    bool
	warmup           int // runs that belong to a warm-up, by the data
	settled          bool
	notes            []string
}

func (j *job) figures() figures {
	m := j.mean.Moments()
	f := figures{runs: len(j.runs), mean: j.mean.Interval(0), min: float64(m.Min()), max: float64(m.Max()), stddev: m.StdDev()}
	n := float64(len(j.runs))
	walls := j.walls()
	for _, r := range j.runs {
		f.user += float64(r.User) / n
		f.system += float64(r.System) / n
		f.preempted += float64(r.Preempted) / n
		f.peak = max(f.peak, r.Peak)
		f.peakKnown = f.peakKnown || r.Known.Peak
		f.switchesKnown = f.switchesKnown || r.Known.Switches
	}
	f.warmup, f.settled = sample.Warmup(walls)
	f.median = sample.Quantile(slices.Sorted(slices.Values(walls)), 0.5)
	f.notes = append(slices.Clone(f.mean.Warnings), diagnose(j.runs, f.median)...)
	return f
}

// walls returns what the runs took, in ns, in their order.
func (j *job) walls() []float64 {
	w := make([]float64, len(j.runs))
	for i, r := range j.runs {
		w[i] = float64(r.Wall)
	}
	return w
}

// briefly is below what starting a process costs so much that the command drowns in it.
const briefly = 3 * time.Millisecond

// diagnose says what stands out among the runs, and why. Nothing is dropped for it.
func diagnose(runs []command.Run, median float64) (notes []string) {
	if len(runs) >= 5 {
		off := make([]float64, len(runs))
		cpu := make([]float64, len(runs))
		for i, r := range runs {
			off[i] = math.Abs(float64(r.Wall) - median)
			cpu[i] = float64(r.User + r.System)
		}
		slices.Sort(off)
		slices.Sort(cpu)
		// Ten standard deviations, were it normal; and a share of the median, since clocks and caches have steps of their own.
		limit := median + max(10*1.4826*sample.Quantile(off, 0.5), 0.05*median)
		typical := sample.Quantile(cpu, 0.5)
		var waited, worked int
		var longest float64
		for _, r := range runs {
			if float64(r.Wall) <= limit {
				continue
			}
			longest = max(longest, float64(r.Wall))
			if float64(r.User+r.System)-typical < (float64(r.Wall)-median)/2 {
				waited++
			} else {
				worked++
			}
		}
		if n := waited + worked; n > 0 {
			notes = append(notes, fmt.Sprintf("%d of %d runs took far longer, up to %.3g times the median: %s", n, len(runs), longest/median, why(waited, worked)))
		}
		if first := float64(runs[0].Wall); first > limit {
			notes = append(notes, "the first run is one of them: caches were cold; raise --warmup")
		}
	}
	if busy := waiting(runs); busy > 0.2 {
		notes = append(notes, fmt.Sprintf("it was kept from the processor, or waited for something, %.2g of the time, and not evenly: the machine is busy; --by=cpu stands that better", busy))
	}
	if median < float64(briefly) {
		notes = append(notes, "it is over so soon that starting a process is most of the time")
	}
	return notes
}

// waiting returns the share of the time that runs waited, where that varies: a command that always sleeps as long is none's fault.
func waiting(runs []command.Run) float64 {
	if len(runs) < 5 {
		return 0
	}
	var shares []float64
	for _, r := range runs {
		shares = append(shares, max(0, 1-float64(r.User+r.System)/float64(max(1, r.Wall))))
	}
	slices.Sort(shares)
	if sample.Quantile(shares, 0.75)-sample.Quantile(shares, 0.25) < 0.2 {
		return 0
	}
	return sample.Quantile(shares, 0.5)
}

func why(waited, worked int) string {
	const wait, work = "waited for a processor or a device", "used more processor time, as with cold caches or a slower clock"
	switch {
	case worked == 0:
		return "they " + wait
	case waited == 0:
		return "they " + work
	}
	return fmt.Sprintf("%d %s, %d %s", waited, wait, worked, work)
}
