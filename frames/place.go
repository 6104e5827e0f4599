// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"cmp"
	"iter"
	"math"

	"github.com/strobe-go/strobe/stat"
)

// extent is the range and the number of the values of a series.
type extent struct {
	n           int
	sum         float64
	least, most float64
}

func extentOf(x iter.Seq[float64]) extent {
	e := extent{least: math.Inf(1), most: math.Inf(-1)}
	var sum compensated
	for v := range x {
		e.n++
		sum.add(v)
		e.least, e.most = min(e.least, v), max(e.most, v)
	}
	e.sum = sum.total()
	return e
}

func (e extent) mean() float64 { return e.sum / float64(e.n) }

// place sets the interval of a figure from the interval of the mean of values. A side that extends beyond all of them is left
// open: the mean of few independent values says nothing there.
func (a *analysis) place(m *Metric, iv stat.Interval, values extent, back func(float64) float64) {
	if !iv.Bounded() {
		m.Interval = stat.Point(m.Value, max(1, iv.N), iv.Method, cmp.Or(iv.Reason, "too few frames"))
		return
	}
	openBelow, openAbove := iv.Lo < values.least-1e-9, iv.Hi > values.most+1e-9 // values are rounded to 1e-9
	if back != nil {
		iv.Lo, iv.Hi = back(iv.Hi), back(iv.Lo)
		openBelow, openAbove = openAbove, openBelow
	}
	iv.Center = m.Value
	iv.Lo, iv.Hi = min(iv.Lo, m.Value), max(iv.Hi, m.Value) // 32-bit figures may differ by their rounding
	level := (1 + iv.Level) / 2
	few := "the level keeps changing over the whole capture, so its frames count as few independent ones: "
	if iv.N < 100 {
		few = "too few frames: "
	}
	switch {
	case openBelow && openAbove:
		iv.Lo, iv.Hi, iv.Level, iv.Reason = math.Inf(-1), math.Inf(1), 0, few+"one run does not bound it"
	case openBelow:
		iv.Lo, iv.Level, iv.Reason = math.Inf(-1), level, few+"one run bounds it on one side only"
	case openAbove:
		iv.Hi, iv.Level, iv.Reason = math.Inf(1), level, few+"one run bounds it on one side only"
	}
	m.Interval = iv
}

// atMost and atLeast report whether an interval has an upper bound only, or a lower one.
func atMost(iv stat.Interval) bool {
	return iv.Level > 0 && math.IsInf(iv.Lo, -1) && !math.IsInf(iv.Hi, 1)
}
func atLeast(iv stat.Interval) bool {
	return iv.Level > 0 && math.IsInf(iv.Hi, 1) && !math.IsInf(iv.Lo, -1)
}

// none sets the reason why a figure of so many frames has no interval.
func (m *Metric) none(frames int, reason string) {
	m.Interval = stat.Point(m.Value, uint64(frames), "", reason)
}
