// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/benchtext"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
	"github.com/strobe-go/strobe/stat/sample"
)

// A line compares one row in one column with the base.
type line struct {
	row
	column      string
	several     bool // other columns are compared with the base too
	base, other []float64
	better      string // lower, higher, or empty if unknown
	exact       bool   // its unit is said not to vary

	result stat.Comparison // at the level of the flags
}

// An absence is a row that one column has and another lacks.
type absence struct {
	row
	in, lacks string // labels of columns
	better    string // of the unit
}

func (a absence) String() string {
	return fmt.Sprintf("only in %s: %s", a.in, strings.TrimSpace(a.table+" "+a.name+" "+a.unit))
}

// lines returns the comparisons of every row of the base, and the rows that one of two columns lacks.
func (v *view) lines(units map[string]benchtext.Unit, level float64) (all []line, alone []absence) {
	for _, r := range v.rows {
		for i, other := range r.values {
			switch base := r.values[0]; {
			case i == 0:
			case len(base) > 0 && len(other) == 0:
				alone = append(alone, absence{r, v.columns[0], v.columns[i], units[r.unit].Better})
			case len(base) == 0 && len(other) > 0:
				alone = append(alone, absence{r, v.columns[i], v.columns[0], units[r.unit].Better})
			case len(base) > 0:
				u := units[r.unit]
				l := line{row: r, column: v.columns[i], several: len(v.columns) > 2, base: base, other: other, better: u.Better, exact: u.Exact, result: stat.Compare(base, other, level)}
				if l.exact && !l.fixed() {
					l.result.Warnings = append(l.result.Warnings, "declared exact, but varies within a column")
				}
				all = append(all, l)
			}
		}
	}
	return all, alone
}

// unitsOf returns what the files and the format itself say about units.
func unitsOf(files []*measured) map[string]benchtext.Unit {
	all := map[string]benchtext.Unit{}
	for _, m := range files {
		for name, u := range m.units {
			have := all[name]
			if have.Better == "" {
				have.Better = u.Better
			}
			have.Exact = have.Exact || u.Exact
			all[name] = have
		}
	}
	for name, better := range map[string]string{"sec/op": "lower", "B/op": "lower", "allocs/op": "lower", "B/s": "higher"} {
		if u := all[name]; u.Better == "" {
			u.Better = better
			all[name] = u
		}
	}
	return all
}

func constant(x []float64) bool { return slices.Min(x) == slices.Max(x) }

// medians returns the medians of both sides.
func (l *line) medians() (base, other float64) { return middle(l.base), middle(l.other) }

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
	return l.result.Finding == stat.Higher || l.result.Finding == stat.Lower
}

// verdict returns faster or slower for times, lower or higher for other units, or same or inconclusive.
func (l *line) verdict() string {
	if !l.differs() {
		if r := l.result.Ratio; r.Bounded() && r.Lo >= 1/1.01 && r.Hi <= 1.01 || l.steady() {
			return decide.Same.String()
		}
		return decide.Inconclusive.String()
	}
	a, b := l.medians()
	up := b > a || b == a && l.result.Finding == stat.Higher
	switch {
	case l.unit == "sec/op" && up:
		return decide.Slower.String()
	case l.unit == "sec/op":
		return decide.Faster.String()
	case up:
		return "higher"
	}
	return "lower"
}

// fixed reports whether there is nothing to test: an exact unit that does not vary, or values that are all equal.
func (l *line) fixed() bool {
	return l.exact && constant(l.base) && constant(l.other) || l.steady()
}

// steady reports whether all values of both sides are equal.
func (l *line) steady() bool { return constant(l.base) && constant(l.other) && l.base[0] == l.other[0] }

// A mean is the geometric mean over the lines of one table, unit and column.
type mean struct {
	base, other, ratio float64 // means of the medians and of their ratio; 0 if there is no mean because a value is not above 0
	n                  int     // lines
}

// geomean returns the mean of lines. A line from 0 to 0 counts as unchanged.
func geomean(lines []line) mean {
	var logs [3]float64
	for i := range lines {
		a, b := lines[i].medians()
		ratio := b / a
		if a == b {
			ratio = 1
		}
		for k, x := range []float64{a, b, ratio} {
			if x > 0 && !math.IsInf(x, 0) {
				logs[k] += math.Log(x) / float64(len(lines))
			} else {
				logs[k] = math.Inf(-1) // exp(-Inf) is 0
			}
		}
	}
	return mean{math.Exp(logs[0]), math.Exp(logs[1]), math.Exp(logs[2]), len(lines)}
}
