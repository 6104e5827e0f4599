// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"math"
	"slices"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/sample"
)

// A line is one benchmark in one unit, in both files.
type line struct {
	pkg, name, unit string
	base, other     []float64
	better          string // lower, higher, or empty: not known
	exact           bool   // does not vary: there is nothing to test

	level stat.Comparison // at 95 %
}

func (l *line) compare() { l.level = stat.Compare(l.base, l.other, 0.95) }

// medians returns the medians of both sides.
func (l *line) medians() (base, other float64) {
	return middle(l.base), middle(l.other)
}

func middle(x []float64) float64 { return sample.Quantile(slices.Sorted(slices.Values(x)), 0.5) }

// delta returns the relative change of the median. ok is false for a change from zero.
func (l *line) delta() (d float64, ok bool) {
	a, b := l.medians()
	switch {
	case a == b:
		return 0, true
	case a == 0:
		return 0, false
	}
	d = b/a - 1
	return d, !math.IsInf(d, 0)
}

// differs reports whether a difference is shown.
func (l *line) differs() bool {
	if l.exact {
		a, b := l.medians()
		return a != b
	}
	return l.level.Verdict == stat.Higher || l.level.Verdict == stat.Lower
}

// verdict returns faster or slower for times, lower or higher for other units, or same or inconclusive.
func (l *line) verdict() string {
	if !l.differs() {
		if r := l.level.Ratio; r.Level > 0 && r.Lo >= 1/1.01 && r.Hi <= 1.01 || l.steady() {
			return bench.Same.String()
		}
		return bench.Inconclusive.String()
	}
	a, b := l.medians()
	up := b > a || b == a && l.level.Verdict == stat.Higher
	switch {
	case l.unit == "sec/op" && up:
		return bench.Slower.String()
	case l.unit == "sec/op":
		return bench.Faster.String()
	case up:
		return "higher"
	}
	return "lower"
}

// steady reports whether all values of both sides are equal.
func (l *line) steady() bool {
	all := append(slices.Clone(l.base), l.other...)
	return slices.Min(all) == slices.Max(all)
}
