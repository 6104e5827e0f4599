// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"time"

	"github.com/strobe-go/strobe/internal/pressure"
)

// late is how long after a unit the process may learn that it was continued.
const late = 250_000_000 // ns

// continued reports whether the process was stopped during i, or the machine was suspended.
func (w *Window) continued(i Interval) bool {
	before, after := -1, -1
	for k := range w.Readings {
		if w.Readings[k].At <= i.From {
			before = k
		}
		if w.Readings[k].At <= i.To+late {
			after = k
		}
	}
	if before < 0 || after <= before {
		return false
	}
	d := w.Readings[after].Since(&w.Readings[before].Reading)
	signals, _ := d.Value(pressure.Continued)
	suspended, _ := d.Value(pressure.Suspended)
	return signals > 0 || suspended > 0
}

// throttled reports whether the control group's quota explains that the process was displaced for so long.
func throttled(d pressure.Delta, displaced time.Duration) bool {
	times, ok := d.Value(pressure.Throttlings)
	spent, known := d.Value(pressure.Throttled)
	return ok && times > 0 && known && time.Duration(spent) >= displaced/2
}
