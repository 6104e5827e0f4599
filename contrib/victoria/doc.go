// SPDX-License-Identifier: BSD-3-Clause

// Package strobevictoria sends what strobe measured to VictoriaMetrics: for programs that end before a server would scrape
// them, such as benchmark runs and jobs.
//
//	defer func() { err = strobevictoria.Push(ctx, "http://127.0.0.1:8428", strobe.TakeSnapshot(), labels) }()
//
// # Metrics
//
// These are those of contrib/prometheus:
//
//	strobe_zone_calls_total{zone}                     calls that have ended
//	strobe_zone_seconds_total{zone}                   time in the zone, including the spans inside
//	strobe_zone_self_seconds_total{zone}              time in the zone, without the spans inside
//	strobe_zone_duration_seconds_bucket{zone,vmrange} number of calls with a duration in the range
//	strobe_zone_duration_seconds_sum{zone}            sum of their durations
//	strobe_zone_duration_seconds_count{zone}          number of them
//	strobe_frames_total{loop}                         calls of strobe.Frame
//	strobe_frame_duration_seconds{loop}               times between them, likewise with _bucket, _sum and _count
//
// The buckets are the histograms of VictoriaMetrics. All processes have the same ranges, 16 an octave, so that histograms are
// merged by adding:
//
//	histogram_quantile(0.99, sum(strobe_zone_duration_seconds_bucket{zone="tick"}) by (vmrange))
//
// A quantile is off by the width of a range, 4.4 %, at most. Give each process a label of its own: the server takes two samples
// of one series for the same thing measured twice.
package strobevictoria
