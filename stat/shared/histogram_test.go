// SPDX-License-Identifier: BSD-3-Clause

package shared

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/strobe-go/strobe/stat"
)

func TestSnapshotIsTheOwnedHistogramOfTheSameSamples(t *testing.T) {
	draws := map[string]func(*rand.Rand) int64{
		"nanoseconds": func(r *rand.Rand) int64 { return int64(1e6 * math.Exp(2*r.NormFloat64())) },
		"any":         func(r *rand.Rand) int64 { return int64(r.Uint64() >> r.IntN(64)) },
		"one value":   func(*rand.Rand) int64 { return 1000003 },
	}
	for name, draw := range draws {
		for _, n := range []int{0, 1, 2, 5000} {
			r := rand.New(rand.NewPCG(1, 1))
			var owned stat.Histogram
			var h Histogram
			stripe := h.Stripe()
			for i := range n {
				v := draw(r)
				owned.Record(max(v, 0))
				if i%2 == 0 {
					h.Record(v)
				} else {
					stripe.Record(v)
				}
			}
			s := h.Snapshot()
			if s.N() != owned.N() {
				t.Errorf("%s: %d samples, want %d", name, s.N(), owned.N())
			}
			for _, q := range []float64{0, 0.01, 0.5, 0.99, 1} {
				if got, want := s.Quantile(q), owned.Quantile(q); math.Abs(float64(got-want)) > 0.004*float64(want) {
					t.Errorf("%s: quantile %v is %d, want %d", name, q, s.Quantile(q), owned.Quantile(q))
				}
			}
			if d := math.Abs(s.Mean() - owned.Mean()); d > 0.004*owned.Mean() {
				t.Errorf("%s: mean %v, want %v", name, s.Mean(), owned.Mean())
			}
		}
	}
}

func TestNoSampleIsLostBetweenGoroutines(t *testing.T) {
	const writers, each = 4, 5000
	var h Histogram
	var wait sync.WaitGroup
	for w := range writers {
		mine := &h
		if w%2 == 0 {
			mine = h.Stripe()
		}
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := range int64(each) {
				mine.Record(i * int64(w+1))
			}
		}()
	}
	seen := uint64(0)
	for range 20 {
		s := h.Snapshot()
		if n := s.N(); n < seen || n > writers*each {
			t.Errorf("%d samples after %d", n, seen)
		} else {
			seen = n
		}
	}
	wait.Wait()
	if s := h.Snapshot(); s.N() != writers*each || s.Min() != 0 {
		t.Errorf("%d samples from %d to %d", s.N(), s.Min(), s.Max())
	}
}

func TestRecordDoesNotAllocate(t *testing.T) {
	var h Histogram
	if n := testing.AllocsPerRun(1000, func() { h.Record(1 << 40) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// frameTimes are 4096 nanosecond samples around 16.7 ms.
func frameTimes() (samples [4096]int64) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range samples {
		samples[i] = int64(16.7e6 * math.Exp(r.NormFloat64()/10))
	}
	return samples
}

// BenchmarkRecord reports ns/record; ns/op is that of 4096 records.
func BenchmarkRecord(b *testing.B) {
	samples := frameTimes()
	b.Run("serial", func(b *testing.B) {
		var h Histogram
		for b.Loop() {
			for _, v := range samples {
				h.Record(v)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(samples)), "ns/record")
	})
	for name, striped := range map[string]bool{"two-striped": true, "two-in-one": false} {
		b.Run(name, func(b *testing.B) { // each of two goroutines records all samples, which takes as long as in serial if neither disturbs the other
			var h Histogram
			b.SetParallelism(1)
			b.RunParallel(func(p *testing.PB) {
				mine := &h
				if striped {
					mine = h.Stripe()
				}
				for p.Next() {
					for _, v := range samples {
						mine.Record(v)
					}
				}
			})
			b.ReportMetric(2*float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(samples)), "ns/record")
		})
	}
}
