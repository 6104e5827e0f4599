// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"time"

	"github.com/strobe-go/strobe/internal/pressure"
)

// continued reports whether the process was stopped, or the machine suspended.
func continued(d pressure.Delta) bool {
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
