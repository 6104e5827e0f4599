// SPDX-License-Identifier: BSD-3-Clause

//go:build linux && (386 || arm || mips || mipsle)

package clock

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// kernelTime reads a clock by a system call: the one with 64-bit seconds, because a kernel may be built without the old one,
// or the old one, because kernels before Linux 5.1 have no other and sandboxes may not know the new one.
func kernelTime(id int32) (int64, error) {
	var ts64 struct{ sec, nsec int64 }
	if _, _, e := unix.Syscall(unix.SYS_CLOCK_GETTIME64, uintptr(id), uintptr(unsafe.Pointer(&ts64)), 0); e == 0 {
		return ts64.sec*1e9 + ts64.nsec, nil
	}
	var ts unix.Timespec
	err := unix.ClockGettime(id, &ts)
	return ts.Nano(), err
}
