// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package bench

import (
	"syscall"
	"time"
)

// processTime returns the processor time that all threads of this process have used. ok is false if it is unknown.
func processTime() (used time.Duration, ok bool) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
