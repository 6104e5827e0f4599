// SPDX-License-Identifier: BSD-3-Clause

package strobeotel

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/strobe-go/strobe"
)

var _ metric.Producer = (*Producer)(nil)

// collect collects through a reader of a MeterProvider.
func collect(t *testing.T, r *metric.ManualReader) map[string]metricdata.Metrics {
	t.Helper()
	var data metricdata.ResourceMetrics
	if err := r.Collect(context.Background(), &data); err != nil {
		t.Fatal(err)
	}
	all := map[string]metricdata.Metrics{}
	for _, s := range data.ScopeMetrics {
		for _, m := range s.Metrics {
			all[m.Name] = m
		}
	}
	return all
}

func provided(t *testing.T, p *Producer) *metric.ManualReader {
	t.Helper()
	r := metric.NewManualReader(metric.WithProducer(p))
	provider := metric.NewMeterProvider(metric.WithReader(r))
	t.Cleanup(func() { provider.Shutdown(context.Background()) })
	return r
}

func value[N int64 | float64](t *testing.T, m metricdata.Metrics, label, name string) N {
	t.Helper()
	s, ok := m.Data.(metricdata.Sum[N])
	if !ok || !s.IsMonotonic || s.Temporality != metricdata.CumulativeTemporality {
		t.Fatalf("%s is %+v", m.Name, m.Data)
	}
	for _, p := range s.DataPoints {
		if v, _ := p.Attributes.Value(attribute.Key(label)); v.AsString() == name {
			return p.Value
		}
	}
	t.Fatalf("no %s of %s", m.Name, name)
	return 0
}

func histogram(t *testing.T, m metricdata.Metrics, zone string) metricdata.ExponentialHistogramDataPoint[float64] {
	t.Helper()
	for _, p := range m.Data.(metricdata.ExponentialHistogram[float64]).DataPoints {
		if v, _ := p.Attributes.Value("zone"); v.AsString() == zone {
			n := p.ZeroCount
			for _, c := range p.PositiveBucket.Counts {
				n += c
			}
			if n != p.Count {
				t.Errorf("%s: %d calls in buckets, count %d", zone, n, p.Count)
			}
			return p
		}
	}
	t.Fatalf("no histogram of %s", zone)
	return metricdata.ExponentialHistogramDataPoint[float64]{}
}

func quantile(q float64, h metricdata.ExponentialHistogramDataPoint[float64]) float64 {
	rank := q * float64(h.Count)
	for i, c := range h.PositiveBucket.Counts {
		if rank <= float64(c) && c > 0 {
			return math.Exp2((float64(int(h.PositiveBucket.Offset)+i) + rank/float64(c)) / math.Exp2(float64(h.Scale)))
		}
		rank -= float64(c)
	}
	return math.NaN()
}

func TestTheReaderCollectsWhatStrobeMeasured(t *testing.T) {
	zone := strobe.NewZone("collected")
	r := rand.New(rand.NewPCG(1, 1))
	var all []float64
	sum := 0.0
	for range 100_000 {
		d := time.Duration(1e7 * math.Exp(0.2*r.NormFloat64()))
		zone.Add(d)
		all = append(all, d.Seconds())
		sum += d.Seconds()
	}
	strobe.Frame("loop")
	slices.Sort(all)
	reader := provided(t, NewProducer(Options{}))
	for range 2 { // the second time there is nothing new
		m := collect(t, reader)
		h := histogram(t, m["strobe.zone.duration"], "collected")
		if n := value[int64](t, m["strobe.zone.calls"], "zone", "collected"); n != 100_000 || h.Count != 100_000 {
			t.Errorf("%d calls, %d in the histogram", n, h.Count)
		}
		total, self := value[float64](t, m["strobe.zone.time"], "zone", "collected"), value[float64](t, m["strobe.zone.self_time"], "zone", "collected")
		if total != h.Sum || self != total || math.Abs(total/sum-1) > 1e-4 { // the counter's rate may have been recalibrated
			t.Errorf("total %v, self %v, sum %v, want %v", total, self, h.Sum, sum)
		}
		for _, q := range []float64{0.5, 0.99, 0.999} {
			if got, want := quantile(q, h), all[int(q*float64(len(all)))]; math.Abs(got/want-1) > 0.004 { // scale 5: its buckets are 2.2 % wide
				t.Errorf("p%g is %v, want %v, scale %d", q*100, got, want, h.Scale)
			}
		}
		if n := value[int64](t, m["strobe.frames"], "loop", "loop"); n != 1 {
			t.Errorf("%d frames", n)
		}
		if !h.StartTime.Before(h.Time) || len(h.PositiveBucket.Counts) > 160 {
			t.Errorf("from %v to %v in %d buckets", h.StartTime, h.Time, len(h.PositiveBucket.Counts))
		}
	}
}

func TestItIsSaidThatMeasuringIsOff(t *testing.T) {
	strobe.NewZone("switched")
	reader := provided(t, NewProducer(Options{}))
	defer strobe.SetEnabled(true)
	for _, on := range []bool{true, false, true} {
		strobe.SetEnabled(on)
		points := collect(t, reader)["strobe.enabled"].Data.(metricdata.Gauge[int64]).DataPoints
		if len(points) != 1 || (points[0].Value == 1) != on || points[0].Value != 0 && points[0].Value != 1 {
			t.Errorf("on is %v: %+v", on, points)
		}
	}
}

func TestZonesThatAreFarApartFitIntoTheBuckets(t *testing.T) {
	zone := strobe.NewZone("far apart")
	reader := provided(t, NewProducer(Options{Zones: -1, Buckets: 20}))
	for _, d := range []time.Duration{0, time.Microsecond, time.Millisecond, time.Hour} {
		zone.Add(d)
		h := histogram(t, collect(t, reader)["strobe.zone.duration"], "far apart")
		if len(h.PositiveBucket.Counts) > 20 || h.ZeroCount != 1 {
			t.Errorf("%d buckets, %d zero", len(h.PositiveBucket.Counts), h.ZeroCount)
		}
	}
}

func TestConcurrentCollection(t *testing.T) {
	zone := strobe.NewZone("concurrent")
	p := NewProducer(Options{Zones: -1})
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			reader := provided(t, p)
			before := int64(0)
			for range 50 {
				zone.Enter().Exit()
				var data metricdata.ResourceMetrics
				if err := reader.Collect(context.Background(), &data); err != nil {
					t.Error(err)
					return
				}
				for _, d := range data.ScopeMetrics[0].Metrics[0].Data.(metricdata.Sum[int64]).DataPoints {
					if v, _ := d.Attributes.Value("zone"); v.AsString() == "concurrent" {
						if d.Value < before {
							t.Errorf("%d calls after %d", d.Value, before)
						}
						before = d.Value
					}
				}
			}
		}()
	}
	wg.Wait()
	if n := value[int64](t, collect(t, provided(t, p))["strobe.zone.calls"], "zone", "concurrent"); n != 200 {
		t.Errorf("%d calls, want 200", n)
	}
}

func TestAnEndedContextIsAnError(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := NewProducer(Options{}).Produce(ctx); err == nil {
		t.Error("no error")
	}
}

// The README shows the output of the example; durations may differ.
func TestReadmeShowsTheExample(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the example")
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "run", "./example").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	seconds := regexp.MustCompile(`[0-9.]+ s, scale -?[0-9]+`) // the scale depends on the spread of the durations
	if !strings.Contains(seconds.ReplaceAllString(string(readme), "X"), "```\n"+seconds.ReplaceAllString(string(out), "X")+"```\n") {
		t.Errorf("README.md does not show\n%s", out)
	}
}
