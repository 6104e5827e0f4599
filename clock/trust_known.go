// SPDX-License-Identifier: BSD-3-Clause

//go:build windows || (darwin && arm64)

package clock

// kernelTrusts: macOS on arm64 keeps its own time by this counter. Windows does not tell; the invariant bit and the
// watchdog must do.
func kernelTrusts() (ok bool, reason string) { return true, "" }
