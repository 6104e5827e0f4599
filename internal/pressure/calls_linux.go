// SPDX-License-Identifier: BSD-3-Clause

package pressure

import (
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// These calls take a microsecond and never wait, so they do not tell the scheduler: with the runtime's trace on, telling it would cost
// as much as the call. The results are in memory that the callers keep.

func askUsage(who int, to *unix.Rusage) (ok bool) {
	_, _, e := syscall.RawSyscall(unix.SYS_GETRUSAGE, uintptr(who), uintptr(unsafe.Pointer(to)), 0)
	return e == 0
}

// askClock returns the time of a clock in nanoseconds.
func askClock(which int, to *unix.Timespec) (t int64, ok bool) {
	_, _, e := syscall.RawSyscall(unix.SYS_CLOCK_GETTIME, uintptr(which), uintptr(unsafe.Pointer(to)), 0)
	return to.Nano(), e == 0
}

// pread reads the beginning of a file of the kernel's.
func pread(f *os.File, to []byte) (n int, ok bool) {
	r, _, e := syscall.RawSyscall6(unix.SYS_PREAD64, f.Fd(), uintptr(unsafe.Pointer(&to[0])), uintptr(len(to)), 0, 0, 0)
	return int(r), e == 0
}
