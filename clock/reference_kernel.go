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
	refused    error     // by the kernel: then there is only Go's clock
)

// In a testing/synctest bubble package time starts at midnight UTC 2000-01-01 on the wall clock and on the monotonic one
// alike, so time.Since of a zero taken outside reads some 30 years. No process lives for bubbleAge.
const bubbleAge = 9 * 365 * 24 * 3600 * 1000 * ms

// startReference sets the zero. In a bubble the zero must not be the bubble's time. It is moved back to real time, which is
// possible because a bubble's wall time is also its monotonic time.
func startReference() {
	wallZero = time.Now().Round(0)
	tightest := int64(bubbleAge)
	for range 4 {
		wall, before := startTime(unix.CLOCK_REALTIME), startTime(kernelClock)
		now := time.Now()
		after, again := startTime(kernelClock), startTime(unix.CLOCK_REALTIME)
		if refused != nil {
			return
		}
		if fake := now.UnixNano(); distant(fake, wall) && distant(fake, again) {
			zero, wallZero, kernelZero = now.Add(time.Duration(after-fake)), time.Unix(0, wall), after
			return
		}
		if w := after - before; w < tightest {
			tightest = w
			zero, wallZero, kernelZero = now, now.Round(0), before+w/2
		}
	}
}

// startTime is kernelTime for the start, which keeps the error.
func startTime(id int32) int64 {
	ns, err := kernelTime(id)
	if err != nil {
		refused = err
	}
	return ns
}

// distant reports whether two readings of the wall clock are more than an hour apart.
func distant(a, b int64) bool { return max(a-b, b-a) > 3600*1000*ms }

// reference returns the operating system's monotonic clock, in ns since zero. In a bubble it makes the system call, which a
// bubble does not fake.
func reference() int64 {
	if refused != nil {
		return goTime()
	}
	if ns := int64(time.Since(zero)); uint64(ns) < bubbleAge {
		return ns
	}
	if ns, err := kernelTime(kernelClock); err == nil {
		return ns - kernelZero
	}
	return goTime() // a sandbox has begun since
}

// referenceTells reports whether the reference tells real time everywhere. If not, the counter cannot be compared with it.
func referenceTells() (ok bool, reason string) {
	if refused == nil {
		return true, ""
	}
	return false, "the system call clock_gettime is refused (" + refused.Error() + "), without which real time cannot be told from " +
		"that of a testing/synctest bubble; allow it in the sandbox's filter"
}
