// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux

package clock

import "runtime"

// kernelTrusts: macOS on arm64 keeps its own time by this counter. Windows does not tell; the invariant bit and the
// watchdog must do.
func kernelTrusts() (ok bool, reason string) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" && runtime.GOARCH == "arm64" {
		return true, ""
	}
	return false, "this operating system does not say whether the counter is reliable"
}
