// SPDX-License-Identifier: BSD-3-Clause

//go:build darwin || freebsd || (linux && !386 && !arm && !mips && !mipsle)

package clock

import "golang.org/x/sys/unix"

// kernelTime reads a clock by a system call.
func kernelTime(id int32) (int64, error) {
	var ts unix.Timespec
	err := unix.ClockGettime(id, &ts)
	return ts.Nano(), err
}
