// SPDX-License-Identifier: BSD-3-Clause

// Package strobevictoria sends what strobe measured to VictoriaMetrics. It is for programs that end before a server would
// scrape them, such as benchmark runs and jobs.
//
//	defer func() { err = strobevictoria.Push(ctx, "http://127.0.0.1:8428", strobe.TakeSnapshot(), labels) }()
//
// # Metrics
//
// The metrics are those of contrib/prometheus:
//
//	strobe_zone_calls_total{zone}                     calls that have ended
//	strobe_zone_seconds_total{zone}                   time in the zone, including the spans inside
//	strobe_zone_self_seconds_total{zone}              time in the zone, without the spans inside
//	strobe_zone_duration_seconds_bucket{zone,vmrange} number of calls with a duration in the range
//	strobe_zone_duration_seconds_sum{zone}            sum of their durations
//	strobe_zone_duration_seconds_count{zone}          number of them
//	strobe_frames_total{loop}                         calls of strobe.Frame
//	strobe_frame_duration_seconds{loop}               times between them, likewise with _bucket, _sum and _count
//	strobe_enabled                                    1, or 0 if measuring was turned off
//
// The buckets are VictoriaMetrics histograms. All processes use the same ranges, 16 per octave, so adding up the ranges
// merges the histograms:
//
//	histogram_quantile(0.99, sum(strobe_zone_duration_seconds_bucket{zone="tick"}) by (vmrange))
//
// A quantile is off by at most the width of a range, 4.4 %. Give each process a distinct label: the server treats two samples
// of one series as two measurements of the same quantity.
package strobevictoria
