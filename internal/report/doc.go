// SPDX-License-Identifier: BSD-3-Clause

// Package report makes the periodic reports of the profiler: what happened in each zone since the report before, with an
// interval for each mean, and what limits the numbers. It reads package profile and writes text; package strobe prints
// that, package logreport turns the same reports into log records.
//
// Data flows one way: a Runner asks for differences of snapshots at an interval, a Report is made of them, Text writes it.
//
// # Intervals
//
// The interval of a mean rests on slices of the time between two reports. A slice of n calls that took T enters as T - R n,
// where R is the mean over all slices: the ratio estimate of Cochran, Sampling Techniques, 6.3. Slices are far longer than
// calls remember each other, so the interval knows that calls resemble their neighbours, which an interval over single
// calls would not. Slices without calls say nothing and are left out.
//
// To that statistical half-width profile.Snapshot.Uncertainty is added on both sides: by so much a reading may be too long
// or too short, depending on how the processor overlaps the work in a span with the readings of the clock, and no number
// of calls averages that out. Means are not corrected. A lower bound below 0 is 0.
//
// For a sampled zone the timed calls are a random sample of all, so the interval is at least that of a simple random
// sample, with the standard deviation of the histogram.
//
// # Cost
//
// What measuring took on a lane is the sum over its zones of the calls that were timed, at Snapshot.Cost each, and
// of the calls that were not, at a tenth of it.
//
// # Concurrency
//
// A Runner has one goroutine, on which all else happens.
package report
