// SPDX-License-Identifier: BSD-3-Clause

package strobeotel

import (
	"context"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/profile/cumulative"
)

// Options specify what a Producer exports. The zero value is useful.
type Options struct {
	// Zones is the number of zones with their own data points: those with the most time. The rest are added up under the
	// name "(other)". 0 means 200; a negative value means all.
	Zones int

	// Buckets is the maximum number of buckets of a histogram; one that would exceed it changes to the next smaller scale. 0
	// or less means 160.
	Buckets int
}

// A Producer is a metric.Producer of everything that strobe has measured since this process started. It is safe for
// concurrent use.
type Producer struct {
	buckets int

	mu     sync.Mutex
	reader strobe.Reader
	zones  *cumulative.State
	began  time.Time // when strobe began to measure, from the first reading
}

// NewProducer returns a Producer.
func NewProducer(o Options) *Producer {
	limits := cumulative.Limits{Zones: o.Zones, Buckets: o.Buckets}
	if limits.Zones == 0 {
		limits.Zones = 200
	}
	if limits.Buckets <= 0 {
		limits.Buckets = 160
	}
	return &Producer{buckets: limits.Buckets, zones: cumulative.New(limits), reader: strobe.Reader{Lanes: -1}}
}

// Produce reads what has happened since the last call and returns the new state of all metrics. It returns the error of the
// context, if any.
func (p *Producer) Produce(ctx context.Context) ([]metricdata.ScopeMetrics, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s, series, loops, began, now := p.read()
	var calls, frames []metricdata.DataPoint[int64]
	var total, self []metricdata.DataPoint[float64]
	var durations, times []metricdata.ExponentialHistogramDataPoint[float64]
	for i := range series {
		z := &series[i]
		zone := attribute.NewSet(attribute.String("zone", z.Name))
		calls = append(calls, metricdata.DataPoint[int64]{Attributes: zone, StartTime: z.Since, Time: now, Value: int64(z.Calls)})
		total = append(total, metricdata.DataPoint[float64]{Attributes: zone, StartTime: z.Since, Time: now, Value: z.Total.Seconds()})
		if !z.SelfUnknown {
			self = append(self, metricdata.DataPoint[float64]{Attributes: zone, StartTime: z.Since, Time: now, Value: z.Self.Seconds()})
		}
		durations = append(durations, p.histogram(z, zone, now))
	}
	for i := range loops {
		l := &loops[i]
		loop := attribute.NewSet(attribute.String("loop", l.Name))
		frames = append(frames, metricdata.DataPoint[int64]{Attributes: loop, StartTime: began, Time: now, Value: int64(l.Calls)})
		times = append(times, p.histogram(l, loop, now))
	}
	enabled := []metricdata.DataPoint[int64]{{Time: now}}
	if strobe.Enabled && s.Enabled() {
		enabled[0].Value = 1
	}
	memory := []metricdata.DataPoint[int64]{{Time: now, Value: s.Memory}}
	all := []metricdata.Metrics{
		{Name: "strobe.zone.calls", Description: "Calls of the zone that have ended.", Unit: "{call}", Data: sum(calls)},
		{Name: "strobe.zone.time", Description: "Time in the zone, including the spans inside.", Unit: "s", Data: sum(total)},
		{Name: "strobe.zone.self_time", Description: "Time in the zone, without the spans inside.", Unit: "s", Data: sum(self)},
		{Name: "strobe.zone.duration", Description: "Durations of single calls of the zone.", Unit: "s",
			Data: metricdata.ExponentialHistogram[float64]{Temporality: metricdata.CumulativeTemporality, DataPoints: durations}},
		{Name: "strobe.frames", Description: "Iterations of the loop.", Unit: "{frame}", Data: sum(frames)},
		{Name: "strobe.frame.duration", Description: "Times between iterations of the loop.", Unit: "s",
			Data: metricdata.ExponentialHistogram[float64]{Temporality: metricdata.CumulativeTemporality, DataPoints: times}},
		{Name: "strobe.memory", Description: "Memory that strobe holds.", Unit: "By", Data: metricdata.Gauge[int64]{DataPoints: memory}},
		{Name: "strobe.enabled", Description: "Whether zones measure: 1, or 0 if measuring is turned off.", Unit: "1", Data: metricdata.Gauge[int64]{DataPoints: enabled}},
	}
	return []metricdata.ScopeMetrics{{Scope: instrumentation.Scope{Name: scope}, Metrics: all}}, nil
}

// read takes a reading. Its results do not change afterwards.
func (p *Producer) read() (s profile.Snapshot, zones, loops []cumulative.Series, began, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, now = p.reader.Read(), time.Now()
	if p.began.IsZero() {
		p.began = now.Add(-s.Elapsed)
	}
	p.zones.Add(s, now)
	return s, p.zones.Series(), p.zones.Loops(), p.began, now
}

func (p *Producer) histogram(s *cumulative.Series, of attribute.Set, now time.Time) metricdata.ExponentialHistogramDataPoint[float64] {
	b := s.Buckets.Fit(p.buckets) // empty buckets between others count too
	return metricdata.ExponentialHistogramDataPoint[float64]{
		Attributes: of, StartTime: s.Since, Time: now,
		Count: s.N, Sum: s.Sum.Seconds(), Scale: int32(b.Scale), ZeroCount: b.Zero,
		PositiveBucket: metricdata.ExponentialBucket{Offset: int32(b.Offset), Counts: b.Counts},
	}
}

func sum[N int64 | float64](points []metricdata.DataPoint[N]) metricdata.Sum[N] {
	return metricdata.Sum[N]{Temporality: metricdata.CumulativeTemporality, IsMonotonic: true, DataPoints: points}
}
