// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"gonum.org/v1/gonum/stat"

	strobe "github.com/strobe-go/strobe/stat"
)

func BenchmarkMoments(b *testing.B) { runRows(b, momentsRows()) }

var keptFloat float64

// frameTimes are 4096 durations in ns that resemble frame times: lognormal around 16.7 ms, one in 500 ten times as long.
var frameTimes = sync.OnceValue(func() []int64 {
	r := rand.New(rand.NewPCG(1, 2))
	ns := make([]int64, 4096)
	for i := range ns {
		x := 16.7e6 * math.Exp(0.1*r.NormFloat64())
		if r.IntN(500) == 0 {
			x *= 10
		}
		ns[i] = int64(x)
	}
	return ns
})

// two divides a benchmark's operations among two goroutines.
func two(b *testing.B, op func()) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range (b.N + 1) / 2 {
				op()
			}
		})
	}
	wg.Wait()
}

// loopAlone fetches samples and adds them up.
func loopAlone(b *testing.B) {
	ns, sum := frameTimes(), int64(0)
	for i := 0; b.Loop(); i++ {
		sum += ns[i&4095]
	}
	keptFloat = float64(sum)
}

func momentsRows() []row {
	ns := frameTimes()
	floats := make([]float64, len(ns))
	for i, x := range ns {
		floats[i] = float64(x)
	}
	return []row{
		{"loop-alone", loopAlone},
		{"stat.Moments.Add", func(b *testing.B) {
			var m strobe.Moments
			for i := 0; b.Loop(); i++ {
				m.Add(ns[i&4095])
			}
			keptFloat = m.StdDev()
		}},
		{"stat.BatchMeans.Add", func(b *testing.B) {
			var m strobe.BatchMeans
			for i := 0; b.Loop(); i++ {
				m.Add(ns[i&4095])
			}
			keptFloat = m.Interval(0.95).Center
		}},
		{"welford", func(b *testing.B) {
			var n, mean, sum float64
			for i := 0; b.Loop(); i++ {
				x := floats[i&4095]
				n++
				d := x - mean
				mean += d / n
				sum += d * (x - mean)
			}
			keptFloat = math.Sqrt(sum / (n - 1))
		}},
		{"gonum.stat.MeanStdDev", func(b *testing.B) {
			calls := 0
			for b.Loop() { // one call is 4096 samples
				_, keptFloat = stat.MeanStdDev(floats, nil)
				calls++
			}
			b.ReportMetric(float64(b.Elapsed())/float64(calls)/float64(len(floats)), "ns/op")
		}},
		{"client_golang.Summary.Observe", func(b *testing.B) {
			s := prometheus.NewSummary(prometheus.SummaryOpts{Name: "frame"})
			for i := 0; b.Loop(); i++ {
				s.Observe(floats[i&4095])
			}
		}},
	}
}
