// SPDX-License-Identifier: BSD-3-Clause

package goroutine

import "golang.org/x/sys/windows"

// threadID returns the system's number of the calling thread.
func threadID() int { return int(windows.GetCurrentThreadId()) }
