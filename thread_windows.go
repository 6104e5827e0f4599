// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import "golang.org/x/sys/windows"

// threadID returns the system's number of the calling thread.
func threadID() int { return int(windows.GetCurrentThreadId()) }
