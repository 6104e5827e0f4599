// SPDX-License-Identifier: BSD-3-Clause

// Package bench measures the cost of a function, and decides which of two functions or commands costs less.
//
//   - [Run] measures a function: ns per call with an interval, allocations, hardware counters, and disturbances
//   - [Compare] measures two functions in interleaved rounds and gives their ratio, an interval and a [Verdict]
//   - [Pairs] is the statistics of Compare, for costs that are measured elsewhere, such as those of commands
//   - [Gate] turns a comparison into passed, failed or undecided, and gives the reason
//   - [Keep] keeps a result alive, so that the compiler does not remove the work that produced it
//
// Use it in a program of your own. For benchmarks beside tests use package testing; for commands, and for what package
// testing prints, use the verbs bench and compare of the command.
//
// # Units
//
// Times are nanoseconds per call. A ratio is the cost of the other divided by the cost of the base: 1.05 is five percent
// slower. Levels and shares are fractions between 0 and 1.
//
// # Concurrency
//
// [Run] and [Compare] measure on the calling goroutine, which keeps its thread meanwhile. Two of them at the same time
// disturb each other. [Pairs] and [Order] are not safe for concurrent use.
//
// # Accuracy
//
// Calls are timed in batches, long enough for the clock's step to be less than a thousandth of a batch. The cost of the same
// loop around an empty function is subtracted and reported. It is known to about a quarter only, because it depends on where
// the code lies in memory; the interval allows for that. For a function that costs less than this uncertainty the interval
// begins at zero, and only its upper bound means something.
//
// A comparison relies on randomization only: the order within each round is drawn by a coin of its own. If both cost the
// same, the times of the rounds could as well have come out with the labels exchanged, whatever the noise is like. So the
// level holds for any distribution, drift and correlation, and also where the one that runs second is at a disadvantage.
//
// # Sources
//
// Interleaving with a shared number of calls: nanobench. The interval of a ratio: J. L. Hodges and E. L. Lehmann, "Estimates
// of location based on rank tests", Annals of Mathematical Statistics 34 (1963), for two samples, with the distribution of
// H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is stochastically larger than the other",
// Annals of Mathematical Statistics 18 (1947). Looking early: K. Kim and D. L. DeMets, "Design and analysis of group
// sequential tests based on the type I error spending rate function", Biometrika 74 (1987). Warm-up: K. P. White, "An
// effective truncation heuristic for bias reduction in simulation output", Simulation 69 (1997).
package bench
