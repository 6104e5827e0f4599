// SPDX-License-Identifier: BSD-3-Clause

// Package rolling keeps numbers that follow time: the mean of the last few durations and the rate of events right now.
//
// Use it for what a person watches while a program runs: frames per second on screen, the smoothed cost of a step. Use
// package stat for what is reported afterwards: a rolling number has forgotten everything but its window, so it comes
// without an interval.
//
//   - [Mean] is the mean of the last N durations.
//   - [Rate] is events per second over the freshest window. It needs no ticking goroutine and may be read at any moment.
//   - [SharedMean] and [SharedRate] are the same for many goroutines at once.
//
// # Units
//
// Durations go in as [time.Duration], stamps as [clock.Instant], both in nanoseconds. Means come out in nanoseconds, rates
// in events per second. Nothing measured yet reads 0; [Mean.Len] tells a mean of nothing from a mean of zero.
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
// between the k+1 stamps that bound them, so it has no error of one event at the edges of its window: a steady source reads
// as steady as its stamps are, and one window after a step nothing of the old rate is left. A source that sends its events
// in bursts reads up to one burst a window high or low. Memory does not grow with the
// rate of events, and neither Add nor Mark allocates once the first call is made.
package rolling
