// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/sample"
)

// figures summarise the runs of a job, which must have at least one.
type figures struct {
	runs             int
	mean             stat.Interval // of wall time, ns
	median, min, max float64       // ns
	stddev           float64       // ns; of two runs or more
	user, system     float64       // ns, mean
	split            bool          // both are above 0: the kernel may divide time between them by ticks, which miss short runs
	peak             int64         // bytes, the largest
	peakKnown        bool          // for at least one run
	peaksKnown       bool          // for all runs
	preempted        float64       // times per run
	switchesKnown    bool
	warmup           int // runs that belong to the warm-up, by MSER-5
	settled          bool
	failures         int // runs that exited with a code other than 0
	notes            []string
}

func (j *job) figures() figures {
	m := j.mean.Moments()
	f := figures{runs: len(j.runs), mean: j.meanTime(), min: float64(m.Min()), max: float64(m.Max()), stddev: m.StdDev()}
	f.peaksKnown = true
	codes := map[int]bool{}
	n := float64(len(j.runs))
	walls := j.walls()
	for _, r := range j.runs {
		f.user += float64(r.User) / n
		f.system += float64(r.System) / n
		f.preempted += float64(r.Preempted) / n
		f.peak = max(f.peak, r.Peak)
		f.peakKnown = f.peakKnown || r.Known.Peak
		f.peaksKnown = f.peaksKnown && r.Known.Peak
		if r.Exit != 0 {
			f.failures++
			codes[r.Exit] = true
		}
		f.switchesKnown = f.switchesKnown || r.Known.Switches
	}
	f.split = f.user > 0 && f.system > 0
	f.warmup, f.settled = sample.Warmup(walls)
	f.median = sample.Quantile(slices.Sorted(slices.Values(walls)), 0.5)
	f.notes = append(slices.Clone(f.mean.Warnings), diagnose(j.runs, f.median)...)
	if f.failures > 0 {
		text := fmt.Sprint(slices.Sorted(maps.Keys(codes)))
		f.notes = append(f.notes, fmt.Sprintf("%d of %d runs failed, with exit code %s", f.failures, f.runs, strings.Trim(text, "[]")))
	}
	return f
}

// walls returns the elapsed time of each run, in ns.
func (j *job) walls() []float64 {
	w := make([]float64, len(j.runs))
	for i, r := range j.runs {
		w[i] = float64(r.Wall)
	}
	return w
}
