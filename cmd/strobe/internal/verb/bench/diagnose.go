// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
	"github.com/strobe-go/strobe/stat/sample"
)

// brief is the time below which starting the process is a large part of a run.
const brief = 3 * time.Millisecond

// diagnose describes what is unusual about the measured runs. No run is dropped.
func diagnose(runs []command.Run, median float64) (notes []string) {
	if len(runs) >= 5 {
		notes = append(outliers(runs, median), uneven(runs)...)
	}
	if median < float64(brief) {
		notes = append(notes, fmt.Sprintf("runs take less than %v, and that includes starting the process", brief))
	}
	return notes
}

// outliers describes runs that took far longer than the median, and how much of their time was processor time.
func outliers(runs []command.Run, median float64) (notes []string) {
	off, cpu := make([]float64, len(runs)), make([]float64, len(runs))
	for i, r := range runs {
		off[i] = math.Abs(float64(r.Wall) - median)
		cpu[i] = float64(r.User + r.System)
	}
	slices.Sort(off)
	slices.Sort(cpu)
	// The limit is ten standard deviations of a normal distribution, and at least a share of the median, since clocks have steps.
	limit := median + max(10*1.4826*sample.Quantile(off, 0.5), 0.05*median)
	typical := sample.Quantile(cpu, 0.5)
	var n int
	var longest, extra, computed float64
	for _, r := range runs {
		if wall := float64(r.Wall); wall > limit {
			n++
			longest = max(longest, wall)
			extra += wall - median
			computed += max(0, float64(r.User+r.System)-typical)
		}
	}
	if n == 0 {
		return nil
	}
	notes = append(notes, fmt.Sprintf("outliers: %d of %d runs, up to %.3g times the median; %.0f %% of their extra time was processor time",
		n, len(runs), longest/median, 100*min(1, computed/extra)))
	if float64(runs[0].Wall) > limit {
		notes = append(notes, "the first run is an outlier; more --warmup may help")
	}
	return notes
}

// uneven reports a widely varying ratio of processor time to elapsed time, but not a command that always sleeps for the same
// time.
func uneven(runs []command.Run) []string {
	var shares []float64
	for _, r := range runs {
		shares = append(shares, min(1, float64(r.User+r.System)/float64(max(1, r.Wall))))
	}
	slices.Sort(shares)
	low, middle, high := sample.Quantile(shares, 0.25), sample.Quantile(shares, 0.5), sample.Quantile(shares, 0.75)
	if high-low < 0.2 || middle > 0.8 {
		return nil
	}
	return []string{fmt.Sprintf("processor time was %.0f %% of the elapsed time, varying between runs (quartiles %.0f %% and %.0f %%); "+
		"if other programs keep the machine busy, --by=cpu is less affected", 100*middle, 100*low, 100*high)}
}
