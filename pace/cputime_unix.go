// SPDX-License-Identifier: BSD-3-Clause

//go:build unix && !linux

package pace

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

const processTimeStep = time.Microsecond

// processTime returns the processor time that all threads of this process have used.
func processTime() (time.Duration, error) {
	var ru unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &ru); err != nil {
		return 0, os.NewSyscallError("getrusage", err)
	}
	return time.Duration(ru.Utime.Nano() + ru.Stime.Nano()), nil
}
