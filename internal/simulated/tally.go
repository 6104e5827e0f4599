// SPDX-License-Identifier: BSD-3-Clause

package simulated

import "math"

// What docs/coverage.md promises, in percent.
const (
	Covered  = 93.0 // of the intervals contain the mean,
	Caught   = 90.0 // or so many of those that miss it carry a warning
	Needless = 5.0  // of the intervals of clean processes carry a warning, at most
)

// A Tally counts the results of the intervals of many series.
type Tally struct {
	Series, Missed, Warned, Both int
	LogWidth                     float64 // sum of the logarithms of the widths, in widths of Student's interval
}

// Add adds an interval: whether it misses the mean, whether it carries a warning, and its width in widths of Student's interval, 0 if
// that has none.
func (t *Tally) Add(missed, warned bool, width float64) {
	t.Series++
	if missed {
		t.Missed++
	}
	if warned {
		t.Warned++
	}
	if missed && warned {
		t.Both++
	}
	if width > 0 {
		t.LogWidth += math.Log(width)
	}
}

func (t Tally) percent(count int) float64 { return 100 * float64(count) / float64(t.Series) }

// Covered returns the percentage of intervals that contain the mean.
func (t Tally) Covered() float64 { return t.percent(t.Series - t.Missed) }

// WarnedOf returns the percentage that carry a warning.
func (t Tally) WarnedOf() float64 { return t.percent(t.Warned) }

// Caught returns the percentage of misses that carry a warning.
func (t Tally) Caught() float64 { return 100 * float64(t.Both) / float64(max(1, t.Missed)) }

// Width returns the geometric mean of the widths.
func (t Tally) Width() float64 { return math.Exp(t.LogWidth / float64(t.Series)) }

// Broken says which promise for n samples of the process the tally breaks; it is empty if none. Shares of warnings, and those of
// processes that are not clean, may be off by two standard errors of the simulation.
func (p *Process) Broken(n int, t Tally) string {
	noise := func(percent float64, of int) float64 { return 2 * math.Sqrt(percent*(100-percent)/float64(of)) }
	switch {
	case n < p.From:
	case p.Clean && t.WarnedOf() > Needless+noise(Needless, t.Series):
		return "are warned of without need"
	case p.Clean && t.Covered() < Covered:
		return "do not contain the mean"
	case t.Covered() < Covered-noise(Covered, t.Series) && t.Caught() < Caught-noise(Caught, t.Missed):
		return "do not contain the mean, and too few of these carry a warning"
	case p.Told && t.WarnedOf() < 95:
		return "carry too few warnings"
	case n == 16 && p.Wide > 0 && t.Width() > p.Wide:
		return "are too wide"
	}
	return ""
}
