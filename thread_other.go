// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off && !linux && !windows

package strobe

// threadID returns 0: this system's threads have no number that can be had without cgo.
func threadID() int { return 0 }
