// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux && !windows

package goroutine

// threadID returns 0: this system's threads have no number that can be had without cgo.
func threadID() int { return 0 }
