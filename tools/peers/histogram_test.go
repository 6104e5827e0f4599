// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/DataDog/sketches-go/ddsketch"
	"github.com/HdrHistogram/hdrhistogram-go"
	vm "github.com/VictoriaMetrics/metrics"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rcrowley/go-metrics"

	"github.com/strobe-go/strobe/internal/cells"
	strobe "github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/shared"
)

func BenchmarkHistogram(b *testing.B) { runRows(b, histogramRows()) }

// A recorder records samples and, if it can, returns quantiles.
type recorder struct {
	record   func(ns int64)
	quantile func(q float64) float64 // nil if a server computes them
}

func histogramRows() []row {
	hdr := func(digits int) func(b *testing.B) recorder {
		return func(*testing.B) recorder {
			h := hdrhistogram.New(1, 3_600_000_000_000, digits)
			return recorder{func(ns int64) { _ = h.RecordValue(ns) },
				func(q float64) float64 { return float64(h.ValueAtQuantile(100 * q)) }}
		}
	}
	prom := func(o prometheus.HistogramOpts) func(b *testing.B) recorder {
		return func(*testing.B) recorder {
			o.Name = "frame_seconds"
			h := prometheus.NewHistogram(o)
			return recorder{func(ns int64) { h.Observe(float64(ns) * 1e-9) }, nil}
		}
	}
	reservoir := func(sample func() metrics.Sample) func(b *testing.B) recorder {
		return func(*testing.B) recorder {
			h := metrics.NewHistogram(sample())
			return recorder{h.Update, h.Percentile}
		}
	}
	singles := []struct {
		name string
		make func(b *testing.B) recorder
	}{
		{"stat.Histogram.Record", func(*testing.B) recorder {
			h := new(strobe.Histogram)
			return recorder{h.Record, func(q float64) float64 { return float64(h.Quantile(q)) }}
		}},
		{"shared.Histogram.Record", func(*testing.B) recorder {
			h := new(shared.Histogram)
			return recorder{h.Record, func(q float64) float64 { return float64(h.Snapshot().Quantile(q)) }}
		}},
		{"hdrhistogram-3-digits", hdr(3)},
		{"hdrhistogram-2-digits", hdr(2)},
		{"ddsketch-1-percent", func(b *testing.B) recorder {
			s, err := ddsketch.NewDefaultDDSketch(0.01)
			if err != nil {
				b.Fatal(err)
			}
			return recorder{func(ns int64) { _ = s.Add(float64(ns)) }, func(q float64) float64 {
				x, err := s.GetValueAtQuantile(q)
				if err != nil {
					b.Fatal(err)
				}
				return x
			}}
		}},
		{"client_golang-classic", prom(prometheus.HistogramOpts{})},
		{"client_golang-native", prom(prometheus.HistogramOpts{NativeHistogramBucketFactor: 1.1})},
		{"victoriametrics.Histogram", func(*testing.B) recorder {
			h := new(vm.Histogram)
			return recorder{func(ns int64) { h.Update(float64(ns) * 1e-9) }, nil}
		}},
		{"go-metrics-uniform", reservoir(func() metrics.Sample { return metrics.NewUniformSample(1028) })},
		{"go-metrics-decaying", reservoir(func() metrics.Sample { return metrics.NewExpDecaySample(1028, 0.015) })},
	}
	ns := frameTimes()
	all := []row{{"loop-alone", loopAlone}, {"call-and-counter", func(b *testing.B) {
		var c counters
		for i := 0; b.Loop(); i++ {
			c.record(ns[i&4095])
		}
	}}, {"atomic-add", func(b *testing.B) {
		var c [4096]atomic.Uint64
		for i := 0; b.Loop(); i++ {
			c[ns[i&4095]&4095].Add(1)
		}
	}}, {"unchecked-table", func(b *testing.B) {
		t := new(uncheckedTable)
		for i := 0; b.Loop(); i++ {
			t.record(ns[i&4095])
		}
	}}, {"stat.Histogram.Record-direct", func(b *testing.B) {
		var h strobe.Histogram
		for i := 0; b.Loop(); i++ {
			h.Record(ns[i&4095])
		}
	}}, {"shared.Histogram.Record-direct", func(b *testing.B) {
		var h shared.Histogram
		for i := 0; b.Loop(); i++ {
			h.Record(ns[i&4095])
		}
	}}, {"par2/shared.Histogram.Record-direct", func(b *testing.B) {
		var h shared.Histogram
		var wg sync.WaitGroup
		for range 2 {
			stripe := h.Stripe()
			wg.Go(func() {
				for i := range (b.N + 1) / 2 {
					stripe.Record(ns[i&4095])
				}
			})
		}
		wg.Wait()
	}}}
	for _, s := range singles {
		all = append(all, row{s.name, func(b *testing.B) {
			r := s.make(b)
			for i := 0; b.Loop(); i++ {
				r.record(ns[i&4095])
			}
			if r = s.make(b); r.quantile != nil {
				b.ReportMetric(quantileError(r), "error-%")
			}
		}})
	}
	for _, s := range singles {
		if s.name != "client_golang-classic" && s.name != "client_golang-native" && s.name != "victoriametrics.Histogram" {
			continue // the others do not allow several goroutines
		}
		all = append(all, row{"par2/" + s.name, func(b *testing.B) {
			r := s.make(b)
			two(b, func() { r.record(ns[0]) })
		}})
	}
	return all
}

// counters is the lower limit for a histogram that is not inlined: a call, and one addition in memory.
type counters [4096]uint64

//go:noinline
func (c *counters) record(ns int64) { c[ns&4095]++ }

// An uncheckedTable has the cells of a stat.Histogram for every uint64, and no checks.
type uncheckedTable struct {
	cells [1 << 13]uint64
	sum   int64
}

func (t *uncheckedTable) record(ns int64) {
	const layout = cells.Layout(7)
	t.cells[layout.Index(uint64(ns))&(1<<13-1)]++
	t.sum += ns
}

// manyFrameTimes are 200 000 frame times, and the same sorted.
var manyFrameTimes = sync.OnceValues(func() (ns, sorted []int64) {
	for i := range 200_000 {
		x := frameTimes()[i&4095]
		ns = append(ns, x+int64(i)*x/200_000_000) // all different
	}
	sorted = slices.Clone(ns)
	slices.Sort(sorted)
	return ns, sorted
})

// quantileError returns the worst error of p50, p90, p99 and p99.9 in percent of the true one.
func quantileError(r recorder) float64 {
	ns, sorted := manyFrameTimes()
	for _, x := range ns {
		r.record(x)
	}
	worst := 0.0
	for _, q := range []float64{0.5, 0.9, 0.99, 0.999} {
		exact := float64(sorted[int(math.Ceil(q*float64(len(sorted))))-1])
		worst = math.Max(worst, 100*math.Abs(r.quantile(q)-exact)/exact)
	}
	return worst
}
