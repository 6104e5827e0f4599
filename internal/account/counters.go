// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"time"

	"github.com/strobe-go/strobe/internal/pressure"
)

// A growth is how much the counters grew between two readings.
type growth struct {
	Interval
	before, after Counters
}

// between returns the growth over the shortest time between readings that includes i, or over one that ends so much later. ok is false
// if there are no such readings.
func (w *Window) between(i Interval, later Time) (g growth, ok bool) {
	before, after := -1, -1
	for k := range w.Readings {
		at := w.Readings[k].At
		if at+Time(w.Readings[k].Took) <= i.From {
			before = k
		}
		if at >= i.To && (after < 0 || at <= i.To+later) {
			after = k
		}
	}
	if before < 0 || after <= before {
		return g, false
	}
	a, b := &w.Readings[before], &w.Readings[after]
	return growth{Interval{a.At, b.At}, a.Counters, b.Counters}, true
}

// of returns how much a counter grew.
func (g growth) of(c pressure.Counter) (v int64, ok bool) {
	a, ok1 := g.before.Value(c)
	b, ok2 := g.after.Value(c)
	return max(0, b-a), ok1 && ok2
}

// A few pauses shortly before or after a unit are more likely to have been in it, since it was slow; of many, or of those in a time
// much longer than the unit, each part of that time has its share.
const (
	scattered = 8
	apart     = 500 * time.Millisecond
)

// within returns how much of what was spent in so many pieces between two readings was in a unit that is between them.
func (g growth) within(took time.Duration, pieces int64, spent time.Duration) time.Duration {
	if all := time.Duration(g.To - g.From); pieces > scattered || all > took+apart {
		return time.Duration(float64(spent) * float64(took) / float64(all))
	}
	return spent
}

// late is how long after a unit the process may learn that it was continued.
const late = 250_000_000 // ns

// continued reports whether the process was stopped during i, or the machine was suspended.
func (w *Window) continued(i Interval) bool {
	g, ok := w.between(i, late)
	if !ok {
		return false
	}
	signals, _ := g.of(pressure.Continued)
	suspended, _ := g.of(pressure.Suspended)
	return signals > 0 || suspended > 0
}

// page is what reading a page from a disk takes at most, if the disk is slow or busy.
const page = 25 * time.Millisecond

// paged returns what reading pages of memory from a disk took at most, around i, and for how long the control group waited for memory.
func (w *Window) paged(i Interval) (read, stalled time.Duration) {
	if !w.short {
		return 0, 0
	}
	if g, ok := w.between(i, 0); ok {
		return g.paged()
	}
	return 0, 0
}

func (g growth) paged() (read, stalled time.Duration) {
	pages, _ := g.of(pressure.MajorFaults)
	took, _ := g.of(pressure.Stalled)
	return time.Duration(pages) * page, time.Duration(took)
}

// throttled reports whether the control group's quota explains that the process was displaced for so long.
func throttled(g growth, displaced time.Duration) bool {
	times, ok := g.of(pressure.Throttlings)
	spent, known := g.of(pressure.Throttled)
	return ok && times > 0 && known && time.Duration(spent) >= displaced/2
}
