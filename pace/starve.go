// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"runtime"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// usage is what the process had used of its processors when a wait began.
type usage struct {
	known bool
	at    clock.Instant
	used  time.Duration
}

// processorTime takes the usage before a wait of d. Short waits are left out: it costs 0.5 µs.
func (l *Limiter) processorTime(d time.Duration) usage {
	if d < twoSteps {
		return usage{}
	}
	used, ok := processTime()
	return usage{known: ok, at: l.waiter.now(), used: used}
}

// starved reports whether the process itself kept its processors busy since u was taken: three quarters of GOMAXPROCS.
// A wait that is late then was late for want of a processor, not because the system was slow to wake it.
func (u usage) starved(now func() clock.Instant) bool {
	used, ok := processTime()
	if !ok || !u.known {
		return false
	}
	span := float64(now().Sub(u.at)) * float64(runtime.GOMAXPROCS(0))
	return float64(used-u.used) >= 0.75*span
}
