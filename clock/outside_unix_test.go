// SPDX-License-Identifier: BSD-3-Clause

//go:build linux || darwin || freebsd

package clock

import "time"

func outside() time.Duration {
	ns, err := kernelTime(kernelClock)
	if err != nil {
		panic(err)
	}
	return time.Duration(ns)
}
