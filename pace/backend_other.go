// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux && !darwin && !windows

package pace

import "runtime"

func yielding() backend { return slept() }

func locked(realtime bool) backend {
	runtime.LockOSThread()
	b := slept()
	b.sleeper = unlocking{b.sleeper}
	if realtime {
		b.reason = "real-time scheduling is not available on " + runtime.GOOS + " from this package"
	}
	return b
}
