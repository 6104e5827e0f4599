// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"fmt"
	"math"

	"github.com/strobe-go/strobe/stat"
)

// Comparison is one capture beside another.
type Comparison struct {
	Base        Report       `json:"base"`               // the capture compared with
	Other       Report       `json:"other"`              // the one compared
	Differences []Difference `json:"differences"`        // of all figures that both have
	Warnings    []string     `json:"warnings,omitempty"` // what makes the comparison doubtful
}

// Difference is other minus base in one figure.
type Difference struct {
	Key   string  `json:"key"`        // as in Metric
	Name  string  `json:"name"`       // as in Metric
	Unit  Unit    `json:"unit"`       // as in Metric
	Base  float64 `json:"base"`       // the figure in the one capture
	Other float64 `json:"other"`      // and in the other
	Value float64 `json:"difference"` // Other - Base

	// Interval of the difference, for this figure alone; zero when there is none,
	// with the reason in NoInterval. AtLeast or AtMost then holds what is known,
	// when one of the two figures is bounded on one side only.
	Interval   stat.Interval `json:"interval,omitzero"`
	NoInterval string        `json:"no_interval,omitempty"`
	AtLeast    Bound         `json:"at_least,omitzero"`
	AtMost     Bound         `json:"at_most,omitzero"`

	// Clear tells that there is a difference, when all figures of the comparison
	// are judged together: the probability that any is called clear although
	// nothing differs is at most 1-Level. An interval that only just excludes
	// zero is therefore not clear. The average and the lows are judged less
	// strictly than the other figures.
	Clear bool `json:"clear"`
}

// Compare puts every other capture beside base, by the same definitions.
//
// The interval of a difference is made of the two intervals of the reports by
// square-and-add: each side of it is the root of the sum of squares of the two
// distances that face each other. Where a figure has no interval, nor has its
// difference. All this holds for these two runs: what differs from run to run,
// such as temperature, is in no single capture. [CompareGroups] takes several
// runs of each.
//
// Errors are those of [Analyze]. Safe for concurrent use.
//
// Sources: Zou and Donner, "Construction of confidence limits about effect
// measures: a general approach", Statistics in Medicine 27 (2008). Holm, "A
// Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal
// of Statistics 6 (1979).
func Compare(o Options, base Capture, others ...Capture) ([]Comparison, error) {
	first, err := Analyze(base, o)
	if err != nil {
		return nil, err
	}
	var out []Comparison
	for _, c := range others {
		other, err := Analyze(c, o)
		if err != nil {
			return nil, err
		}
		out = append(out, CompareReports(first, other))
	}
	return out, nil
}

// CompareReports is [Compare] for captures that have been analyzed, both with
// the same options.
func CompareReports(base, other Report) Comparison {
	c := Comparison{Base: base, Other: other}
	var chances []float64
	for _, x := range base.Metrics {
		if y, ok := other.Metric(x.Key); ok {
			d, chance := difference(x, y)
			c.Differences = append(c.Differences, d)
			chances = append(chances, chance)
		}
	}
	for i, clear := range clearOnes(c.Differences, chances, 1-base.Options.Level) {
		c.Differences[i].Clear = clear
	}
	if base.NotStationary || other.NotStationary {
		c.Warnings = append(c.Warnings, "not stationary: a capture drifts, so a difference may be drift. Capture each several times, in turn, and compare the groups")
	}
	if base.Column != other.Column {
		c.Warnings = append(c.Warnings, fmt.Sprintf("the captures measure different things: %s and %s", base.Column, other.Column))
	}
	return c
}

// difference returns the difference of two figures, and the probability of one
// at least as large if there were none; 1 where that cannot be said.
func difference(x, y Metric) (d Difference, chance float64) {
	d = Difference{Key: x.Key, Name: x.Name, Unit: x.Unit, Base: x.Value, Other: y.Value, Value: y.Value - x.Value, NoInterval: x.NoInterval}
	if d.NoInterval == "" {
		d.NoInterval = y.NoInterval
	}
	if d.NoInterval != "" {
		return d, d.oneSided(x, y)
	}
	a, b := x.Interval, y.Interval
	d.Interval = stat.Interval{
		Center: d.Value,
		Lo:     d.Value - math.Hypot(y.Value-b.Lo, a.Hi-x.Value),
		Hi:     d.Value + math.Hypot(b.Hi-y.Value, x.Value-a.Lo),
		Level:  a.Level, N: a.N + b.N, NEff: a.NEff + b.NEff,
		Method: "square-and-add of both intervals (" + a.Method + "; " + b.Method + ")",
	}
	for _, w := range a.Warnings {
		d.Interval.Warnings = append(d.Interval.Warnings, "base "+w)
	}
	for _, w := range b.Warnings {
		d.Interval.Warnings = append(d.Interval.Warnings, "other "+w)
	}
	half := d.Value - d.Interval.Lo
	if d.Value < 0 {
		half = d.Value - d.Interval.Hi
	}
	if half == 0 {
		return d, 0
	}
	return d, math.Erfc(math.Erfinv(a.Level) * d.Value / half)
}

// oneSided bounds a difference where one of the figures is known to be at most
// something and the other has an interval.
func (d *Difference) oneSided(x, y Metric) (chance float64) {
	const method = "square-and-add of a bound and an interval"
	switch {
	case x.AtMost.Level > 0 && y.Interval.Level > 0:
		half := math.Hypot(y.Value-y.Interval.Lo, x.AtMost.Value-x.Value)
		d.AtLeast = Bound{Value: d.Value - half, Level: x.AtMost.Level, Method: method}
		return math.Erfc(math.Erfinv(2*x.AtMost.Level-1)*d.Value/half) / 2
	case y.AtMost.Level > 0 && x.Interval.Level > 0:
		half := math.Hypot(y.AtMost.Value-y.Value, x.Value-x.Interval.Lo)
		d.AtMost = Bound{Value: d.Value + half, Level: y.AtMost.Level, Method: method}
		return math.Erfc(-math.Erfinv(2*y.AtMost.Level-1)*d.Value/half) / 2
	}
	return 1
}
