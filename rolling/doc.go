// SPDX-License-Identifier: BSD-3-Clause

// Package rolling provides the mean of the latest durations and the current rate of events.
//
// Use it for figures that a person watches while a program runs, such as frames per second on screen or the smoothed cost
// of a step. Use package stat for results that are reported afterwards: a rolling figure covers only its window, and has no
// interval.
//
//   - [Mean] is the mean of the last N durations.
//   - [Rate] is events per second over the most recent window. It needs no background goroutine and may be read at any time.
//   - [SharedMean] and [SharedRate] are the same for many goroutines at once.
//
// # Units
//
// Durations are of type [time.Duration], and time stamps of type [clock.Instant], both in nanoseconds. Means are in
// nanoseconds, and rates in events per second. Before the first measurement both are 0; Mean.Len distinguishes that from a
// mean of zero.
//
// # Concurrency
//
// Mean and Rate are not safe for concurrent use: give each goroutine its own (rates of separate goroutines add up), or use
// the Shared forms, which put one uncontended lock around every call. All four are ready as zero values and must not be
// copied after first use.
//
// # Accuracy
//
// Sums are integers, so a Mean is as exact after years as after the first value. A Rate divides k intervals by the time
// between the k+1 stamps that bound them, so it has no error of one event at the edges of its window: the rate of a steady
// source is as steady as its stamps, and one window after a change the old rate has no influence. For a source that sends
// its events in bursts the rate may be wrong by one burst per window. Memory does not grow with the rate of events, and
// neither Add nor Mark allocates after the first call.
package rolling
