// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package strobeebiten

import (
	"syscall"
	"time"
)

// processorTime returns the processor time of this process.
func processorTime() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
