// SPDX-License-Identifier: BSD-3-Clause

// Package logreport writes what package strobe measures to a log/slog logger: at an interval, a record for each lane and
// zone in which spans ended or are open.
//
//	defer logreport.Start(slog.Default(), time.Second).Stop()
//
// Use it where logs are collected and searched. For people, strobe.StartReporter writes the same reports as text; for
// monitoring, a Prometheus or OpenTelemetry exporter of strobe costs less than logs at a short interval. Records are logged on
// a separate goroutine, never from inside a span, and idle lanes cost nothing.
//
// # Records
//
// "zone", one for each lane and zone, with lane, zone, total_ms, of_ms, share, calls, self_ms, mean_ns, mean_lo_ns,
// mean_hi_ns, min_ns, p99_ns, max_ns, probe_share; and if they apply, wait (true: time spent blocked), open (spans that have
// not ended), timed and sampled (for a sampled zone: the number of timed calls, and n if one call in n is timed), total_error
// (relative half-width of the 95 % interval of total_ms of a sampled zone), thread. If there would be too many rows (see
// strobe.ReportOptions), the figures of all lanes are added up. The records then have lanes, the number of lanes, instead of
// lane.
//
// "path", in place of "zone" if strobe.ReportOptions.Tree is set, one for each path of zones: path, zone, total_ms, of_ms,
// share, calls, self_ms, probe_share, and as above lane or lanes, wait, open, thread.
//
// "frame", one for each loop of strobe.Frame that has turned: loop, turns, rate_hz (of the latest second), mean_ns, mean_lo_ns,
// mean_hi_ns, p99_ns of its frame times.
//
// "unit", one for each zone of strobe.NewRootZone of which a call ended or is open: zone, calls, rate_hz (calls per second of the
// interval), max_ns, open, and for each quantile p50, p99 and p999 that has enough calls its value and 95 % interval: p50_ns,
// p50_lo_ns, p50_hi_ns, and so on. profile.UnitStats explains them. running_ns, ready_ns, waiting_ns and
// unknown_ns are what calls did in covered_ns, the part of the interval that package capture has looked at, if it has. If
// displaced is true, running includes time in which other programs had the processor.
//
// "lanes silent", if lanes had spans in the previous report but none in this one, with lanes, their number, and names, up to
// ten of them.
//
// "strobe", one at the end of each report: of_ms, span_cost_ns, uncertainty_ns (the systematic error of a span's duration),
// probe_share and probe_lane (the lane where measuring took the largest share of the time), memory_bytes, and if they apply,
// rows_left and left_self_ms (number of rows beyond the limit, and their self time), ended_twice, ended_elsewhere,
// ended_early, abandoned (spans since the previous report), warnings (what to do about them), notes. With warnings, the record
// has the level Warn.
//
// # Units
//
// Names of lanes, zones and loops have at most 128 characters: longer ones are cut in the middle. Characters that would
// control a terminal become "?".
//
// The end of an attribute's name is its unit: ms, ns, hz, bytes. A share is a fraction of the time; 1 is a goroutine that does nothing
// else. Unknown values are absent, never zero.
//
// # Accuracy
//
// mean_lo_ns and mean_hi_ns are the bounds of the 95 % interval of the mean, which strobe.StartReporter explains. They are
// absent if fewer than eight calls ended, or if all of them ended in one or two of the sixteen time slices. Quantiles are
// within 3.2 %.
package logreport
