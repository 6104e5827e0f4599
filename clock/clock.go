// SPDX-License-Identifier: BSD-3-Clause

// Package clock is the fastest trustworthy monotonic clock of the machine.
package clock

import "time"

// An Instant is a point on this process's monotonic clock, in nanoseconds since a zero of its own.
type Instant int64

var base = time.Now()

// Now returns the current instant.
func Now() Instant { return Instant(time.Since(base)) }

// NowOrdered is Now for stamps that other goroutines compare.
func NowOrdered() Instant { return Now() }

// Since returns the time elapsed since t.
func Since(t Instant) time.Duration { return Now().Sub(t) }

// Sub returns t - u.
func (t Instant) Sub(u Instant) time.Duration { return time.Duration(t - u) }

// Add returns t + d.
func (t Instant) Add(d time.Duration) Instant { return t + Instant(d) }
