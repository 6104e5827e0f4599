// SPDX-License-Identifier: BSD-3-Clause

package strobeprom

import (
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/strobe-go/strobe/profile/cumulative"
)

// A prebuilt metric is ready to be sent to a server. It does not change, so it can be sent again.
type prebuilt struct {
	desc      *prometheus.Desc
	labels    []*dto.LabelPair
	counter   *dto.Counter
	histogram *dto.Histogram
}

func (m *prebuilt) Desc() *prometheus.Desc { return m.desc }

// Write writes the metric.
func (m *prebuilt) Write(out *dto.Metric) error {
	out.Label, out.Counter, out.Histogram = m.labels, m.counter, m.histogram
	return nil
}

// zoneMetrics are the metrics of a zone, in one allocation.
type zoneMetrics struct {
	revision uint64
	latest   time.Time // of the exemplars
	metrics  [4]prebuilt

	selfUnknown bool // then the metric of the self time is left out
	counters    [3]dto.Counter
	values      [3]float64
	native      native
}

// selfMetric is the index of the self time among the metrics of a zone.
const selfMetric = 2

// newZone returns the metrics of a zone. before holds its previous metrics, or is nil.
func (d *descriptions) newZone(s *cumulative.Series, before *zoneMetrics) *zoneMetrics {
	z := &zoneMetrics{revision: s.Revision, selfUnknown: s.SelfUnknown, values: [3]float64{float64(s.Calls), s.Total.Seconds(), s.Self.Seconds()}}
	var labels []*dto.LabelPair
	if before != nil {
		labels = before.metrics[0].labels
	} else {
		labels = prometheus.MakeLabelPairs(d.calls, []string{s.Name}) // the zone's other metrics have the same labels
	}
	since := timestamppb.New(s.Since)
	for i, desc := range [...]*prometheus.Desc{d.calls, d.total, d.self} {
		z.counters[i].Value, z.counters[i].CreatedTimestamp = &z.values[i], since
		z.metrics[i] = prebuilt{desc: desc, labels: labels, counter: &z.counters[i]}
	}
	z.native.fill(s, since)
	z.metrics[3] = prebuilt{desc: d.durations, labels: labels, histogram: &z.native.Histogram}
	return z
}

type descriptions struct {
	calls, total, self, durations *prometheus.Desc // of zones
	frames, frameTimes            *prometheus.Desc // of loops
	slow, silent                  *prometheus.Desc // slow units, by root and cause
	misuse                        *prometheus.Desc // by kind
	refused, memory, cost         *prometheus.Desc // of the process
	enabled                       *prometheus.Desc
}

func newDescriptions(version string) descriptions {
	var labels prometheus.Labels
	if version != "" {
		labels = prometheus.Labels{"version": strings.ToValidUTF8(version, "\uFFFD")}
	}
	desc := func(name, help string, variable ...string) *prometheus.Desc {
		return prometheus.NewDesc("strobe_"+name, help, variable, labels)
	}
	return descriptions{
		calls:      desc("zone_calls_total", "Calls of the zone that have ended.", "zone"),
		total:      desc("zone_seconds_total", "Time in the zone, including the spans inside.", "zone"),
		self:       desc("zone_self_seconds_total", "Time in the zone, without the spans inside.", "zone"),
		durations:  desc("zone_duration_seconds", "Durations of single calls of the zone.", "zone"),
		frames:     desc("frames_total", "Iterations of the loop.", "loop"),
		frameTimes: desc("frame_duration_seconds", "Times between iterations of the loop.", "loop"),
		slow:       desc("slow_units_total", "Slow frames and calls of root zones that package capture explained.", "root", "cause"),
		silent:     desc("slow_units_unexplained_total", "Slow frames and calls of root zones that package capture did not explain, or whose report was not seen."),
		misuse:     desc("misuse_total", "Spans that were never ended, ended more than once, or ended on another goroutine.", "kind"),
		refused:    desc("refused_total", "Distributions, lanes, nodes and recordings that the budget of strobe did not allow."),
		memory:     desc("memory_bytes", "Memory that strobe holds."),
		enabled:    desc("enabled", "Whether zones measure: 1, or 0 if measuring is turned off."),
		cost:       desc("span_cost_seconds", "Time that a span costs its goroutine."),
	}
}

func (d *descriptions) all() []*prometheus.Desc {
	return []*prometheus.Desc{d.calls, d.total, d.self, d.durations, d.frames, d.frameTimes, d.slow, d.silent, d.misuse, d.refused, d.memory, d.cost, d.enabled}
}
