// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const processTimeStep = time.Nanosecond

// processTime returns the processor time that all threads of this process have used. As with a timerfd, the runtime is not
// told of the system call.
func processTime() (time.Duration, bool) {
	var ts unix.Timespec
	_, _, errno := unix.RawSyscall(unix.SYS_CLOCK_GETTIME, unix.CLOCK_PROCESS_CPUTIME_ID, uintptr(unsafe.Pointer(&ts)), 0)
	return time.Duration(ts.Nano()), errno == 0
}
