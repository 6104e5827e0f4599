// SPDX-License-Identifier: BSD-3-Clause

// Package stat turns samples into numbers that say how far they can be trusted. It knows no clock: a sample is an
// integer, of whatever unit the caller has.
//
//   - [Moments]: exact mean, standard deviation, extremes and lag-1 correlation of integers
//   - [Histogram]: quantiles of integers with a known relative error, in constant memory
//   - [BatchMeans]: moments of a stream, with an interval of the mean that knows about correlation
//   - [Decimal]: the same for numbers that arrive as text, without rounding them
//   - [Compare]: two samples, by Mann-Whitney and Welch
//   - [Interval]: a center, its bounds, and what they rest on; digits follow the uncertainty when it is written
//
// # Units
//
// Results have the unit of the samples. Quantiles and levels are fractions between 0 and 1.
//
// # Concurrency
//
// No type here is safe for concurrent use unless it says so: give each goroutine its own and merge.
//
// # Accuracy
//
// Sums are exact integers and are rounded once, so moments agree with the certified values of the NIST Statistical
// Reference Datasets to 15 digits.
//
// # Sources
//
// NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.5. Every formula is named where it is used.
package stat
