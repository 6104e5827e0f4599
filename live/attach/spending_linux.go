// SPDX-License-Identifier: BSD-3-Clause

package attach

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// spending returns a function that returns the processor time that the goroutine has used since, and must be called once.
func spending() func() time.Duration {
	runtime.LockOSThread()
	begin := thread()
	return func() time.Duration {
		defer runtime.UnlockOSThread()
		return thread() - begin
	}
}

func thread() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
