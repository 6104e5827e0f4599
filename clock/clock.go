// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"math"
	"time"
)

// An Instant is a point in time: nanoseconds since a zero that belongs to this process, at or shortly before the
// clock's first reading. Instants of one process may be subtracted and compared; they mean nothing to another process.
type Instant int64

// Now returns the current instant for the cost of one counter reading, without allocation. Safe for concurrent use.
//
// It never steps back on one goroutine. The processor may run the reading some tens of nanoseconds early, so it may lie
// before an instant that another goroutine has just published: where that matters, use NowOrdered.
func Now() Instant { return now() }

// NowOrdered is Now with a fence: the reading happens after everything before it in program order, so that an instant
// handed to another goroutine is never later than what that goroutine then reads. It costs about twice as much.
// Safe for concurrent use.
func NowOrdered() Instant { return nowOrdered() }

// Since returns the time elapsed since t: Now().Sub(t).
func Since(t Instant) time.Duration { return time.Duration(Now() - t) }

// Sub returns t - u.
func (t Instant) Sub(u Instant) time.Duration { return time.Duration(t - u) }

// Add returns t + d.
func (t Instant) Add(d time.Duration) Instant { return t + Instant(d) }

// Time returns the wall time of t as the wall clock stood when this clock was first read. Steps of the wall clock since
// then do not show in it.
func (t Instant) Time() time.Time {
	master.wake()
	return zero.Add(time.Duration(t)).Round(0)
}

// Ticks returns the raw counter, for code that cannot afford even the conversion. Only differences mean anything;
// ToDuration turns them into time. Where there is no counter to trust, a tick is a nanosecond of the reference.
// Safe for concurrent use.
func Ticks() uint64 { return ticks() }

// TicksOrdered is to Ticks what NowOrdered is to Now.
func TicksOrdered() uint64 { return ticksOrdered() }

// ToDuration returns the time that a difference of Ticks took, at the rate known now: good to some parts per million in
// the first 10 ms of the process and to parts per billion after a few seconds. Called within the first millisecond of
// the clock's life it waits for that millisecond to pass. Safe for concurrent use.
func ToDuration(ticks uint64) time.Duration {
	ns := float64(ticks) * master.rate()
	if ns >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(ns)
}

// Counting reports whether Ticks reads the processor's counter, so that assembly may read it in its place. It is false
// in the clock's first millisecond, and for good once the counter has been given up; Ticks then goes on in the same
// units. Safe for concurrent use.
func Counting() bool { return master.load().mode == running }
