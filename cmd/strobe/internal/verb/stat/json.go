// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"math"
	"strconv"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat"
)

// A statObject is the JSON of strobe stat.
type statObject struct {
	Schema      int                      `json:"schema"`                       // version of this format
	N           uint64                   `json:"n"`                            // numbers that the figures are of
	Unit        string                   `json:"unit,omitempty"`               // unit of all figures: that of the first number
	Mean        float64                  `json:"mean"`                         // of all numbers
	StdDev      *float64                 `json:"stddev,omitempty"`             // standard deviation, divided by n-1
	Lag1        *float64                 `json:"lag1,omitempty"`               // correlation of neighbouring numbers
	Skewness    *float64                 `json:"skewness,omitempty"`           // 0 for a symmetric distribution
	Kurtosis    *float64                 `json:"excess_kurtosis,omitempty"`    // 0 for a normal distribution
	Min         float64                  `json:"min"`                          // smallest number
	Max         float64                  `json:"max"`                          // largest number
	Interval    stat.Interval            `json:"interval"`                     // of the mean
	Instead     *stat.Interval           `json:"median_instead,omitempty"`     // of the median, where a few large numbers determine the mean
	Quantiles   map[string]float64       `json:"quantiles"`                    // by the fraction asked for, such as "0.99"
	Ranked      string                   `json:"quantiles_are"`                // how the quantiles were found, and how exact they are
	Bounds      map[string]stat.Interval `json:"quantile_intervals"`           // of each quantile
	Bins        []statBin                `json:"histogram,omitempty"`          // bins from the smallest number to the largest
	Lines       uint64                   `json:"lines"`                        // lines of the input
	Damaged     uint64                   `json:"damaged_lines,omitempty"`      // lines that hold no number
	First       *statDamage              `json:"first_damage,omitempty"`       // the first of those
	Empty       uint64                   `json:"empty_cells,omitempty"`        // cells of the column without a value
	Dropped     *int                     `json:"dropped_as_warm_up,omitempty"` // numbers left out at the start, with --drop-warm-up
	Meaning     string                   `json:"meaning"`                      // what the result means, one sentence
	Next        string                   `json:"next"`                         // what to do next
	Notes       []string                 `json:"notes,omitempty"`              // what qualifies the result, a sentence each
	Interrupted bool                     `json:"interrupted,omitempty"`        // the input was not read to its end
}

type statBin struct {
	Lo float64 `json:"lo"` // lower bound, inclusive
	Hi float64 `json:"hi"` // upper bound, exclusive
	N  uint64  `json:"n"`  // numbers in it
}

type statDamage struct {
	Line   uint64 `json:"line"`   // number of the line, from 1
	Text   string `json:"text"`   // its text, cut if it is long
	Reason string `json:"reason"` // what is wrong with it
}

func (r *summary) object(interrupted bool) statObject {
	m := r.moments
	o := statObject{
		Schema: session.Schema, N: m.N, Unit: r.of.Unit, Mean: m.Mean, StdDev: known(m.StdDev), Lag1: known(m.Lag1),
		Skewness: known(m.Skewness), Kurtosis: known(m.ExcessOfKurtosis), Min: m.Min, Max: m.Max,
		Quantiles: map[string]float64{}, Ranked: r.of.Ranked(), Bounds: map[string]stat.Interval{}, Interval: r.interval,
		Lines: r.of.Lines, Damaged: r.of.Damaged, Empty: r.of.Empty, Dropped: r.dropped, Meaning: r.meaning(), Next: r.next(), Notes: r.notes, Interrupted: interrupted,
	}
	if r.instead != nil {
		o.Instead = &r.instead.Interval
	}
	for _, q := range r.quantiles {
		key := strconv.FormatFloat(q.Q, 'f', -1, 64)
		o.Quantiles[key], o.Bounds[key] = q.Value, q.Interval
	}
	for _, b := range r.bins {
		o.Bins = append(o.Bins, statBin{b.Lo, b.Hi, b.N})
	}
	if d := r.of.First; r.of.Damaged > 0 {
		o.First = &statDamage{d.Line, d.Text, d.Err.Error()}
	}
	return o
}

// known returns nil for NaN.
func known(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}
