// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"cmp"
	"math"
	"slices"

	"github.com/strobe-go/strobe/stat"
)

// A contrast compares a figure of two captures. The standard errors below and above their difference are infinite on a side
// without a bound.
type contrast struct {
	x, y         Metric
	below, above float64
}

// contrastOf compares two figures. The bounds at the given level include the figures of all scenes.
//
// A figure outside the range of those of its scenes, such as the standard deviation if their levels differ, depends on how the
// scenes are mixed. Another capture may mix them differently, so nothing bounds the difference.
func contrastOf(x, y Metric, level float64) contrast {
	if x.mixed() || y.mixed() {
		return contrast{x, y, math.Inf(1), math.Inf(1)}
	}
	belowX, aboveX := x.errors(level)
	belowY, aboveY := y.errors(level)
	return contrast{x, y, math.Hypot(belowY, aboveX), math.Hypot(aboveY, belowX)}
}

// chance returns the p-value of the difference; 1 if it is unknown.
func (c contrast) chance() float64 {
	value := c.y.Value - c.x.Value
	switch {
	case math.IsInf(c.below, 1) && math.IsInf(c.above, 1):
		return 1
	case math.IsInf(c.above, 1):
		return math.Erfc(value/c.below/math.Sqrt2) / 2
	case math.IsInf(c.below, 1):
		return math.Erfc(-value/c.above/math.Sqrt2) / 2
	}
	facing := c.below // the side towards 0
	if value < 0 {
		facing = c.above
	}
	if facing == 0 {
		return 0
	}
	return math.Erfc(math.Abs(value) / facing / math.Sqrt2)
}

// difference returns the difference with its interval, or its bound, at a level.
func (c contrast) difference(level float64) Difference {
	x, y := c.x, c.y
	d := Difference{Key: x.Key, Name: x.Name, Unit: x.Unit, Base: x.Value, Other: y.Value, Value: y.Value - x.Value}
	a, b := x.Interval, y.Interval
	if !math.IsInf(c.below, 1) && !math.IsInf(c.above, 1) {
		reach := math.Sqrt2 * math.Erfinv(level)
		d.Interval = stat.Interval{Center: d.Value, Lo: d.Value - reach*c.below, Hi: d.Value + reach*c.above, Level: level, N: a.N + b.N, NEff: a.NEff + b.NEff,
			Method: "square-and-add of both intervals (" + a.Method + "; " + b.Method + ")"}
		for _, w := range a.Warnings {
			d.Interval.Warnings = append(d.Interval.Warnings, "base "+w)
		}
		for _, w := range b.Warnings {
			d.Interval.Warnings = append(d.Interval.Warnings, "other "+w)
		}
		return d
	}
	mixed := "it depends on how the scenes of a capture are mixed, which may differ from run to run"
	d.Interval = stat.Point(d.Value, max(1, a.N+b.N), "square-and-add of a bound and an interval", cmp.Or(a.Reason, b.Reason, mixed))
	reach := math.Sqrt2 * math.Erfinv(2*level-1)
	switch {
	case !math.IsInf(c.below, 1):
		d.Interval.Lo, d.Interval.Level = d.Value-reach*c.below, level
	case !math.IsInf(c.above, 1):
		d.Interval.Hi, d.Interval.Level = d.Value+reach*c.above, level
	}
	return d
}

// errors returns the distances to the bounds of a figure as standard errors, infinite on a side without a bound. They are large
// enough for the bounds at the given level to include the figures of all scenes.
func (m *Metric) errors(level float64) (below, above float64) {
	below, above = math.Inf(1), math.Inf(1)
	switch iv := m.Interval; {
	case iv.Bounded():
		reach := math.Sqrt2 * math.Erfinv(iv.Level)
		below, above = (m.Value-iv.Lo)/reach, (iv.Hi-m.Value)/reach
	case atMost(iv):
		above = (iv.Hi - m.Value) / (math.Sqrt2 * math.Erfinv(2*iv.Level-1))
	case atLeast(iv):
		below = (m.Value - iv.Lo) / (math.Sqrt2 * math.Erfinv(2*iv.Level-1))
	}
	reach := math.Sqrt2 * math.Erfinv(level)
	for _, v := range m.Scenes {
		below, above = max(below, (m.Value-v)/reach), max(above, (v-m.Value)/reach)
	}
	return below, above
}

// mixed reports whether the figure of a capture with several scenes lies outside the range of their figures.
func (m *Metric) mixed() bool {
	return len(m.Scenes) > 0 && (m.Value < slices.Min(m.Scenes) || m.Value > slices.Max(m.Scenes))
}
