// SPDX-License-Identifier: BSD-3-Clause

package goroutine

import "golang.org/x/sys/unix"

// threadID returns the system's number of the calling thread.
func threadID() int { return unix.Gettid() }
