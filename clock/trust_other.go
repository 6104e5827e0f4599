// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux && !windows && !(darwin && arm64)

package clock

func kernelTrusts() (ok bool, reason string) {
	return false, "this operating system does not say whether the counter is reliable"
}
