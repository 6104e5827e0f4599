// SPDX-License-Identifier: BSD-3-Clause

// Package strobeotel exports what strobe measures as OpenTelemetry metrics, with exponential histograms.
//
//	reader := metric.NewPeriodicReader(exporter, metric.WithProducer(strobeotel.NewProducer(strobeotel.Options{})))
//	provider := metric.NewMeterProvider(metric.WithReader(reader), metric.WithResource(res))
//
// A Producer belongs to a reader of the program's own MeterProvider, and its metrics go wherever those of the program go. The
// instruments of OpenTelemetry cannot take histograms that exist already; Producers can. Everything is computed when the
// reader collects: spans cost what they cost without it.
//
// # Metrics
//
//	strobe.zone.calls      {call}   sum        calls that have ended
//	strobe.zone.time       s        sum        time in the zone, including the spans inside
//	strobe.zone.self_time  s        sum        time in the zone, without the spans inside
//	strobe.zone.duration   s        exponential histogram of the durations of single calls
//	strobe.frames          {frame}  sum        calls of strobe.Frame
//	strobe.frame.duration  s        exponential histogram of the times between them
//	strobe.memory          By       gauge      memory that strobe holds
//
// The attribute of the first four is zone, that of the next two is loop. All sums and histograms are cumulative, whatever
// temporality the exporter prefers: the SDK does not convert what a Producer delivers.
//
// What the numbers mean and how accurate quantiles are is documented in github.com/strobe-go/strobe/contrib/prometheus.
package strobeotel
