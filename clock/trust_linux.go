// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"strings"

	"golang.org/x/sys/unix"
)

const clocksourceFile = "/sys/devices/system/clocksource/clocksource0/current_clocksource"

// kernelTrusts asks the kernel for its verdict on the counter, which it has watched on all processors since it started.
func kernelTrusts() (ok bool, reason string) {
	return judgeSource(clocksourceFile, hypervisorStable)
}

// judgeSource judges the clock source that the kernel names in a file.
func judgeSource(file string, stable func() bool) (ok bool, reason string) {
	fd, err := unix.Open(file, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	var b [64]byte
	n := 0
	if err == nil {
		n, err = unix.Read(fd, b[:])
		unix.Close(fd)
	}
	if err != nil {
		return false, "cannot read which clock source the kernel uses: " + file + ": " + err.Error()
	}
	switch name := strings.TrimSpace(string(b[:n])); name {
	case "tsc", "arch_sys_counter":
		return true, ""
	case "kvm-clock", "hyperv_clocksource_tsc_page":
		if stable() {
			return true, ""
		}
		return false, "the kernel uses " + name + " and the hypervisor does not promise a stable counter"
	default:
		return false, "the kernel uses clock source " + name + ", not the counter"
	}
}
