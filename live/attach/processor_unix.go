// SPDX-License-Identifier: BSD-3-Clause

//go:build unix && !aix

package attach

import (
	"time"

	"golang.org/x/sys/unix"
)

// processor returns the processor time that the process has used; 0 if it is unknown.
func processor() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
