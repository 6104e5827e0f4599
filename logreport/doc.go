// SPDX-License-Identifier: BSD-3-Clause

// Package logreport writes what package strobe measures to a log/slog logger: at an interval, a record for each lane and
// zone in which spans ended or are open.
//
//	defer logreport.Start(slog.Default(), time.Second).Stop()
//
// Use it where logs are collected and searched; strobe.StartReporter writes the same as text for people. The records are
// made from strobe.TakeSnapshot on a goroutine of their own; nothing is logged from inside a span.
//
// # Records
//
// "zone", one for each lane and zone: lane, zone, total_ms, of_ms, share, calls, self_ms, mean_ns, mean_lo_ns, mean_hi_ns,
// min_ns, p99_ns, max_ns, probe_share; and where it applies: wait (true: time spent blocked), open (spans that have not
// ended), sampled (one in how many calls is timed), too_short (true: the mean mostly measures itself), thread.
//
// "frame", one for each loop of strobe.Frame: loop, turns, rate_hz, mean_ns, mean_lo_ns, mean_hi_ns, p99_ns, of the whole run.
//
// "lane silent", once for a lane that had spans in the interval before and has none now: lane.
//
// "strobe", one at the end of each report: of_ms, span_cost_ns, bias_ns, probe_share (the largest of a lane's zones together),
// memory_bytes, and where it applies: ended_twice, ended_elsewhere, ended_early (spans), notes. It is a warning if more than
// 5 % of some lane's time went into measuring.
//
// # Units
//
// The end of a name is its unit: ms, ns, hz, bytes. A share is a fraction, 0 to 1 of the time of one goroutine. What is not
// known is absent, never zero.
//
// # Accuracy
//
// The mean has the bias of a span taken off. From mean_lo_ns to mean_hi_ns is its 95 % interval, from slices of the time, so it
// knows that calls resemble their neighbours; it is absent where fewer than eight calls ended, and in a process so large
// that a snapshot takes more than a thousandth of the interval. Quantiles are within 3.2 %.
package logreport
