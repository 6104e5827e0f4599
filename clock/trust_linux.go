// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"os"
	"strings"
)

const clocksourceFile = "/sys/devices/system/clocksource/clocksource0/current_clocksource"

// kernelTrusts asks the kernel for its verdict on the counter: it watches it from boot on, across all cores.
func kernelTrusts() (ok bool, reason string) {
	b, err := os.ReadFile(clocksourceFile)
	if err != nil {
		return false, "cannot read which clock source the kernel uses: " + err.Error()
	}
	switch name := strings.TrimSpace(string(b)); name {
	case "tsc", "arch_sys_counter":
		return true, ""
	case "kvm-clock", "hyperv_clocksource_tsc_page":
		if hypervisorVouches() {
			return true, ""
		}
		return false, "the kernel uses " + name + " and the hypervisor does not promise a stable counter"
	default:
		return false, "the kernel uses clock source " + name + ", so it distrusts the counter"
	}
}
