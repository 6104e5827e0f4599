// SPDX-License-Identifier: BSD-3-Clause

package attach

import (
	"time"

	"golang.org/x/sys/windows"
)

// processor returns the processor time that the process has used; 0 if it is unknown.
func processor() time.Duration {
	var made, ended, kernel, user windows.Filetime
	if windows.GetProcessTimes(windows.CurrentProcess(), &made, &ended, &kernel, &user) != nil {
		return 0
	}
	ticks := func(t windows.Filetime) int64 { return int64(t.HighDateTime)<<32 + int64(t.LowDateTime) }
	const tick = 100 * time.Nanosecond
	return tick * time.Duration(ticks(kernel)+ticks(user))
}
