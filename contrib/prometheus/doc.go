// SPDX-License-Identifier: BSD-3-Clause

// Package strobeprom exports what strobe measures to Prometheus: counters, and a native histogram for each zone.
//
//	prometheus.MustRegister(strobeprom.NewCollector(strobeprom.Options{Version: "1.4.2"}))
//	http.Handle("/metrics", promhttp.Handler())
//
// Everything is computed when Prometheus scrapes: spans cost what they cost without it.
//
// # Metrics
//
//	strobe_zone_calls_total{zone}          calls that have ended
//	strobe_zone_seconds_total{zone}        time in the zone, including the spans inside
//	strobe_zone_self_seconds_total{zone}   time in the zone, without the spans inside
//	strobe_zone_duration_seconds{zone}     durations of single calls, a native histogram
//	strobe_frames_total{loop}              calls of strobe.Frame
//	strobe_frame_duration_seconds{loop}    times between them, a native histogram
//	strobe_misuse_total{kind}              spans that were not ended, or not once: see profile.Snapshot
//	strobe_refused_total                   distributions, lanes and others that strobe's budget did not allow
//	strobe_memory_bytes                    memory that strobe holds
//	strobe_span_cost_seconds               what a span costs its goroutine
//
// With Options.SlowFrames the frame times have exemplars that name slow frames.
//
// All have a label version if Options.Version is set. Zones of the same name are one. The time of a call that has not ended
// is in strobe_zone_seconds_total and not in the histogram; that of a recursive call is in the histogram a second time.
// Otherwise the sum of the histogram is that total, and its count is strobe_zone_calls_total. Calls whose duration is not
// known, as on lanes beyond strobe's budget, are added to the histogram when the next known one of the zone is.
//
// Native histograms are sent in the protobuf format only: the server must have scrape_native_histograms set. In the text
// format a histogram has its sum and its count, and buckets for the zones of Options.Classic.
//
// To compress the metrics takes longer than to make them. Where the network is fast, set enable_compression to false in the
// server's configuration, or DisableCompression in promhttp.HandlerOpts.
//
// # Accuracy
//
// Strobe's own cells are a sixteenth of an octave wide. Within a cell nothing is known, and calls are divided among native
// buckets by a smooth curve through the counts of the cells. Where the logarithm of the durations varies by a tenth or more,
// quantiles of the merged histograms of several processes are within 0.2 % in the tests of this package. Where all calls
// take the same time to within a few percent, a quantile may be off by the width of a cell, 6.3 %.
//
// Histograms begin with schema 6, 64 buckets an octave, and take the next coarser one when they have more than
// Options.Buckets. Prometheus merges different schemas.
package strobeprom
