// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"runtime"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// usage is the processor time that the process had used when a wait began.
type usage struct {
	known bool
	err   error // why it is not
	at    clock.Instant
	used  time.Duration
}

// processorTime returns the usage at now.
func processorTime(now clock.Instant) usage {
	used, err := processTime()
	return usage{known: err == nil, err: err, at: now, used: used}
}

// starved reports whether the process itself kept three quarters of GOMAXPROCS busy from u to now. A wait that ended late
// then lacked a processor; the system was not slow to wake it.
func (u usage) starved(now clock.Instant) bool {
	used, err := processTime()
	if err != nil || !u.known {
		return false
	}
	span := float64(now.Sub(u.at)) * float64(runtime.GOMAXPROCS(0))
	return float64(used-u.used) >= 0.75*span
}
