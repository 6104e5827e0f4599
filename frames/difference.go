// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"math"

	"github.com/strobe-go/strobe/stat"
)

// difference returns the difference of two figures, and the probability of one
// at least as large if there were none; 1 where that cannot be said.
func difference(x, y Metric, level float64) (d Difference, chance float64) {
	d = Difference{Key: x.Key, Name: x.Name, Unit: x.Unit, Base: x.Value, Other: y.Value, Value: y.Value - x.Value}
	belowX, aboveX := x.errors(level)
	belowY, aboveY := y.errors(level)
	below, above := math.Hypot(belowY, aboveX), math.Hypot(aboveY, belowX)
	facing := below // the side of 0
	if d.Value < 0 {
		facing = above
	}
	if !math.IsInf(below, 1) && !math.IsInf(above, 1) {
		a, b := x.Interval, y.Interval
		reach := math.Sqrt2 * math.Erfinv(level)
		d.Interval = stat.Interval{Center: d.Value, Lo: d.Value - reach*below, Hi: d.Value + reach*above, Level: level, N: a.N + b.N, NEff: a.NEff + b.NEff,
			Method: "square-and-add of both intervals (" + a.Method + "; " + b.Method + ")"}
		for _, w := range a.Warnings {
			d.Interval.Warnings = append(d.Interval.Warnings, "base "+w)
		}
		for _, w := range b.Warnings {
			d.Interval.Warnings = append(d.Interval.Warnings, "other "+w)
		}
		if facing == 0 {
			return d, 0
		}
		return d, math.Erfc(math.Abs(d.Value) / facing / math.Sqrt2)
	}
	if d.NoInterval = x.NoInterval; d.NoInterval == "" {
		d.NoInterval = y.NoInterval
	}
	const method = "square-and-add of a bound and an interval"
	reach := math.Sqrt2 * math.Erfinv(2*level-1)
	switch {
	case !math.IsInf(below, 1):
		d.AtLeast = Bound{Value: d.Value - reach*below, Level: level, Method: method}
		return d, math.Erfc(d.Value/below/math.Sqrt2) / 2
	case !math.IsInf(above, 1):
		d.AtMost = Bound{Value: d.Value + reach*above, Level: level, Method: method}
		return d, math.Erfc(-d.Value/above/math.Sqrt2) / 2
	}
	return d, 1
}

// errors returns the standard errors that the distances to the bounds of a figure
// make, infinite where it has no bound. At the given level they reach to the figures
// of all scenes.
func (m *Metric) errors(level float64) (below, above float64) {
	below, above = math.Inf(1), math.Inf(1)
	if iv := m.Interval; iv.Level > 0 {
		reach := math.Sqrt2 * math.Erfinv(iv.Level)
		below, above = (m.Value-iv.Lo)/reach, (iv.Hi-m.Value)/reach
	}
	if b := m.AtMost; b.Level > 0 {
		above = (b.Value - m.Value) / (math.Sqrt2 * math.Erfinv(2*b.Level-1))
	}
	if b := m.AtLeast; b.Level > 0 {
		below = (m.Value - b.Value) / (math.Sqrt2 * math.Erfinv(2*b.Level-1))
	}
	reach := math.Sqrt2 * math.Erfinv(level)
	for _, v := range m.Scenes {
		below, above = max(below, (m.Value-v)/reach), max(above, (v-m.Value)/reach)
	}
	return below, above
}
