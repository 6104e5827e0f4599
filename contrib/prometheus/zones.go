// SPDX-License-Identifier: BSD-3-Clause

package strobeprom

import (
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
