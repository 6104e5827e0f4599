// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/internal/simulated"
)

// A warned counts, over series of one kind, the intervals that contain the true mean, and the warnings by their first word.
type warned struct {
	covered, any int
	by           map[string]int
	numbers      []float64 // the first number of every warning of a step or a period
}

const replicates = 300

func warnings(n int, truth float64, draw func(r *rand.Rand, x []float64)) (w warned) {
	w.by = map[string]int{}
	r := rand.New(rand.NewPCG(1, uint64(n)))
	x := make([]float64, n)
	for range replicates {
		draw(r, x)
		var b BatchMeans
		for _, v := range x {
			b.Add(int64(math.Round(v * 1e6)))
		}
		iv := b.Interval(0.95)
		if iv.Lo <= truth*1e6 && truth*1e6 <= iv.Hi {
			w.covered++
		}
		if len(iv.Warnings) > 0 {
			w.any++
		}
		for _, text := range iv.Warnings {
			kind, rest, _ := strings.Cut(text, ":")
			switch {
			case strings.Contains(rest, "level changes"):
				kind = "step"
			case strings.Contains(rest, "drift"):
				kind = "trend"
			}
			w.by[kind]++
			for _, field := range strings.Fields(rest) {
				if v, err := strconv.ParseFloat(field, 64); err == nil {
					w.numbers = append(w.numbers, v)
					break
				}
			}
		}
	}
	return w
}

func TestStationarySamplesAreRarelyWarnedOf(t *testing.T) {
	for _, c := range []struct {
		phi float64
		n   int
	}{{0, 16}, {0, 30}, {0, 64}, {0, 100}, {0, 1000}, {0, 5000}, {0.5, 1000}, {0.9, 5000}} {
		w := warnings(c.n, 10, simulated.Noisy(c.phi, simulated.Level))
		t.Logf("φ=%v, n=%d: %d of %d with a warning, %d covered %v", c.phi, c.n, w.any, replicates, w.covered, w.by)
		if w.any > replicates*6/100 || w.covered < replicates*92/100 {
			t.Errorf("φ=%v, n=%d: %d of %d with a warning, %d covered", c.phi, c.n, w.any, replicates, w.covered)
		}
	}
}

func TestChangesAreNamedWithTheirPlace(t *testing.T) {
	for _, n := range []int{1000, 5000} {
		at := float64(n * 4 / 10)
		w := warnings(n, 10.6, simulated.Noisy(0, func(i int) float64 {
			if float64(i) >= at {
				return 11
			}
			return 10
		}))
		if w.by["step"] < replicates*98/100 {
			t.Errorf("step in %d: %v", n, w.by)
		}
		far := 0
		for _, v := range w.numbers {
			if math.Abs(v-at) > 0.05*float64(n) {
				far++
			}
		}
		if far > replicates*3/100 {
			t.Errorf("step in %d: %d of %d are placed elsewhere than near %v", n, far, len(w.numbers), at)
		}
		w = warnings(n, 11, simulated.Noisy(0, func(i int) float64 { return 10 + 2*float64(i)/float64(n) }))
		if w.by["trend"] < replicates*90/100 || w.any < replicates*98/100 {
			t.Errorf("trend in %d: %v", n, w.by)
		}
	}
	w := warnings(20_000, 10.6, simulated.Noisy(0.9, func(i int) float64 { // a correlated series has steps too
		if i >= 8000 {
			return 11
		}
		return 10
	}))
	if w.by["step"] < replicates*90/100 {
		t.Errorf("step among correlated samples: %v", w.by)
	}
}

func TestPeriodsAreNamed(t *testing.T) {
	for _, n := range []int{400, 1000, 5000} {
		w := warnings(n, 10*1.19, simulated.Noisy(0, func(i int) float64 {
			if i%100 == 37 {
				return 200
			}
			return 10
		}))
		if w.by["periodic"] < replicates*95/100 {
			t.Errorf("n=%d: %v", n, w.by)
		}
		for _, v := range w.numbers {
			if times := math.Round(v / 100); times < 1 || math.Abs(v-100*times) > 6*times {
				t.Errorf("n=%d: a period of %v, want a multiple of 100", n, v)
				break
			}
		}
	}
}

func TestSkewedSamplesAreNamedOrCovered(t *testing.T) {
	for _, c := range []struct {
		sigma         float64
		n             int
		covered, warn int // percent
	}{{2, 30, 92, 40}, {2, 100, 94, 85}, {2, 1000, 88, 98}, {1, 1000, 92, 0}} {
		w := warnings(c.n, math.Exp(c.sigma*c.sigma/2), simulated.Lognormal(c.sigma))
		t.Logf("σ=%v, n=%d: %d of %d covered, %d called skewed", c.sigma, c.n, w.covered, replicates, w.by["skewed"])
		if w.covered < replicates*c.covered/100 || w.by["skewed"] < replicates*c.warn/100 {
			t.Errorf("σ=%v, n=%d: %d of %d covered, %d called skewed", c.sigma, c.n, w.covered, replicates, w.by["skewed"])
		}
	}
	w := warnings(1000, 1, func(r *rand.Rand, x []float64) {
		for i := range x {
			x[i] = r.ExpFloat64()
		}
	})
	if w.by["skewed"] > replicates*2/100 {
		t.Errorf("exponential: %d called skewed", w.by["skewed"])
	}
}
