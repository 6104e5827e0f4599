// SPDX-License-Identifier: BSD-3-Clause

//go:build linux || darwin || freebsd

package clock

import (
	"time"

	"golang.org/x/sys/unix"
)

const referenceName = "time.Since"

// The zero of every Instant, on three clocks. Set once, before the first epoch is published.
var (
	zero       time.Time // on Go's monotonic clock
	wallZero   time.Time // on the wall clock
	kernelZero int64     // on the kernel's monotonic clock, ns
)

// In a testing/synctest bubble package time starts at midnight UTC 2000-01-01 on the wall clock and on the monotonic one
// alike, so time.Since of a zero taken outside reads some 30 years. No process lives for bubbleAge.
const bubbleAge = 9 * 365 * 24 * 3600 * 1000 * ms

// startReference sets the zero. In a bubble the zero must not be the bubble's time. It is moved back to real time, which is
// possible because a bubble's wall time is also its monotonic time.
func startReference() {
	tightest := int64(bubbleAge)
	for range 4 {
		wall, before := kernelTime(unix.CLOCK_REALTIME), kernelTime(kernelClock)
		now := time.Now()
		after := kernelTime(kernelClock)
		fake := now.UnixNano()
		if distant(fake, wall) && distant(fake, kernelTime(unix.CLOCK_REALTIME)) {
			zero, wallZero, kernelZero = now.Add(time.Duration(after-fake)), time.Unix(0, wall), after
			return
		}
		if w := after - before; w < tightest {
			tightest = w
			zero, wallZero, kernelZero = now, now.Round(0), before+w/2
		}
	}
}

// distant reports whether two readings of the wall clock are more than an hour apart.
func distant(a, b int64) bool { return max(a-b, b-a) > 3600*1000*ms }

// reference returns the operating system's monotonic clock, in ns since zero. In a bubble it makes the system call.
func reference() int64 {
	if ns := int64(time.Since(zero)); uint64(ns) < bubbleAge {
		return ns
	}
	return kernelTime(kernelClock) - kernelZero
}

// kernelTime reads a clock by a system call, which a bubble does not fake.
func kernelTime(id int32) int64 {
	var ts unix.Timespec
	unix.ClockGettime(id, &ts)
	return ts.Nano()
}
