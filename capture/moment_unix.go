// SPDX-License-Identifier: BSD-3-Clause

//go:build linux || darwin || freebsd

package capture

import (
	"fmt"
	"math"

	"github.com/strobe-go/strobe/clock"
	"golang.org/x/sys/unix"
)

// moment returns the instant and the runtime's monotonic time of one moment: of the closest of three pairs. The error says why it is
// not known.
func moment() (at clock.Instant, mono int64, err error) {
	best := clock.Instant(math.MaxInt64)
	for range 3 {
		var ts unix.Timespec
		before := clock.NowOrdered()
		refused := unix.ClockGettime(runtimeClock, &ts)
		after := clock.NowOrdered()
		if refused != nil {
			err = fmt.Errorf("its clock is unknown: clock_gettime is refused (%w); allow it", refused)
		} else if d := after - before; d < best {
			best, at, mono = d, before+d/2, ts.Nano()
		}
	}
	if best < math.MaxInt64 {
		return at, mono, nil
	}
	return clock.NowOrdered(), 0, err
}
