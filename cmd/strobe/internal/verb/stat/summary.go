// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"fmt"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/stat/series"
	"github.com/strobe-go/strobe/stat"
)

// A summary is the result of strobe stat.
type summary struct {
	of        *series.Series
	moments   series.Moments
	interval  stat.Interval
	quantiles []series.Quantile // those requested
	instead   *series.Quantile  // the median, if it describes the numbers better than the mean
	bins      []series.Bin
	course    []series.Stretch
	change    stat.Change // its kind is empty if no change was found
	notes     []string
	dropped   *int // number of samples dropped as warm-up; nil if not requested
}

// summarize computes the results to print.
func (f *Flags) summarize(all *series.Series) *summary {
	r := &summary{of: all}
	note := func(format string, args ...any) { r.notes = append(r.notes, fmt.Sprintf(format, args...)) }
	if all.Damaged > 0 {
		note("%s hold no number and were skipped, the first is %s; the interval treats the numbers around a gap as neighbours, lag-1 leaves them out",
			share(all.Damaged, all.N()+all.Damaged), all.First)
	}
	if f.WarmUp {
		dropped, ok := all.WarmUp()
		switch r.dropped = &dropped; {
		case ok && dropped == 0:
			note("MSER-5 found no warm-up to leave out")
		case ok:
			note("the first %d numbers are left out as warm-up, by MSER-5; this lowers the coverage of the intervals below their level", dropped)
		default:
			*r.dropped = 0
			note("no warm-up is left out: MSER-5 needs at least 50 numbers that settle in the first half")
		}
	}
	level := float64(f.Level)
	r.moments = all.Moments()
	r.interval = all.Interval(f.Method, level)
	if r.interval.Bounded() && r.moments.Min >= 0 {
		r.interval.Lo = max(0, r.interval.Lo) // none of the numbers is negative, so their mean is not
	}
	r.rank(all.Quantiles(level), f.Quantiles)
	r.bins = all.Bins()
	r.course = all.Course()
	r.change, _ = all.Change()
	if r.interval.Bounded() {
		for _, w := range r.interval.Warnings {
			w = withoutLag(w)
			note("%s", strings.Replace(w, "use BatchMeans", "use --method batch-means", 1))
		}
	}
	if f.Method == series.Plain {
		note("this method tests none of its assumptions and so has no warnings; --method batch-means has")
	}
	if all.Rounded {
		note("some numbers have too many digits and were rounded to %d decimals", all.Decimals())
	}
	if all.Empty > 0 {
		note("%s without a value were skipped", layout.Plural(all.Empty, "cell"))
	}
	return r
}

// rank keeps the quantiles asked for, and the median if a few large numbers dominate the mean.
func (r *summary) rank(all []series.Quantile, asked []float64) {
	for _, q := range all {
		if q.Q == median && r.interval.Bounded() && r.warned("skewed") {
			r.instead = &q
		}
		if slices.Contains(asked, q.Q) {
			r.quantiles = append(r.quantiles, q)
		}
	}
}

// withoutLag removes the lag-1 correlation from a warning. It is corrected for its bias, or is that of batch means, so it differs
// from the one in the table.
func withoutLag(w string) string {
	if from := strings.Index(w, " (lag-1 "); from >= 0 {
		if to := strings.IndexByte(w[from:], ')'); to >= 0 {
			return w[:from] + w[from+to+1:]
		}
	}
	return w
}

// share formats a number of lines as a part of all: "2 of 100 lines (2 %)".
func share(part, of uint64) string {
	return fmt.Sprintf("%d of %s (%.2g %%)", part, layout.Plural(of, "line"), 100*float64(part)/float64(of))
}
