// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"syscall"
	"time"
)

// processTime returns the processor time that all threads of this process have used, in steps of a tick of the system's clock. ok
// is false if it is unknown.
func processTime() (used time.Duration, ok bool) {
	self, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0, false
	}
	var created, exited, kernel, user syscall.Filetime
	if syscall.GetProcessTimes(self, &created, &exited, &kernel, &user) != nil {
		return 0, false
	}
	span := func(t syscall.Filetime) time.Duration { // Filetime.Nanoseconds would treat it as a date
		return time.Duration(uint64(t.HighDateTime)<<32|uint64(t.LowDateTime)) * 100
	}
	return span(kernel) + span(user), true
}
