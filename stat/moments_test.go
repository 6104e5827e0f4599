// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// naive computes mean, variance and lag-1 by their definitions in rational arithmetic.
func naive(samples []int64) (mean, variance, lag1 float64) {
	n := big.NewRat(int64(len(samples)), 1)
	m := new(big.Rat)
	for _, x := range samples {
		m.Add(m, new(big.Rat).SetInt64(x))
	}
	m.Quo(m, n)
	squares, products, before := new(big.Rat), new(big.Rat), new(big.Rat)
	for i, x := range samples {
		d := new(big.Rat).Sub(new(big.Rat).SetInt64(x), m)
		squares.Add(squares, new(big.Rat).Mul(d, d))
		if i > 0 {
			products.Add(products, new(big.Rat).Mul(d, before))
		}
		before = d
	}
	mean, _ = m.Float64()
	if squares.Sign() != 0 {
		lag1, _ = products.Quo(products, squares).Float64()
	}
	variance, _ = squares.Quo(squares, n.Sub(n, big.NewRat(1, 1))).Float64()
	return mean, variance, lag1
}

// mixtures generate samples that cover every path: blocks with small and wide ranges, both signs, the extremes of int64.
var mixtures = map[string]func(r *rand.Rand) int64{
	"nanoseconds": func(r *rand.Rand) int64 { return 16_000_000 + r.Int64N(1_000_000) },
	"mixed signs": func(r *rand.Rand) int64 { return r.Int64N(2001) - 1000 },
	"hours":       func(r *rand.Rand) int64 { return r.Int64N(1 << 43) },
	"both":        func(r *rand.Rand) int64 { return int64(1)<<r.IntN(62) - 1<<30 },
	"extreme": func(r *rand.Rand) int64 {
		return []int64{math.MinInt64, math.MaxInt64, math.MinInt64 + 1, 0, -1}[r.IntN(5)]
	},
}

func TestMomentsAreTheDefinitionsRoundedOnce(t *testing.T) {
	for name, draw := range mixtures {
		r := rand.New(rand.NewPCG(1, 2))
		for n := 2; n < 60; n++ {
			var m Moments
			samples := make([]int64, n)
			least, most := int64(math.MaxInt64), int64(math.MinInt64)
			for i := range samples {
				x := draw(r)
				samples[i], least, most = x, min(least, x), max(most, x)
				m.Add(x)
			}
			mean, variance, lag1 := naive(samples)
			r1, _ := m.Lag1()
			if m.Mean() != mean || m.Variance() != variance || r1 != lag1 {
				t.Fatalf("%s, n=%d: got %v %v %v, want %v %v %v", name, n, m.Mean(), m.Variance(), r1, mean, variance, lag1)
			}
			if m.N() != uint64(n) || m.Min() != least || m.Max() != most {
				t.Fatalf("%s: n %d, min %d, max %d; want %d %d %d", name, m.N(), m.Min(), m.Max(), n, least, most)
			}
			if sd := math.Sqrt(variance); math.Abs(m.StdDev()-sd) > 1e-15*sd {
				t.Fatalf("%s: standard deviation %v, want %v", name, m.StdDev(), sd)
			}
		}
	}
}

func TestMergeGivesTheSameBitsForEverySplit(t *testing.T) {
	for name, draw := range mixtures {
		r := rand.New(rand.NewPCG(3, 4))
		samples := make([]int64, 500)
		var whole Moments
		for i := range samples {
			samples[i] = draw(r)
			whole.Add(samples[i])
		}
		want := whole.total()
		for range 50 {
			var parts [3]Moments
			a, b := r.IntN(501), r.IntN(501)
			a, b = min(a, b), max(a, b)
			for i, x := range samples {
				switch {
				case i < a:
					parts[0].Add(x)
				case i < b:
					parts[1].Add(x)
				default:
					parts[2].Add(x)
				}
			}
			left, right := parts[0], parts[1]
			left.Merge(&parts[1])
			left.Merge(&parts[2])
			right.Merge(&parts[2])
			parts[0].Merge(&right)
			if left.total() != want || parts[0].total() != want {
				t.Fatalf("%s: split at %d and %d differs", name, a, b)
			}
		}
	}
}

func TestMergeWithItselfDoublesAndWithNothingKeeps(t *testing.T) {
	var m, empty Moments
	m.Add(3)
	m.Add(5)
	m.Merge(&empty)
	m.Merge(nil)
	m.Merge(&m)
	empty.Merge(&m)
	if m.N() != 4 || m.Mean() != 4 || empty.Min() != 3 || empty.Max() != 5 {
		t.Errorf("n %d, mean %v, min %d, max %d", m.N(), m.Mean(), empty.Min(), empty.Max())
	}
}

func TestReadingDoesNotChangeMoments(t *testing.T) {
	var m Moments
	for x := range int64(11) {
		m.Add(x)
	}
	before := m
	m.Mean()
	m.StdErr()
	m.Lag1()
	m.Interval(0.9)
	if m != before {
		t.Error("a query changed the state")
	}
}

func TestTooFewOrEqualSamplesHaveNoSpread(t *testing.T) {
	var m Moments
	if _, ok := m.Lag1(); ok || m.Mean() != 0 || m.Variance() != 0 || m.StdDev() != 0 || m.StdErr() != 0 {
		t.Error("empty moments are not zero")
	}
	for range 3 {
		m.Add(-7)
	}
	if _, ok := m.Lag1(); ok || m.Mean() != -7 || m.StdDev() != 0 {
		t.Error("equal samples have a lag-1 or a spread")
	}
}

func TestAddDoesNotAllocate(t *testing.T) {
	var m Moments
	if n := testing.AllocsPerRun(1000, func() { m.Add(1 << 40) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkMomentsAdd(b *testing.B) {
	samples := frameTimes()
	var m Moments
	for b.Loop() {
		for _, x := range samples {
			m.Add(x)
		}
	}
	reportPerSample(b)
}

// reportPerSample reports the time per sample, if an iteration takes 4096 samples.
func reportPerSample(b *testing.B) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/4096, "ns/sample")
}

// frameTimes are 4096 nanosecond samples around 16.7 ms, for benchmarks.
func frameTimes() *[4096]int64 {
	var samples [4096]int64
	r := rand.New(rand.NewPCG(5, 6))
	for i := range samples {
		samples[i] = int64(16.7e6 * math.Exp(r.NormFloat64()/10))
	}
	return &samples
}
