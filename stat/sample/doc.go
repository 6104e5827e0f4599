// SPDX-License-Identifier: BSD-3-Clause

// Package sample provides statistics of float64 values, most of them for values in a slice.
//
//   - [Moments]: streaming mean, spread and shape of floats. Integers belong in stat.Moments, which is exact.
//   - [Mean]: intervals of a mean by named methods
//   - [Bootstrap]: an interval of any statistic of a correlated series: a percentile, a low, a ratio
//   - [Quantile], [QuantileInterval]: of independent values
//   - [Warmup]: how many values at the start to leave out
//
// Most callers need [Mean] or [Bootstrap]. Use package stat for integers, and for values that arrive one by one and need not
// be kept. Do not use [QuantileInterval] for correlated values.
//
// # Units
//
// Results have the unit of the values. Quantiles and levels are fractions between 0 and 1; level 0 means 0.95.
//
// # Concurrency
//
// Functions only read their arguments and are safe for concurrent use. Moments is not; give each goroutine its own and
// merge.
//
// # Accuracy
//
// Values that are not finite give an interval that excludes nothing, with the reason, and never NaN.
//
// # Sources
//
// C. J. Geyer, "Practical Markov Chain Monte Carlo", Statistical Science 7 (1992); D. N. Politis and J. P. Romano, "The
// Stationary Bootstrap", JASA 89 (1994), with block lengths by D. N. Politis and H. White, Econometric Reviews 23
// (2004), corrected by A. Patton and others 28 (2009); K. P. White, "An effective truncation heuristic for bias
// reduction in simulation output", Simulation 69 (1997); P. Pébay, Sandia report SAND2008-6212 (2008).
package sample
