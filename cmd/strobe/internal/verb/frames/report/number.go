// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/strobe-go/strobe/frames"
	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/stat"
)

// A scale is how figures of a unit are shown.
type scale struct {
	per      float64 // factor by which figures are multiplied
	unit     string
	decimals int     // decimals of a figure with unknown uncertainty
	least    float64 // smallest uncertainty: captures have no more digits
}

func scaleOf(u frames.Unit) scale {
	switch u {
	case frames.FPS:
		return scale{1, "fps", 2, 0.04}
	case frames.Milliseconds:
		return scale{1, "ms", 4, 0.0004}
	case frames.Share:
		return scale{100, "%", 2, 0.004}
	}
	return scale{1, "", 4, 0.0004}
}

// reach returns the uncertainty that determines the digits of a figure: half the width of its interval, or the distance of its
// only bound. ok is false if none is known.
func (s scale) reach(value float64, iv stat.Interval) (reach float64, ok bool) {
	lower, upper := sides(iv)
	switch {
	case lower && upper:
		reach = iv.Half()
	case upper:
		reach = iv.Hi - value
	case lower:
		reach = value - iv.Lo
	default:
		return 0, false
	}
	return max(s.per*reach, s.least), true
}

// sides reports which bounds of an interval are known.
func sides(iv stat.Interval) (lower, upper bool) {
	return iv.Level > 0 && !math.IsInf(iv.Lo, -1), iv.Level > 0 && !math.IsInf(iv.Hi, 1)
}

// Value formats a figure with its unit, with the digits that its interval supports or, without an interval, those of the preset's
// tool.
func Value(m frames.Metric) string {
	s := scaleOf(m.Unit)
	if reach, ok := s.reach(m.Value, m.Interval); ok {
		return units.Rounded(s.per*m.Value, reach, s.unit)
	}
	if m.Unit == frames.FPS || m.Unit == frames.Milliseconds {
		return m.Text + " " + s.unit
	}
	return m.Text
}

// GroupValue writes a figure of a group with its unit.
func GroupValue(f frames.GroupFigure) string {
	s := scaleOf(f.Unit)
	if reach, ok := s.reach(f.Value, f.Interval); ok {
		return units.Rounded(s.per*f.Value, reach, s.unit)
	}
	return Figure(f.Unit, f.Value)
}

// Figure formats a value of unknown uncertainty with its unit.
func Figure(unit frames.Unit, v float64) string {
	s := scaleOf(unit)
	return strings.TrimSpace(fmt.Sprintf("%.*f %s", s.decimals, s.per*v, s.unit))
}

// Change writes a difference with its sign and unit.
func Change(d frames.Difference) string {
	s := scaleOf(d.Unit)
	if reach, ok := s.reach(d.Value, d.Interval); ok {
		return units.RoundedChange(s.per*d.Value, reach, s.unit)
	}
	text := units.Approx(s.per*d.Value, s.unit)
	if d.Value > 0 {
		text = "+" + text
	}
	return text
}

// Bounds formats an interval as "[12.1, 12.9]", shares in percent; "" if there is none.
func Bounds(unit frames.Unit, iv stat.Interval) string { return bounds(unit, iv, units.Bounds) }

func bounds(unit frames.Unit, iv stat.Interval, write func(lo, hi float64, unit string) string) string {
	if !iv.Bounded() {
		return ""
	}
	s := scaleOf(unit)
	lo, hi := s.per*iv.Lo, s.per*iv.Hi
	if unit != frames.Share {
		s.unit = ""
	}
	if hi-lo < 2*s.least {
		return strings.TrimSpace("[" + units.Rounded(lo, s.least, "") + ", " + units.Rounded(hi, s.least, "") + "] " + s.unit)
	}
	return write(lo, hi, s.unit)
}

// Bound formats the only bound of a value as "at most 79.5 fps", with the given words; "" if there are two bounds or none.
func Bound(most, least string, unit frames.Unit, value float64, iv stat.Interval) string {
	s := scaleOf(unit)
	write := func(side string, b float64) string {
		return side + " " + units.Rounded(s.per*b, max(s.least, s.per*max(b-value, value-b)), s.unit)
	}
	switch lower, upper := sides(iv); {
	case upper && !lower:
		return write(most, iv.Hi)
	case lower && !upper:
		return write(least, iv.Lo)
	}
	return ""
}

// MetricBounds writes the interval of a figure, or its bound.
func MetricBounds(m frames.Metric) string {
	return Bounds(m.Unit, m.Interval) + Bound("at most", "at least", m.Unit, m.Value, m.Interval)
}

// DifferenceBounds writes the interval of a difference, or its bound.
func DifferenceBounds(d frames.Difference) string {
	return bounds(d.Unit, d.Interval, units.ChangeBounds) + Bound("at most", "at least", d.Unit, d.Value, d.Interval)
}
