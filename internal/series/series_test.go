// SPDX-License-Identifier: BSD-3-Clause

package series

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*(1+math.Abs(b)) }

// Less their mean of 3, these are -2, -1, -1 and 4.
func TestADescriptionByHand(t *testing.T) {
	d := Describe([]float64{1, 2, 2, 7})
	variance := (4 + 1 + 1 + 16) / 3.0
	if !near(d.Mean, 3) || !near(d.Variance, variance) || !near(d.Lag1, (2+1-4)/22.0) || !near(d.Skewness, (-8-1-1+64)/4.0/math.Pow(variance, 1.5)) {
		t.Errorf("%+v", d)
	}
	if d := Describe([]float64{0.1, 0.1, 0.1}); d != (Description{Mean: 0.1}) {
		t.Errorf("equal values: %+v", d)
	}
	if d := Describe([]float64{5}); d != (Description{Mean: 5}) {
		t.Errorf("one value: %+v", d)
	}
}

func TestEqualValuesHaveTheLeastOfTheirRanks(t *testing.T) {
	if got := Ranks([]float64{7, 2, 7, 1, 7, 9}); !slices.Equal(got, []float64{2, 1, 2, 0, 2, 5}) {
		t.Errorf("%v", got)
	}
}

// Squares of the differences are 1, 0 and 25; the variance is 22/3, and that of the statistic 2/15.
func TestVonNeumannByHand(t *testing.T) {
	if got, want := VonNeumann([]float64{1, 2, 2, 7}), (1-26/(2*22/3.0*3))/math.Sqrt(2/15.0); !near(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := VonNeumann([]float64{3, 3, 3, 3}); got != 0 {
		t.Errorf("equal values: %v", got)
	}
}

// Of independent values the statistic has a mean of 0 and a standard deviation of 1, and the corrected lag-1 of ranks a mean of 0.
func TestIndependentValuesAreNotCorrelated(t *testing.T) {
	r, w := rand.New(rand.NewPCG(1, 2)), make([]float64, 20)
	const rounds = 4000
	var sum, squares, ranks float64
	for range rounds {
		for i := range w {
			w[i] = r.ExpFloat64()
		}
		z := VonNeumann(w)
		sum, squares, ranks = sum+z/rounds, squares+z*z/rounds, ranks+RankLag1(w)/rounds
	}
	if math.Abs(sum) > 0.06 || math.Abs(math.Sqrt(squares)-1) > 0.06 || math.Abs(ranks) > 0.02 {
		t.Errorf("mean %.3f, standard deviation %.3f, ranks %.3f", sum, math.Sqrt(squares), ranks)
	}
}

func TestPairsAreMeansOfNeighbours(t *testing.T) {
	if got := Pairs([]float64{1, 3, 10, 20, 99}); !slices.Equal(got, []float64{2, 15}) {
		t.Errorf("%v", got)
	}
}

// The values exceed the least by 1, 1 and 6. These differ by 10/3 on average, and their mean is 8/3: the coefficient is half the ratio.
func TestGiniByHand(t *testing.T) {
	if got, want := Gini([]float64{1, 2, 2, 7}), 10.0/8/2; !near(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := Gini([]float64{4, 4, 4}); !math.IsInf(got, -1) {
		t.Errorf("equal values: %v", got)
	}
}
