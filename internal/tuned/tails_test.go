// SPDX-License-Identifier: BSD-3-Clause

package tuned

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/strobe-go/strobe/internal/simulated"
)

func rightOf(x []float64) *longTail {
	e := Of(x)
	right, _ := e.tails()
	return right
}

// This is Hill's estimator by hand: of 8 samples, each minus the smallest, the two largest count, 32 and 128, relative to the
// third, 8.
func TestTailIndexIsThatOfHill(t *testing.T) {
	want := 2 / (math.Log(4) + math.Log(16))
	if index, k := rightOf([]float64{133, 6, 7, 5, 37, 13, 6, 7}).index(); k != 2 || math.Abs(index-want) > 1e-15 {
		t.Errorf("index %v of %v samples, want %v of 2", index, k, want)
	}
	for _, x := range [][]float64{{3, 3, 3, 3, 3, 3, 3, 3}, {3, 3, 3, 3, 3, 3, 3, 9}, {3, 9, 9, 9, 9, 9, 9, 9}} {
		if index, _ := rightOf(x).index(); index != math.MaxFloat64 {
			t.Errorf("%v: index %v", x, index)
		}
	}
}

func TestTailIndexOfParetoSamplesIsTheirExponent(t *testing.T) {
	r, x := rand.New(rand.NewPCG(4, 4)), make([]float64, 80000)
	for _, exponent := range []float64{0.8, 1.5, 3} {
		simulated.Pareto(exponent)(r, x)
		if index, k := rightOf(x).index(); math.Abs(index/exponent-1) > 3/math.Sqrt(k) {
			t.Errorf("exponent %v: index %v", exponent, index)
		}
	}
}

// If half of many samples equal the smallest one, the interval does not allow for a lognormal tail; otherwise it allows for a
// heavy tail and for a long correlation.
func TestCountsOfRareThingsHaveNoLognormalTail(t *testing.T) {
	for _, c := range []struct {
		least int // of ten
		n     uint64
		free  float64
		want  bool
	}{{6, 600, 600, false}, {6, 600, 20, false}, {3, 600, 600, true}, {3, 2000, 2000, false}, {3, 2000, 60, true}, {3, 2000, 300, false}} {
		x := make([]float64, c.n)
		for i := range c.n {
			x[i] = 1
			if int(i%10) >= c.least {
				x[i] = 10 + 1e6/float64(1+i*7919%c.n) // a tail of index 1
			}
		}
		if got := Committed.weight(rightOf(x), c.free); got > 0 != c.want {
			t.Errorf("%+v: weight %v", c, got)
		}
	}
}

// Minus 10, the logarithms of these are 0, 1 and 2 times that of 4; half of the mean distance from 11, divided by 3, is 1.
func TestLognormalReachIsOlssonsBound(t *testing.T) {
	x, log4 := []float64{26, 11, 14}, math.Log(4)
	for _, c := range []struct{ t, f float64 }{{2, 1}, {2, 3}, {4, 1}} {
		v := log4 * log4
		want := 10 + 4*math.Exp(v/2+c.t*math.Sqrt(c.f*(v/3+v*v/4))) - 17
		if got := fitLognormal(x).reach(c.t, c.f); math.Abs(got-want) > 1e-9*want {
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
	// This is Hall's formula by hand: a = 2/√16, 3/a·(1-∛(1-a(2+a/6))).
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
			z := tail(gini(x), uint64(n))
			sum, squares = sum+z, squares+z*z
		}
		if mean, sd := sum/rounds, math.Sqrt(squares/rounds); math.Abs(mean) > 0.06 || math.Abs(sd-1) > 0.06 {
			t.Errorf("n=%d: mean %.3f, standard deviation %.3f", n, mean, sd)
		}
	}
	if z := tail(gini([]float64{3, 3, 3}), 3); !math.IsInf(z, -1) {
		t.Errorf("equal values: %v", z)
	}
}
