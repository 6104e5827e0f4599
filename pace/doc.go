// SPDX-License-Identifier: BSD-3-Clause

// Package pace runs loops at an exact rate and makes sleeps end on time.
//
//	lim := pace.NewLimiter(pace.Options{Rate: 60})
//	defer lim.Close()
//	for range lim.Turns(ctx) {
//		frame()
//	}
//
// Use a Limiter for a loop, and Sleep and SleepUntil for single waits. Most callers set only Options.Rate. Avoid the modes
// Lock and Realtime unless Stats reports late waits. If a millisecond does not matter, time.Ticker and time.Sleep cost less.
//
// A wait has two parts. The goroutine sleeps until shortly before the deadline, with the most precise timer that the operating
// system has, and then spins for the rest. How long it spins is learned from how late the system wakes it, separately for long
// and for short sleeps.
//
// # Units
//
// Rates are in iterations per second. Shares are fractions from 0 to 1. Lateness is the time from a deadline to the return of the
// wait for it, as the caller sees it. No wait returns early.
//
// # Concurrency
//
// Sleep and SleepUntil are safe for concurrent use. Wait, Turns and Close of a Limiter belong to one goroutine; SetRate and
// Stats may be called from any.
//
// # Which mode
//
// Yield is right for nearly all programs: it costs other goroutines nothing. Use Lock, or a GOMAXPROCS larger by one, if
// goroutines of the same program keep all its processors busy. Use Realtime if other programs do so and each wait must be on
// time; Lock does not help in that case. Realtime needs a permission, such as CAP_SYS_NICE on Linux; without it, it behaves as
// Lock.
//
// # Many at once
//
// Up to 16 limiters and sleeps that wait at the same time have their own system timer. On Linux and macOS that is a file
// descriptor; at most four are kept while nothing waits. Any further waits share one timer, which wakes at most once every 800
// µs, and do not spin: they may end about a millisecond late, but each costs little more than a time.Ticker. Stats.Shared
// counts such waits. All of them together never use more than 17 descriptors, and if the process has none left, a thread serves
// all of them instead. Locked limiters do not count towards the limit: each keeps a thread.
//
// # Accuracy and caveats
//
// On Linux the sleep is a timerfd on the Go runtime's poller: it holds no thread and keeps a garbage collection waiting no longer
// than the spin, 300 µs at most. If there is no free descriptor, or setting the timer is not permitted, the sleep is a futex on a
// thread, and Stats.Reason says why. On Windows the sleep is a high-resolution waitable timer, or an ordinary one with
// timeBeginPeriod(1) in force while it is needed. On macOS it is a kevent timer. Elsewhere it is a time.Timer, and the spin is up
// to 1.2 ms long.
//
// If other processes keep all processors busy, the kernel lets them run on for some milliseconds before it lets a thread run
// that has just woken. Some waits in the mode Yield are then that late, like those of any thread of ordinary priority, and
// more of those in the mode Lock. If goroutines of this process keep all GOMAXPROCS processors busy, a wait in the mode Yield
// ends only when one of them yields. Stats distinguishes the two cases.
//
// After a sleep, the code and data of the program are no longer in the processor's caches. The spin brings back the code that
// Wait returns to, but not what the caller does next.
//
// In a testing/synctest bubble, limiters that first wait there and sleeps follow the bubble's time.
//
// # Sources
//
// The margin is a stochastic approximation of a quantile (Robbins and Monro 1951).
package pace
