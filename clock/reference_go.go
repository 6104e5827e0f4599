// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux && !darwin && !freebsd && !windows

package clock

import (
	"sync/atomic"
	"time"
)

const referenceName = "time.Since"

// The zero of every Instant: the first reading outside testing/synctest bubbles, and the wall time of the first reading.
var (
	first    atomic.Pointer[time.Time]
	wallZero time.Time
)

func startReference() { wallZero = time.Now().Round(0) }

// reference reads Go's monotonic clock, in ns since zero. In a bubble, where the wall time is that of year 2000, nothing
// tells the real time: there it reads the bubble's, from its start.
func reference() int64 {
	now := time.Now()
	if ns := now.UnixNano() - 946_684_800*1000*ms; uint64(ns) < 366*24*3600*1000*ms {
		return ns
	}
	zero := first.Load()
	if zero == nil {
		begin := now // in the heap, which now itself must not be
		first.CompareAndSwap(nil, &begin)
		zero = first.Load()
	}
	return int64(now.Sub(*zero))
}
