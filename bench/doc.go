// SPDX-License-Identifier: BSD-3-Clause

// Package bench measures what a function costs, and decides which of two costs less.
//
//   - [Run] measures a function: ns a call with an interval, allocations, counters, and what disturbed it
//   - [Compare] measures two in turn and gives the ratio an interval and a [Verdict]
//   - [Pairs] is the statistics behind it, for what is measured elsewhere, such as commands
//   - [Gate] turns a comparison into passed, failed or undecided, with the reason
//   - [Keep] keeps a result alive, so that the compiler does not remove the work that made it
//
// Use it in a program of your own. Use package testing for benchmarks beside tests, and the command's verbs bench and
// compare for commands and for what package testing prints.
//
// # Units
//
// Times are nanoseconds a call. A ratio is that of the other's cost to the base's: 1.05 is five percent slower. Levels
// and shares are fractions between 0 and 1.
//
// # Concurrency
//
// [Run] and [Compare] measure on the calling goroutine, one thread of its own. Two at the same time disturb each other.
// [Pairs] is not safe for concurrent use.
//
// # Accuracy
//
// A function is called in batches so long that the clock's step is below a thousandth of one. What an empty function
// costs in the same loop is subtracted and said. What remains below the uncertainty of that is a bound, not a number: the
// interval then reaches down to zero.
//
// Comparisons rest on the order being drawn at random: were both the same, each block of two rounds could as well have come
// out the other way round. That holds for any noise and any drift, so no assumption about them is made.
//
// # Sources
//
// Interleaving with a shared count of calls: nanobench. Interval of a ratio: J. L. Hodges and E. L. Lehmann, "Estimates of
// location based on rank tests", Annals of Mathematical Statistics 34 (1963). Looking early: K. Kim and D. L. DeMets,
// "Design and analysis of group sequential tests based on the type I error spending rate function", Biometrika 74 (1987). Warm-up: K. P. White, "An effective truncation
// heuristic for bias reduction in simulation output", Simulation 69 (1997).
package bench
