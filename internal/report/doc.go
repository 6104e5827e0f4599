// SPDX-License-Identifier: BSD-3-Clause

// Package report makes the periodic reports of the profiler: what happened in each zone since the previous report, with an
// interval for each mean, and notes on the limits of the numbers. Its input is the data of package profile, and its output is
// text. Package strobe prints the text; package logreport turns the same reports into log records.
//
// Data flows in one direction: a Runner reads differences of snapshots at an interval, makes a Report of them, and Text
// writes it.
//
// # Intervals
//
// The interval of a mean is computed from slices of the time between two reports. A slice of n calls that took T enters as T
// - R n, where R is the mean over all slices: the ratio estimate of Cochran, Sampling Techniques, 6.3. Slices are much longer
// than the correlation between calls lasts, so the interval allows for that correlation, unlike an interval over single
// calls. Slices without calls are ignored.
//
// profile.Snapshot.Uncertainty is added to that statistical half-width on both sides. A measured duration may be too long
// or too short by that much, depending on how the processor overlaps the work in a span with the readings of the clock, and
// this does not average out. Means are not corrected. A lower bound below 0 is set to 0.
//
// The timed calls of a sampled zone are a random sample, so the interval is at least as wide as that of a simple random
// sample, with the standard deviation of the histogram.
//
// # Cost
//
// The cost of measuring on a lane is the sum over its zones of Snapshot.Cost for each timed call and a tenth of it for each
// other call. A timed call of a zone that is seldom called costs up to the mean of Cost and CostCold; see package toll.
//
// # Concurrency
//
// A Runner does all its work on one goroutine.
package report
