// SPDX-License-Identifier: BSD-3-Clause

// Package bench measures the cost of a function, and decides which of two functions or commands costs less.
//
// Most callers need Compare, and Gate for its result: a comparison measured in interleaved rounds is more reliable than two
// results of Run measured one after the other. Use Run to learn what one function costs. Avoid both in test files: benchmarks
// of package testing belong there, and strobe gate and strobe compare compare those.
//
//   - [Run] measures a function: ns per call with an interval, in short batches and in long stretches of calls, allocations, hardware
//     counters, and disturbances
//   - [Compare] measures two functions in interleaved rounds and gives their ratio, an interval and a verdict
//   - [RunContext] and [CompareContext] do the same, and end with a context
//   - [Pairs] provides the statistics of Compare for costs that are measured elsewhere, such as those of commands
//   - [Family] decides several comparisons by a gate, with one level for all of them
//   - [Gate] turns a comparison into passed, failed or undecided, and gives the reason; the words are those of package stat/decide
//   - [Keep] keeps a result alive, so that the compiler does not remove the work that produced it
//
// To compare commands, use strobe bench.
//
// # Units
//
// Times are nanoseconds per call. A ratio is the cost of the other divided by the cost of the base: 1.05 is five percent
// slower. Levels and shares are fractions between 0 and 1.
//
// # Concurrency
//
// [Run] and [Compare] measure on the calling goroutine, which is locked to its thread during the measurement. Two of them
// at the same time disturb each other. [Pairs] and [Order] are not safe for concurrent use.
//
// # Accuracy
//
// Calls are timed in batches that are long enough for the clock's step to be less than a thousandth of a batch. The cost of
// the same loop around an empty function is subtracted and reported. This cost is known only to within about a quarter,
// because it depends on the position of the code in memory; the interval allows for that. For a function that costs less than
// this uncertainty the interval begins at zero, and only its upper bound is meaningful.
//
// Short batches are precise, but blind to what happens once in many calls: compaction, growth, garbage collections, work that is left
// to other goroutines. So [Run] and [Compare] also make calls in long stretches, and take the processor time of the whole process,
// which other programs hardly affect. Where the two contradict each other, the cost depends on the number of calls, and [Gate] does not
// pass. What happens less than once in all the calls of a measurement, which the results count, cannot be seen. Nor can it be told
// which of two functions in one process keeps what the garbage collector marks, or started a goroutine that always works: if that takes
// more processor time than a gate allows, the gate is undecided.
//
// On a virtual machine a call may take twice as long while another machine uses the other half of the same physical core. A spin of
// known work before and after each batch shows that, and only undisturbed batches count, if there are enough.
//
// A comparison relies only on randomization: the order within each round is random and independent of other rounds. If both
// cost the same, exchanging their labels would be equally likely to give the measured times, whatever the noise. The level
// of the interval therefore holds for any distribution, drift and correlation, and also if running second is a disadvantage.
//
// # Sources
//
// Interleaving with a shared number of calls: nanobench. The interval of a ratio: J. L. Hodges and E. L. Lehmann, "Estimates
// of location based on rank tests", Annals of Mathematical Statistics 34 (1963), for two samples, with the distribution of H.
// B. Mann and D. R. Whitney, "On a test of whether one of two random variables is stochastically larger than the other",
// Annals of Mathematical Statistics 18 (1947). Interim looks: K. Kim and D. L. DeMets, "Design and analysis of group
// sequential tests based on the type I error spending rate function", Biometrika 74 (1987). Warm-up: K. P. White, "An
// effective truncation heuristic for bias reduction in simulation output", Simulation 69 (1997).
package bench
