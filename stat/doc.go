// SPDX-License-Identifier: BSD-3-Clause

// Package stat summarizes samples by moments, quantiles and comparisons, each with a confidence interval. It is independent
// of time and units: a sample is an integer in whatever unit the caller uses.
//
// Most callers need a [BatchMeans] for the mean of measurements and a [Histogram] for their quantiles. Do not use
// [Moments.Interval] for successive measurements of one process: it assumes independent samples, and its interval would be too
// narrow.
//
//   - [Moments]: exact mean, standard deviation, extremes and lag-1 correlation of integers
//   - [BatchMeans]: moments of a stream, with an interval of the mean that accounts for correlation, and a plain one
//   - [Histogram]: quantiles of integers with a known relative error, in constant memory
//   - [Compare]: compares two samples, by tests of ranks and of means
//   - [Interval]: an estimate with its bounds, or the reason why it has none; printed with as many digits as its uncertainty justifies
//
// To choose an interval: for five or more independent runs, use [Moments.Interval] of their means. For samples that arrive one
// by one, use [BatchMeans.Interval]. For values kept in a slice, use package sample, which also has intervals of quantiles and
// of any other statistic. Package shared has a histogram for many goroutines, hdrlog and exphist export histograms, and dist
// has the distributions behind the intervals. The file docs/coverage.md has tables of how often the intervals of BatchMeans
// contain the mean, and how often they carry a warning if they do not.
//
// # Units
//
// Results have the unit of the samples. Quantiles and levels are fractions between 0 and 1; level 0 means 0.95.
//
// # Concurrency
//
// The types here are not safe for concurrent use: give each goroutine its own and merge. Functions only read their
// arguments.
//
// # Accuracy
//
// Sums are exact integers and are rounded once, so moments agree with the certified values of the NIST Statistical
// Reference Datasets to 15 digits, decimal ones included when they are added as integers of a finer unit. Nothing here returns NaN. An estimate
// that has no interval, and one that does not exist, is an [Interval] with the reason, whose bounds are infinite.
//
// # Sources
//
// NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.5. Every other formula is named where it is used.
package stat
