// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import "golang.org/x/sys/unix"

// threadID returns the system's number of the calling thread.
func threadID() int { return unix.Gettid() }
