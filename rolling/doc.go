// SPDX-License-Identifier: BSD-3-Clause

// Package rolling provides the mean of the latest durations and the current rate of events.
//
// Use it for figures that a person watches while a program runs, such as frames per second on screen or the smoothed cost
// of a step. Use package stat for results that are reported afterwards: a rolling figure covers only its window, and has no
// interval.
//
//   - [Mean] is the mean of the last N durations.
//   - [Rate] is events per second over the most recent window. It needs no background goroutine and may be read at any time.
//
// # Units
//
// Durations are of type [time.Duration], and time stamps of type [clock.Instant]. Means are nanoseconds in a float64, since the
// mean of a few nanoseconds is not a whole number of them; rates are events per second. Before the first measurement both are
// 0; Mean.Len distinguishes that from a mean of zero.
//
// # Concurrency
//
// Mean and Rate are not safe for concurrent use: give each goroutine its own (rates of separate goroutines add up), or guard one
// with a mutex, as in the example of several goroutines. A Rate tolerates stamps that goroutines took in one order and marked
// in another. Both are ready as zero values and must not be copied after first use.
//
// # Accuracy
//
// Sums are integers, so a Mean is as exact after years as after the first value. A Rate divides k intervals by the time
// between the k+1 stamps that bound them, so it has no error of one event at the edges of its window: the rate of a steady
// source is as steady as its stamps, and one window after a change the old rate has no influence. For a source that sends
// its events in bursts the rate may be wrong by one burst per window. Memory does not grow with the rate of events, and
// neither Add nor Mark allocates after the first call.
package rolling
