// SPDX-License-Identifier: BSD-3-Clause

//go:build unix && !linux

package pace

import (
	"time"

	"golang.org/x/sys/unix"
)

const processTimeStep = time.Microsecond

// processTime returns the processor time that all threads of this process have used.
func processTime() (time.Duration, bool) {
	var ru unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &ru) != nil {
		return 0, false
	}
	return time.Duration(ru.Utime.Nano() + ru.Stime.Nano()), true
}
