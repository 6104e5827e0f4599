// SPDX-License-Identifier: BSD-3-Clause

//go:build linux || darwin || freebsd

package capture

import (
	"fmt"
	"math"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/gotrace"
	"golang.org/x/sys/unix"
)

// readMoment reads both clocks: the closest of three pairs. The error says why that of traces is not known.
func readMoment() (m moment, err error) {
	best := clock.Instant(math.MaxInt64)
	for range 3 {
		var ts unix.Timespec
		before := clock.NowOrdered()
		refused := unix.ClockGettime(runtimeClock, &ts)
		after := clock.NowOrdered()
		if refused != nil {
			err = fmt.Errorf("its clock is unknown: clock_gettime is refused (%w); allow it", refused)
		} else if d := after - before; d < best {
			best, m.at, m.trace = d, before+d/2, gotrace.Time(ts.Nano())
		}
	}
	if best < math.MaxInt64 {
		return m, nil
	}
	return moment{at: clock.NowOrdered()}, err
}
