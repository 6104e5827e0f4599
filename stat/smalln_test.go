// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"flag"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// A judged counts how the intervals of many series of one kind did.
type judged struct {
	replicates, missed, warned, both, heavy int
	logWidth                                float64 // sum of the logarithms of the widths, in widths of Student's interval
}

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
		for _, text := range iv.Warnings {
			if strings.HasPrefix(text, "skewed") {
				j.heavy++
			}
		}
		if missed {
			j.missed++
		}
		if warned {
			j.warned++
		}
		if missed && warned {
			j.both++
		}
		m := b.Moments()
		j.logWidth += math.Log(iv.Half() / m.Interval(0.95).Half())
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

var long = flag.Bool("long", false, "simulate ten times as many samples, of more sizes")

// A source is a process whose mean is known.
type source struct {
	name  string
	truth float64
	draw  func(*rand.Rand, []float64)
	clean bool    // a warning is needless
	light bool    // a warning of a heavy tail is needless
	wide  float64 // most that the geometric mean of the widths may be for 16 samples, in widths of Student's interval; 0 is any
}

func sources() []source {
	exponential := func(r *rand.Rand) float64 { return r.ExpFloat64() }
	pareto := independent(func(r *rand.Rand) float64 { return math.Pow(1-r.Float64(), -1/1.5) })
	return []source{
		{"normal", 10, independent(func(r *rand.Rand) float64 { return 10 + r.NormFloat64() }), true, true, 1.33},
		{"uniform", 0.5, independent(func(r *rand.Rand) float64 { return r.Float64() }), true, true, 1.33},
		{"exponential", 1, independent(exponential), true, true, 2.5},
		{"gamma, shape 2", 2, independent(func(r *rand.Rand) float64 { return exponential(r) + exponential(r) }), true, true, 1.8},
		{"lognormal, sigma 1", math.Exp(0.5), lognormal(1), false, true, 3},
		{"lognormal, sigma 1.5", math.Exp(1.125), lognormal(1.5), false, false, 4},
		{"lognormal, sigma 2", math.Exp(2), lognormal(2), false, false, 4.2},
		{"lognormal, shifted", 5 + math.Exp(2), independent(func(r *rand.Rand) float64 { return 5 + math.Exp(2*r.NormFloat64()) }), false, false, 4.2},
		{"Pareto, exponent 1.5", 3, pareto, false, false, 3.8}, // of infinite variance
		{"AR(0.5)", 10, noisy(0.5, level), false, true, 4.8},
		{"AR(0.8)", 10, noisy(0.8, level), false, true, 9},
		{"AR(0.9)", 10, noisy(0.9, level), false, true, 10},
		{"AR(-0.5)", 10, noisy(-0.5, level), false, true, 1.2},
	}
}

// The interval covers the mean at least 93 of 100 times, or 90 of 100 that miss it are warned of; and at most 5 of 100 series
// are warned of without need.
func TestSmallSamplesAreCoveredOrWarnedOf(t *testing.T) {
	const (
		needless = 5.0  // percent of replicates
		covered  = 93.0 // percent
		caught   = 90.0 // percent of the misses
	)
	replicates, sizes := 2000, []int{16, 32, 128, 1000}
	switch {
	case *long:
		replicates, sizes = 20000, []int{16, 18, 20, 24, 28, 32, 40, 50, 63, 64, 100, 127, 128, 200, 255, 256, 400, 512, 1000}
	case testing.Short() || raceEnabled:
		replicates = 1000
	}
	t.Logf("%d series of each kind and size; -long draws 20000, of more sizes", replicates)
	for _, c := range sources() {
		for _, n := range sizes {
			j := judge(replicates, n, c.truth, c.draw)
			all := float64(replicates) / 100
			hit, warned, heavy := 100-float64(j.missed)/all, float64(j.warned)/all, float64(j.heavy)/all
			both := 100 * float64(j.both) / float64(max(1, j.missed))
			wide := math.Exp(j.logWidth / float64(replicates))
			t.Logf("%-20s n=%-4d covered %.1f %%, warned of %.1f %%, of a heavy tail %.1f %%, of the misses %.0f %%, %.2f times as wide as Student's",
				c.name, n, hit, warned, heavy, both, wide)
			noise := func(percent, of float64) float64 { return 2 * math.Sqrt(percent*(100-percent)/of) }
			loose := needless + noise(needless, float64(replicates))
			switch {
			case c.clean && (warned > loose || hit < covered) || c.light && heavy > loose:
				t.Errorf("%s, n=%d: %.1f %% are warned of without need, %.1f %% of a heavy tail, %.1f %% cover", c.name, n, warned, heavy, hit)
			case hit < covered-noise(covered, float64(replicates)) && both < caught-noise(caught, float64(j.missed)):
				t.Errorf("%s, n=%d: %.1f %% cover, and of the misses %.0f %% are warned of, want %v or %v", c.name, n, hit, both, covered, caught)
			case n == 16 && wide > c.wide:
				t.Errorf("%s: %.2f times as wide as Student's interval, want %v at most", c.name, wide, c.wide)
			}
		}
	}
}

// The interval of counts, of which most are the least, stays within three times what skewness alone gives it: their
// logarithms say nothing of a tail.
func TestBoundsOfCountsStayNear(t *testing.T) {
	var b BatchMeans
	for i := range 100 {
		b.Add(int64(i * i % 101 / 80 * 1000)) // the squares modulo a prime: a fifth are 1000, in no order
	}
	iv, m := b.Interval(0.95), b.Moments()
	if naive := m.Interval(0.95); iv.Hi-iv.Center > 4*naive.Half() || iv.Hi <= iv.Center {
		t.Errorf("%v, Student's %v", iv, naive)
	}
}

// Ten less than these the logarithms are 0, 1 and 2 times that of 4; half of the mean distance from 11, over 3, is 1.
func TestLognormalReachIsOlssonsBound(t *testing.T) {
	x, log4 := []float64{26, 11, 14}, math.Log(4)
	for _, c := range []struct{ t, f float64 }{{2, 1}, {2, 3}, {4, 1}} {
		v := log4 * log4
		want := 10 + 4*math.Exp(v/2+c.t*math.Sqrt(c.f*(v/3+v*v/4))) - 17
		if got := lognormalReach(x, c.t, c.f); math.Abs(got-want) > 1e-9*want {
			t.Errorf("%+v: %v above the mean, want %v", c, got, want)
		}
	}
}

func TestSkewnessReachesFartherOnItsSide(t *testing.T) {
	for _, skewness := range []float64{0.5, 1, 2, 4} {
		below, above := reach(2, skewness, 20)
		left, right := reach(2, -skewness, 20)
		if below != right || above != left || above < 1 || below < 1 || above < below {
			t.Errorf("skewness %v: %v and %v, mirrored %v and %v", skewness, below, above, left, right)
		}
	}
	// Hall's formula, worked by hand: a = 2/√16, 3/a·(1-∛(1-a(2+a/6))).
	if _, above := reach(2, 2, 16); math.Abs(above-3*(1+math.Cbrt(1.0/24))) > 1e-12 {
		t.Error(above)
	}
	_, last := reach(2, 0.1, 20)
	for skewness := 0.2; skewness < 20; skewness += 0.1 {
		_, above := reach(2, skewness, 20)
		if above < last*0.999 {
			t.Errorf("skewness %v reaches %v, less than a smaller one, %v", skewness, above, last)
		}
		last = above
	}
}

func TestTailOfExponentialValuesIsZeroOnAverage(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for _, n := range []int{16, 40, 127} {
		var sum, squares float64
		const rounds = 4000
		for range rounds {
			x := make([]float64, n)
			for i := range x {
				x[i] = 50 + 3*r.ExpFloat64()
			}
			z := tail(x)
			sum, squares = sum+z, squares+z*z
		}
		if mean, sd := sum/rounds, math.Sqrt(squares/rounds); math.Abs(mean) > 0.06 || math.Abs(sd-1) > 0.06 {
			t.Errorf("n=%d: mean %.3f, standard deviation %.3f", n, mean, sd)
		}
	}
	if z := tail([]float64{3, 3, 3}); !math.IsInf(z, -1) {
		t.Errorf("equal values: %v", z)
	}
}
