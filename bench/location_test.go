// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/strobe-go/strobe/stat/decide"
)

func TestOneWildRoundMovesTheIntervalLittle(t *testing.T) {
	a, b := []float64{0.01, 0.02, 0, 0.03, 0.01, 0.02, 0.02, 0, 0.01, 0.03}, []float64{0.01, 0, 0.02, 0.01, 0.03, 0.02, 0, 0.03, 0.01, 0.01}
	_, _, before, _, _ := location(a, b, 0.05)
	a[3] = 50
	center, lo, hi, _, ok := location(a, b, 0.05)
	if !ok || hi > before+0.02 || lo < 0 || center < lo || center > hi {
		t.Errorf("%v [%v, %v]", center, lo, hi)
	}
}

func TestLocationIsThatOfTheSortedCrossMeans(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for n := 4; n < 14; n++ {
		for m := 4; m < 14; m++ {
			var a, b, all []float64
			for range m {
				a = append(a, rng.NormFloat64())
			}
			for range n {
				b = append(b, rng.NormFloat64())
			}
			for _, x := range a {
				for _, y := range b {
					all = append(all, x/2+y/2)
				}
			}
			slices.Sort(all)
			cut, ok := decide.Cut(m, n, 0.025)
			center, lo, hi, method, enough := location(a, b, 0.05)
			if !ok || !enough || method != "Mann-Whitney" {
				t.Fatalf("%d and %d: %v %v %s", m, n, ok, enough, method)
			}
			k := len(all)
			if want := (all[(k-1)/2] + all[k/2]) / 2; math.Abs(center-want) > 1e-15 || lo != all[cut] || hi != all[k-1-cut] {
				t.Errorf("%d and %d: %v [%v, %v], want %v [%v, %v]", m, n, center, lo, hi, want, all[cut], all[k-1-cut])
			}
		}
	}
}

// Computed by hand from the textbook's formula with t = 2.7764451 for 4 degrees of freedom.
func TestTooFewRoundsForRanksGiveStudentsT(t *testing.T) {
	for _, c := range []struct {
		first, second []float64
		center, half  float64
	}{
		{[]float64{1, 2, 4}, []float64{2, 5, 6}, 10. / 3, 2.0694400},
		{[]float64{1, 3}, []float64{0, 2, 2, 4}, 2, 1.9009030},
		{[]float64{0, 2, 2, 4}, []float64{1, 3}, 2, 1.9009030},
		{[]float64{5}, []float64{1, 2, 3, 2, 2}, 3.5, 2.7764451 * 0.5 * math.Sqrt(0.5*1.2)},
	} {
		center, lo, hi, method, ok := location(c.first, c.second, 0.05)
		if !ok || method != "Student t" || math.Abs(center-c.center) > 1e-12 || math.Abs(hi-center-c.half) > 1e-5 || math.Abs(center-lo-c.half) > 1e-5 {
			t.Errorf("%v and %v: %v [%v, %v] %s, want %v ± %v", c.first, c.second, center, lo, hi, method, c.center, c.half)
		}
	}
	six := []float64{1, 2, 3, 4, 5, 6}
	for _, c := range []struct {
		first, second []float64
		alpha         float64
	}{{six, nil, 0.05}, {nil, six, 0.05}, {six[:2], six[:3], 0.05}, {six, six, 0}, {six, six, -1}, {six, six, math.NaN()}} {
		if _, _, _, _, ok := location(c.first, c.second, c.alpha); ok {
			t.Errorf("%v and %v at %v have an interval", c.first, c.second, c.alpha)
		}
	}
}

// This enumerates all 2^n orders, for the worst noise that is known. The interval misses a true difference in at most a share
// alpha of them: this proves its level for that noise, unlike a simulation.
func TestTheLevelHoldsOverAllOrders(t *testing.T) {
	const n, difference = 12, 0.05
	for name, p := range map[string]func(i int) float64{ // log(second/first) of two commands that cost the same
		"growing":       func(i int) float64 { return math.Exp(float64(i)) },
		"one wild":      func(i int) float64 { return 1e6 * math.Floor(float64(i)/(n-1)) },
		"second pays":   func(i int) float64 { return 0.5 + 0.001*float64(i*i%7) },
		"ties":          func(i int) float64 { return float64(i % 3) },
		"turning":       func(i int) float64 { return math.Sin(float64(i)) },
		"in two clumps": func(i int) float64 { return float64(i%2) + 0.01*float64(i) },
	} {
		for _, alpha := range []float64{0.05, 0.01} {
			missed, withRanks := 0, 0
			for coins := range 1 << n {
				var first, second []float64
				for i := range n {
					if coins>>i&1 == 0 {
						first = append(first, p(i)+difference)
					} else {
						second = append(second, -p(i)+difference)
					}
				}
				_, lo, hi, method, ok := location(first, second, alpha)
				if !ok || method != "Mann-Whitney" {
					continue
				}
				withRanks++
				const rounding = 1e-9 // of sums around a million
				if lo > difference+rounding || hi < difference-rounding {
					missed++
				}
			}
			if float64(missed) > alpha*float64(withRanks) || withRanks < 1<<n*9/10 {
				t.Errorf("%s, alpha %v: %d of %d ways miss", name, alpha, missed, withRanks)
			}
		}
	}
}
