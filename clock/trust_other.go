// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux && !windows && !(darwin && arm64)

package clock

func kernelTrusts() (ok bool, reason string) {
	return false, "on this operating system nothing tells whether the counter can be trusted"
}
