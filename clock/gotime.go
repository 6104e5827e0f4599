// SPDX-License-Identifier: BSD-3-Clause

//go:build !windows

package clock

import (
	"sync/atomic"
	"time"
)

// first is the first reading of goTime outside testing/synctest bubbles.
var first atomic.Pointer[time.Time]

// goTime reads Go's monotonic clock, in ns since just before first, where no other clock can be read. In a bubble, where the wall time is
// that of year 2000, nothing tells the real time: there it reads the bubble's, from its start.
func goTime() int64 {
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
	return int64(now.Sub(*zero)) + 1 // never 0, which as a number of ticks would mean none
}
