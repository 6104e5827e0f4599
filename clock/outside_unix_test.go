// SPDX-License-Identifier: BSD-3-Clause

//go:build linux || darwin || freebsd

package clock

import "time"

func outside() time.Duration { return time.Duration(kernelTime(kernelClock)) }
