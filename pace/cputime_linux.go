// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"time"

	"golang.org/x/sys/unix"
)

// processTime returns the processor time that all threads of this process have used.
func processTime() (time.Duration, bool) {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &ts) != nil {
		return 0, false
	}
	return time.Duration(ts.Nano()), true
}
