// SPDX-License-Identifier: BSD-3-Clause

// Package strobeotel exports what strobe measures as OpenTelemetry metrics, with exponential histograms.
//
//	reader := metric.NewPeriodicReader(exporter, metric.WithProducer(strobeotel.NewProducer(strobeotel.Options{})))
//	provider := metric.NewMeterProvider(metric.WithReader(reader), metric.WithResource(res))
//
// A Producer plugs into a reader of the program's own MeterProvider, so its metrics are exported together with the program's.
// OpenTelemetry's instruments cannot take existing histograms; Producers can. All work is done when the reader collects, so
// spans do not become slower.
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
//	strobe.enabled         1        gauge      1, or 0 if measuring is turned off: see profile.Snapshot.Enabled
//
// The first four have the attribute zone, and the next two the attribute loop. All sums and histograms are cumulative,
// whatever temporality the exporter prefers: the SDK does not convert the output of a Producer.
//
// The documentation of github.com/strobe-go/strobe/contrib/prometheus describes the meaning of the numbers and the accuracy
// of quantiles.
//
// # Slow requests
//
// Reports makes a span of each report of package capture: why a frame or request was slow, in the trace that it belongs to.
package strobeotel
