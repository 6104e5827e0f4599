// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"fmt"

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

// Compare puts every other capture beside base, by the same definitions. The
// intervals of the differences come from a stationary bootstrap of both
// captures. They hold for these two runs: what differs from run to run, such
// as temperature, is in no single capture.
//
// Errors are those of Analyze. Safe for concurrent use.
func Compare(o Options, base Capture, others ...Capture) ([]Comparison, error) {
	a, baseReport, err := analyze(base, o, 0)
	if err != nil {
		return nil, err
	}
	var out []Comparison
	for i, c := range others {
		b, report, err := analyze(c, o, uint64(i)+1)
		if err != nil {
			return nil, err
		}
		out = append(out, compare(a, b, baseReport, report))
	}
	return out, nil
}

func compare(a, b *analysis, base, other Report) Comparison {
	cmp := Comparison{Base: base, Other: other}
	for i, d := range a.defs {
		reason := d.fixed
		if x, _ := base.Metric(d.key); reason == "" && d.unit == share && (x.Value == 0 || x.Value == 1) {
			if y, _ := other.Metric(d.key); y.Value == x.Value {
				reason = "all frames of both captures agree, so that resamples do not differ"
			}
		}
		cmp.add(d.key, reason, a, b, resampled{a.replicates[i], a.resampler.block}, resampled{b.replicates[i], b.resampler.block})
	}
	if len(a.errors) > 0 && len(b.errors) > 0 {
		cmp.add("animation_error_ms", "", a, b, a.errorMeans(0), b.errorMeans(1))
	}
	if base.NotStationary || other.NotStationary {
		cmp.Warnings = append(cmp.Warnings, "not stationary: a capture drifts within itself; a difference may be drift. Capture each several times, in turns")
	}
	if base.Column != other.Column {
		cmp.Warnings = append(cmp.Warnings, fmt.Sprintf("the captures measure different things: %s and %s", base.Column, other.Column))
	}
	return cmp
}

// resampled is one figure over all resamples of one capture.
type resampled struct {
	values []float64
	block  float64 // mean block length of the resamples
}

// errorMeans resamples the animation errors, which are a series of their own.
func (a *analysis) errorMeans(stream uint64) resampled {
	r := newResampler(a.errors, nil)
	return resampled{r.replicates([]definition{{value: extreme((*sample).mean)}}, a.o, stream)[0], r.block}
}

// add compares one figure, unless a capture has it not. A reason says why
// there can be no interval.
func (cmp *Comparison) add(key, reason string, a, b *analysis, ra, rb resampled) {
	x, ok := cmp.Base.Metric(key)
	y, ok2 := cmp.Other.Metric(key)
	if !ok || !ok2 {
		return
	}
	d := Difference{Key: key, Name: x.Name, Unit: x.Unit, Base: x.Value, Other: y.Value, Value: y.Value - x.Value, NoInterval: reason}
	times := min(len(ra.values), len(rb.values))
	switch {
	case reason != "":
	case times == 0:
		d.NoInterval = "no resamples of both captures"
	case x.Rests > 0 && x.Interval.Lo == 0, y.Rests > 0 && y.Interval.Lo == 0:
		d.NoInterval = "it rests on too few frames to be told apart"
	}
	if d.NoInterval == "" {
		deltas := make([]float64, times)
		for i := range deltas {
			deltas[i] = rb.values[i] - ra.values[i]
		}
		iv := stat.Interval{Center: d.Value, Level: a.o.Level, N: uint64(len(a.frames) + len(b.frames)), NEff: a.nEff + b.nEff}
		iv.Lo, iv.Hi = percentiles(deltas, a.o.Level, d.Value)
		iv.Method = fmt.Sprintf("stationary bootstrap of both, %d resamples, mean blocks of %.3g and %.3g frames, seed %d", times, ra.block, rb.block, a.o.Seed)
		d.Interval, d.Clear = iv, iv.Lo > 0 || iv.Hi < 0
	}
	cmp.Differences = append(cmp.Differences, d)
}
