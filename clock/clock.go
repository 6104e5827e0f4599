// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"math"
	"time"
)

// An Instant is a point in time, in nanoseconds since a zero that belongs to this process and lies at or shortly before the
// first reading of the clock. Instants of one process can be subtracted and compared. They have no meaning in another process.
type Instant int64

// Now returns the current instant, at the cost of one reading of the counter and without allocating. It is safe for
// concurrent use.
//
// On one goroutine it never goes back. The processor may execute the reading some tens of nanoseconds early, so the
// result may be earlier than an instant that another goroutine has just published; where that matters, use NowOrdered.
func Now() Instant { return now() }

// NowOrdered is like Now, but reads the counter after everything that precedes the call in program order. An instant
// handed to another goroutine is therefore never later than what that goroutine then reads with NowOrdered, as far as the
// counters of the processors agree, which the kernel vouches for. It costs about twice as much as Now. It is safe for
// concurrent use.
func NowOrdered() Instant { return nowOrdered() }

// Since returns the time elapsed since t: Now().Sub(t).
func Since(t Instant) time.Duration { return time.Duration(Now() - t) }

// Sub returns t - u.
func (t Instant) Sub(u Instant) time.Duration { return time.Duration(t - u) }

// Add returns t + d.
func (t Instant) Add(d time.Duration) Instant { return t + Instant(d) }

// Time returns the wall time of t, counted from the wall time of the clock's first reading. Later steps of the wall clock
// do not show in it.
func (t Instant) Time() time.Time {
	master.wake()
	return wallZero.Add(time.Duration(t))
}

// Ticks returns the raw counter, for code that cannot afford the conversion to nanoseconds. Only differences mean
// anything; ToDuration converts them. Where no counter can be trusted, a tick is a nanosecond of the operating system's
// clock. It is safe for concurrent use.
func Ticks() uint64 { return ticks() }

// TicksOrdered is to Ticks what NowOrdered is to Now.
func TicksOrdered() uint64 { return ticksOrdered() }

// ToDuration converts a difference of Ticks, at the rate known now. The rate is right to some parts per million in the
// first hundredth of a second, and to parts per billion after a few seconds. A difference of more than 292 years gives the
// longest Duration. During the first millisecond after the clock is first used, the call waits until the rate is known. It
// is safe for concurrent use.
func ToDuration(ticks uint64) time.Duration {
	return duration(ticks, master.rate())
}

func duration(ticks uint64, rate float64) time.Duration {
	ns := float64(ticks) * rate
	if ns >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(ns)
}

// Counting reports whether Ticks reads the processor's counter, so that assembly may read it instead. It is false during
// the first millisecond after the clock is first used, and permanently once the counter has been given up; Ticks then
// continues in the same units. It is safe for concurrent use.
func Counting() bool { return master.load().mode == running }
