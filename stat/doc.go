// SPDX-License-Identifier: BSD-3-Clause

// Package stat turns samples into numbers that say how far they can be trusted. It knows no clock: a sample is an
// integer, of whatever unit the caller has.
//
//   - [Moments]: exact mean, standard deviation, extremes and lag-1 correlation of integers
//   - [BatchMeans]: moments of a stream, with an interval of the mean that knows about correlation
//   - [Histogram]: quantiles of integers with a known relative error, in constant memory
//   - [Decimal]: moments of numbers that arrive as text, without rounding them
//   - [Compare]: two samples, by Mann-Whitney and Welch
//   - [Interval]: a center, its bounds, and what they rest on; digits follow the uncertainty when it is written
//
// Which interval: five or more independent runs, [Moments.Interval] of their means; anything that arrives one by one,
// [BatchMeans.Interval]; values that are kept, package sample, which also has intervals of quantiles and of any other
// statistic. Histograms of many writers are in package shared, exports of histograms in hdrlog and exphist, and the
// distributions behind the intervals in dist.
//
// # Units
//
// Results have the unit of the samples. Quantiles and levels are fractions between 0 and 1; level 0 means 0.95.
//
// # Concurrency
//
// No type here is safe for concurrent use: give each goroutine its own and merge. Functions only read their arguments.
//
// # Accuracy
//
// Sums are exact integers and are rounded once, so moments agree with the certified values of the NIST Statistical
// Reference Datasets to 15 digits, decimal ones included. Nothing here returns NaN or an infinity. What cannot be known
// is an interval that excludes nothing, with the reason, or ok = false.
//
// # Sources
//
// NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.5. Every other formula is named where it is used.
package stat
