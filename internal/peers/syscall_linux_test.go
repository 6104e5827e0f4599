// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// benchmarkSyscall reads the clock by a system call, without the vDSO that time.Now goes through.
func benchmarkSyscall(b *testing.B) {
	var ts unix.Timespec
	for b.Loop() {
		_, _, errno := syscall.RawSyscall(unix.SYS_CLOCK_GETTIME, unix.CLOCK_MONOTONIC, uintptr(unsafe.Pointer(&ts)), 0)
		if errno != 0 {
			b.Fatal(errno)
		}
	}
}
