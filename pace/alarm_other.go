// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux && !darwin && !windows

package pace

import "runtime"

func openAlarm() (a alarm, name, reason string) { return newTimerAlarm(), "time.Timer", "" }

func openThread(realtime bool) (a alarm, name, reason string, restore func()) {
	if realtime {
		reason = "this package has no real-time scheduling on " + runtime.GOOS
	}
	return newTimerAlarm(), "time.Timer on a locked thread", reason, func() {}
}
