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
	Unit  string  `json:"unit"`       // as in Metric
	Base  float64 `json:"base"`       // the figure in the one capture
	Other float64 `json:"other"`      // and in the other
	Value float64 `json:"difference"` // Other - Base
	// Interval of the difference; zero when there is none, with the reason in
	// NoInterval. Clear tells that it excludes zero.
	Interval   stat.Interval `json:"interval,omitzero"`
	NoInterval string        `json:"no_interval,omitempty"`
	Clear      bool          `json:"clear"`
}

// Compare puts every other capture beside base, by the same definitions.
//
// The interval of a difference is made of the two intervals of the reports by
// square-and-add: each side of it is the root of the sum of squares of the two
// distances that face each other. Where a figure has no interval, nor has its
// difference. All this holds for these two runs: what differs from run to run,
// such as temperature, is in no single capture.
//
// Errors are those of [Analyze]. Safe for concurrent use.
//
// Source: Zou and Donner, "Construction of confidence limits about effect
// measures: a general approach", Statistics in Medicine 27 (2008).
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
		out = append(out, compare(first, other))
	}
	return out, nil
}

func compare(base, other Report) Comparison {
	cmp := Comparison{Base: base, Other: other}
	for _, x := range base.Metrics {
		if y, ok := other.Metric(x.Key); ok {
			cmp.Differences = append(cmp.Differences, difference(x, y))
		}
	}
	if base.NotStationary || other.NotStationary {
		cmp.Warnings = append(cmp.Warnings, "not stationary: a capture drifts within itself; a difference may be drift. Capture each several times, in turns")
	}
	if base.Column != other.Column {
		cmp.Warnings = append(cmp.Warnings, fmt.Sprintf("the captures measure different things: %s and %s", base.Column, other.Column))
	}
	return cmp
}

func difference(x, y Metric) Difference {
	d := Difference{Key: x.Key, Name: x.Name, Unit: x.Unit, Base: x.Value, Other: y.Value, Value: y.Value - x.Value, NoInterval: x.NoInterval}
	if d.NoInterval == "" {
		d.NoInterval = y.NoInterval
	}
	if d.NoInterval != "" {
		return d
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
	d.Clear = d.Interval.Lo > 0 || d.Interval.Hi < 0
	return d
}
