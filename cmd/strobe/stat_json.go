// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"math"
	"strconv"

	"github.com/strobe-go/strobe/stat"
)

// A statObject is the JSON of strobe stat. What is not known is absent.
type statObject struct {
	Schema      int                      `json:"schema"`
	N           uint64                   `json:"n"`
	Unit        string                   `json:"unit,omitempty"`
	Mean        float64                  `json:"mean"`
	StdDev      *float64                 `json:"stddev,omitempty"`
	Lag1        *float64                 `json:"lag1,omitempty"`
	Skewness    *float64                 `json:"skewness,omitempty"`
	Kurtosis    *float64                 `json:"excess_kurtosis,omitempty"`
	Min         float64                  `json:"min"`
	Max         float64                  `json:"max"`
	Interval    *stat.Interval           `json:"interval,omitempty"`
	NoInterval  string                   `json:"no_interval,omitempty"`
	Quantiles   map[string]float64       `json:"quantiles"`
	Ranked      string                   `json:"quantiles_are"`
	Bounds      map[string]stat.Interval `json:"quantile_intervals"`
	NoBounds    map[string]string        `json:"no_quantile_interval,omitempty"`
	Bins        []statBin                `json:"histogram,omitempty"`
	Lines       uint64                   `json:"lines"`
	Damaged     uint64                   `json:"damaged_lines,omitempty"`
	First       *statDamage              `json:"first_damage,omitempty"`
	Empty       uint64                   `json:"empty_cells,omitempty"`
	Dropped     *int                     `json:"dropped_as_warm_up,omitempty"`
	Notes       []string                 `json:"notes,omitempty"`
	Interrupted bool                     `json:"interrupted,omitempty"`
}

type statBin struct {
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
	N  uint64  `json:"n"`
}

type statDamage struct {
	Line   uint64 `json:"line"`
	Text   string `json:"text"`
	Reason string `json:"reason"`
}

func (r *summary) object(interrupted bool) statObject {
	m := r.moments
	o := statObject{
		Schema: schema, N: m.N, Unit: r.of.Unit, Mean: m.Mean, StdDev: known(m.StdDev), Lag1: known(m.Lag1),
		Skewness: known(m.Skewness), Kurtosis: known(m.ExcessOfKurtosis), Min: m.Min, Max: m.Max,
		Quantiles: map[string]float64{}, Ranked: r.of.Ranked(), Bounds: map[string]stat.Interval{}, NoBounds: map[string]string{},
		Lines: r.of.Lines, Damaged: r.of.Damaged, Empty: r.of.Empty, Dropped: r.dropped, Notes: r.notes, Interrupted: interrupted,
	}
	if r.interval.Level > 0 {
		o.Interval = &r.interval
	} else {
		o.NoInterval = reason(r.interval)
	}
	for _, q := range r.quantiles {
		key := strconv.FormatFloat(q.Q, 'f', -1, 64)
		o.Quantiles[key] = q.Value
		if q.Interval.Level > 0 {
			o.Bounds[key] = q.Interval
		} else {
			o.NoBounds[key] = reason(q.Interval)
		}
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
