// SPDX-License-Identifier: BSD-3-Clause

//go:build linux || darwin || freebsd

package capture

import (
	"github.com/strobe-go/strobe/clock"
	"golang.org/x/sys/unix"
)

// moment returns the instant and the runtime's monotonic time of one moment: of the closest of three pairs. ok is false if the
// system does not tell.
func moment() (at clock.Instant, mono int64, ok bool) {
	var best clock.Instant
	for range 3 {
		var ts unix.Timespec
		before := clock.NowOrdered()
		err := unix.ClockGettime(runtimeClock, &ts)
		after := clock.NowOrdered()
		if d := after - before; err == nil && (!ok || d < best) {
			best, at, mono, ok = d, before+d/2, ts.Nano(), true
		}
	}
	return at, mono, ok
}
