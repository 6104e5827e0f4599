// SPDX-License-Identifier: BSD-3-Clause

// Package pace makes loops turn at an exact rate and sleeps end on time.
//
//	lim := pace.NewLimiter(pace.Options{Rate: 60})
//	defer lim.Close()
//	for range lim.Turns(ctx) {
//		frame()
//	}
//
// A wait has two parts. The operating system sleeps until shortly before the deadline, by the finest timer it has; then the
// processor spins for the rest. How much is left to the spin is learned from how late the system wakes, separately for
// long and for short sleeps. Use a Limiter for a loop, Sleep and SleepUntil for single waits. Where a millisecond does not
// matter, time.Sleep costs less.
//
// # Units
//
// Rates are in turns per second. Shares are fractions from 0 to 1. Lateness is the time from a deadline to the return of
// the wait for it, as the caller sees it. No wait returns early.
//
// # Concurrency
//
// Sleep and SleepUntil are safe for concurrent use. Wait, Turns and Close of a Limiter belong to one goroutine; SetRate and
// Stats may be called from any.
//
// # Many at once
//
// Up to 16 limiters and sleeps that wait at the same time have a timer of the system each. On Linux and macOS that is a
// descriptor; four at most are kept when nobody waits. More than 16 share one timer and its wake-ups, at most one every
// 800 µs, and do not spin: they end up to about a millisecond late, and cost little more than a time.Ticker each. Stats.Shared
// counts such waits. The process never holds more than 17 descriptors for them all, and when it has none left, a thread
// serves all of them instead. Locked limiters do not count: each keeps a thread.
//
// # Accuracy and caveats
//
// On Linux the sleep is a timerfd on the Go runtime's poller: it holds no thread and keeps a garbage collection waiting no
// longer than the spin, 300 µs at most. Without a descriptor or a permission to set it, the sleep is a futex on a thread,
// and Stats.Reason says why. On Windows the sleep is a high-resolution waitable timer, or an ordinary one with
// timeBeginPeriod(1) in force while it is needed. On macOS it is a kevent timer. Elsewhere it is a time.Timer, and the spin
// is up to 1.2 ms long.
//
// Other processes that want the processor delay rare waits by some milliseconds; Realtime helps where the system grants it.
// When all GOMAXPROCS processors of this process run its own goroutines, a wait ends only when one of them yields; one
// processor more helps, or Lock. Stats distinguishes the two.
//
// The end of a wait is cold code and memory: during the sleep, caches were used by others. The spin brings the code that
// Wait returns to back into the cache, but not what the caller does next.
//
// In a testing/synctest bubble, limiters that first wait there and sleeps follow the bubble's time.
//
// # Sources
//
// The margin is a stochastic approximation of a quantile (Robbins and Monro 1951).
package pace
