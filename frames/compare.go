// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"fmt"

	"github.com/strobe-go/strobe/stat"
)

// Comparison is the result of comparing two captures, figure by figure; a stat.Comparison is of two samples.
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

	// Interval of the difference, at the level that decided on Clear: it excludes zero if Clear is set, and contains zero if not.
	// That level, Interval.Level, is at least Options.Level, since all figures are judged together. It has one bound only where
	// one of the two figures has.
	Interval stat.Interval `json:"interval"`

	// Clear reports whether there is a difference when all figures of the comparison are judged together: the probability that
	// any is called clear although nothing differs is at most 1-Level. The average and the lows are judged less strictly than the
	// other figures.
	Clear bool `json:"clear"`
}

// Compare compares every other capture with base, by the same definitions.
//
// The interval of a difference is computed from the intervals of the two reports by square-and-add: each side is the root of the
// sum of squares of the two distances that face each other. Where a figure is bounded on one side only, so is its difference.
// Where the level changes within a capture, a figure counts as lying anywhere between those of its scenes, since the other
// capture may have other shares of them; a figure that lies outside all of those, as the standard deviation may, depends on how
// scenes are mixed, and its difference has no interval. All this describes these two runs only: a single capture does not show
// what differs from run to run, such as temperature. [CompareGroups] takes several runs of each.
//
// Errors are those of [Analyze]. Safe for concurrent use.
//
// Sources: Zou and Donner, "Construction of confidence limits about effect measures: a general approach", Statistics in Medicine
// 27 (2008). Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6 (1979).
func Compare(base Capture, others []Capture, o Options) ([]Comparison, error) {
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

// CompareReports is [Compare] for captures that have been analyzed, both with the same options.
func CompareReports(base, other Report) Comparison {
	c := Comparison{Base: base, Other: other}
	var all []contrast
	var keys []string
	var chances []float64
	for _, x := range base.Metrics {
		if y, ok := other.Metric(x.Key); ok {
			x := contrastOf(x, y, base.Options.Level)
			all, keys, chances = append(all, x), append(keys, y.Key), append(chances, x.chance())
		}
	}
	for i, by := range judge(keys, chances, 1-base.Options.Level) {
		d := all[i].difference(by.level)
		d.Clear = by.clear
		c.Differences = append(c.Differences, d)
	}
	if base.NotStationary || other.NotStationary {
		c.Warnings = append(c.Warnings, "not stationary: a capture drifts, so a difference may be drift. Capture each several times, in turn, and compare the groups")
	}
	if base.Column != other.Column {
		c.Warnings = append(c.Warnings, fmt.Sprintf("the captures measure different things: %s and %s", base.Column, other.Column))
	}
	return c
}
