// SPDX-License-Identifier: BSD-3-Clause

// Package cumulative turns the readings of a strobe.Reader into counters and exponential histograms that never decrease, as
// Prometheus and OpenTelemetry expect them. It is for writing exporters; programs that export to one of these use
// contrib/prometheus or contrib/otel. It is for writing exporters; programs that export to one of these use contrib/prometheus
// or contrib/otel.
//
// A total of a Snapshot may decrease by a few parts in a million when the clock is recalibrated. A monitoring system would
// take that for a restart of the process and count the whole total a second time. A State therefore adds up differences, none
// of which is negative.
//
// # Histograms
//
// The cells of the profiler are a sixteenth of an octave wide, and their edges are not those of exponential buckets. The
// calls of a cell are divided among the buckets that it overlaps by a monotone cubic curve through the counts of all calls
// so far. For smooth distributions, the error of quantiles is therefore far smaller than the width of a cell. If all calls
// lie within a few cells, only the shortest and the longest are known, and the error is that of the cell, at most 6.3 %.
//
// # Concurrency
//
// A State belongs to one goroutine. Series are plain data.
//
// # Sources
//
// The condition for the slopes of a monotone cubic curve is from Fritsch and Carlson, SIAM J. Numer. Anal. 17 (1980).
package cumulative
