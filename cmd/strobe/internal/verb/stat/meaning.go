// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"fmt"
	"math"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/stat"
)

// warned reports whether a warning of the interval contains a word.
func (r *summary) warned(word string) bool {
	for _, w := range r.interval.Warnings {
		if strings.Contains(w, word) {
			return true
		}
	}
	return false
}

// meaning returns a sentence that says what the result means.
func (r *summary) meaning() string {
	unit := r.of.Unit
	switch {
	case !r.interval.Bounded():
		return "there are too few numbers to say how far the mean can be trusted."
	case r.change.Kind == stat.StepChange:
		return fmt.Sprintf("the level changed at about number %d, by %s, so the mean describes neither part.", r.change.At+1, r.by())
	case r.change.Kind == stat.TrendChange:
		return fmt.Sprintf("the numbers drifted by %s from first to last, so the mean describes this run only.", r.by())
	case r.change.Kind == stat.PeriodChange:
		return fmt.Sprintf("a pattern repeats every %.0f numbers or a whole fraction of that, and the interval does not allow for it.", r.change.Period)
	case r.warned("not stationary"):
		return "numbers are correlated over stretches longer than this run can resolve, so the interval may be too narrow."
	case r.warned("neighbouring"):
		return "neighbouring numbers are correlated, which this method does not allow for, so the interval is too narrow."
	case r.warned("have no mean"):
		return "a few large numbers dominate the mean, and the tail is so long that numbers of this kind may have no true mean at all."
	case r.warned("spike"):
		return "a few numbers far above all others determine the mean and its interval."
	case r.warned("smaller ones"):
		return "a few small numbers dominate the mean, and smaller ones may be missing, so the true mean may lie below the interval."
	case r.warned("skewed"):
		return "a few large numbers dominate the mean, and larger ones may be missing, so the true mean may lie above the interval."
	case r.interval.Lo == r.interval.Hi:
		return "all numbers are the same."
	}
	return fmt.Sprintf("the true mean probably lies between %s and %s: an interval made this way misses it in one of %.3g runs.",
		units.Rounded(r.interval.Lo, r.interval.Half(), unit), units.Rounded(r.interval.Hi, r.interval.Half(), unit), 1/(1-r.interval.Level))
}

// by formats the size of a step or a drift.
func (r *summary) by() string {
	text := units.Approx(r.change.Size, r.of.Unit)
	if r.change.Size > 0 {
		text = "+" + text
	}
	return text
}

// next returns what to do next.
func (r *summary) next() string {
	n, unit := r.moments.N, r.of.Unit
	switch {
	case n < 16:
		return fmt.Sprintf("record at least 16 numbers; these are %d.", n)
	case !r.interval.Bounded():
		return "record more numbers."
	case r.change.Kind == stat.StepChange:
		return "find what happened there, and summarise the numbers before and after it separately."
	case r.change.Kind == stat.TrendChange:
		return "wait until the program has settled, or try --drop-warm-up; if it never settles, compare several runs."
	case r.change.Kind == stat.PeriodChange:
		return "find what comes at that pace, and record whole periods."
	case r.warned("not stationary"):
		return fmt.Sprintf("record at least ten times as long, %d numbers.", 10*n)
	case r.warned("neighbouring"):
		return "use --method batch-means."
	case r.warned("have no mean") && r.instead != nil:
		return fmt.Sprintf("quote the median, %s, and the quantiles, not the mean.", r.instead.Interval.In(1, unit))
	case r.warned("spike") && r.instead != nil:
		return fmt.Sprintf("find what causes the spikes, and quote the median, %s, and the quantiles.", r.instead.Interval.In(1, unit))
	case r.warned("skewed"):
		if r.instead == nil {
			return "quote the median and the quantiles, and record more before you quote the mean."
		}
		return fmt.Sprintf("quote the median, %s, and the quantiles; record more before you quote the mean.", r.instead.Interval.In(1, unit))
	case r.interval.Lo == r.interval.Hi:
		return "nothing."
	case n < 32 && r.interval.Method == "batch means":
		return fmt.Sprintf("quote the mean with its interval, or record 32 numbers or more: %d are too few to rule out that neighbours are correlated, and the interval allows for it.", n)
	}
	if half := math.Abs(r.interval.Half() / r.moments.Mean); half > 0 && !math.IsInf(half, 1) {
		return fmt.Sprintf("quote the mean with its interval, ±%.2g %%; one half as wide takes about %d numbers.", 100*half, 4*n)
	}
	return fmt.Sprintf("quote the mean with its interval; one half as wide takes about %d numbers.", 4*n)
}

// explain defines each term.
func (r *summary) explain(p *layout.Printer) {
	p.Printf("\n%s\n", p.Bold("terms"))
	for _, t := range [][2]string{
		{"mean", "the sum over n. What follows ± is the half-width of its interval."},
		{"interval", fmt.Sprintf("made by a method that covers the true value in %s of 100 runs.", layout.Percent(r.interval.Level))},
		{"batch means", "the numbers are cut into 64 to 127 successive batches of the same length, and the interval follows from how much the means of batches differ and correlate."},
		{"independent samples", "correlated numbers tell less than as many independent ones; this is how many independent ones would tell as much."},
		{"sd", "standard deviation: the root of the mean square distance from the mean, divided by n-1."},
		{"lag-1", "the correlation of each number with the next: 0 for independent ones, near 1 where neighbours are alike. Pairs around a skipped line do not count."},
		{"skewness", "0 for a symmetric distribution, above 0 where large numbers are rarer and further out than small ones."},
		{"excess kurtosis", "0 for a normal distribution, above 0 where numbers far out are more frequent."},
		{"quantile", "p99 is what 99 of 100 numbers do not exceed. Type R-7 interpolates linearly between the two nearest numbers, as spreadsheets do."},
		{"stationary", "the level, the spread and the correlation are the same from the first number to the last."},
	} {
		p.Wrap("-", t[0]+": "+t[1])
	}
}
