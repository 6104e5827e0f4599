// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"time"

	"golang.org/x/sys/windows"
)

func outside() time.Duration {
	var now windows.Filetime
	windows.GetSystemTimePreciseAsFileTime(&now)
	return time.Duration(now.Nanoseconds())
}
