// SPDX-License-Identifier: BSD-3-Clause

// Package pace waits: a frame limiter that keeps an exact grid, and sleeps that end when they should.
//
//	lim := pace.NewLimiter(pace.Options{Rate: 60})
//	defer lim.Close()
//	for lim.Wait(ctx) == nil {
//		frame()
//	}
//
// Every wait has two parts. The operating system sleeps until shortly before the deadline, by the finest timer it has;
// then the processor spins for the rest. How much to leave to the spin is learned from how late the system wakes, for
// long and short sleeps apart. Use a Limiter for a loop, Sleep and SleepUntil for single waits; for waits where a
// millisecond does not matter time.Sleep costs less.
//
// # Units
//
// Rates are turns per second, shares are fractions from 0 to 1. Lateness is how long after its deadline a wait returned;
// no wait returns early.
//
// # Concurrency
//
// Sleep and SleepUntil are safe for concurrent use. A Limiter belongs to the goroutine that calls Wait and Close; SetRate
// and Stats may be called from any.
//
// # Accuracy and caveats
//
// On Linux the sleep is a timerfd on the Go runtime's poller: it holds no thread and never keeps a garbage collection
// waiting for longer than the spin, 300 µs at most. On Windows it is a high-resolution waitable timer, or an ordinary
// one with timeBeginPeriod(1) in force while it is needed. On macOS it is a kevent timer. Elsewhere it is time.Sleep
// and the spin is longer, up to 1.2 ms.
//
// On an idle machine the median lateness is below 0.2 µs. Other processes that want the processor push the rare waits to
// some ms: Realtime helps where the system grants it. When all GOMAXPROCS processors of this process run goroutines of
// its own, a wait ends only when one yields; nothing helps but a processor more. Stats tells the two apart.
//
// # Sources
//
// The margin is a stochastic approximation of a quantile (Robbins and Monro 1951).
package pace
