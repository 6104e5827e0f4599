// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package peers

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time this process has used.
func cpuTime() (time.Duration, bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
