// SPDX-License-Identifier: BSD-3-Clause

package pace

import "time"

// timerAlarm is the alarm that every system has: Go's timers.
type timerAlarm struct{ *time.Timer }

func newTimerAlarm() alarm { return timerAlarm{time.NewTimer(time.Hour)} }

func (t timerAlarm) arm(d time.Duration) { t.Reset(d) }
func (t timerAlarm) wait()               { <-t.C }
func (t timerAlarm) close()              { t.Stop() }
