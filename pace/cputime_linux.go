// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const processTimeStep = time.Nanosecond

// processTime returns the processor time that all threads of this process have used. As with a timerfd, the runtime is not
// told of the system call.
func processTime() (time.Duration, error) {
	var ts unix.Timespec
	_, _, errno := unix.RawSyscall(unix.SYS_CLOCK_GETTIME, unix.CLOCK_PROCESS_CPUTIME_ID, uintptr(unsafe.Pointer(&ts)), 0)
	if errno != 0 {
		return 0, os.NewSyscallError("clock_gettime", errno)
	}
	return time.Duration(ts.Nano()), nil
}
