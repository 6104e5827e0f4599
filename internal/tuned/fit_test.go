// SPDX-License-Identifier: BSD-3-Clause

package tuned

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/strobe-go/strobe/internal/simulated"
)

// Several time scales are detected if there are several, and seldom if there is one.
func TestTimeScalesAreCounted(t *testing.T) {
	const series, n = 300, 1000
	for _, c := range []struct {
		name        string
		draw        func(*rand.Rand, []float64)
		least, most int // percent of the series
	}{
		{"normal", simulated.Noisy(0, simulated.Level), 0, 4},
		{"AR(0.5)", simulated.Noisy(0.5, simulated.Level), 0, 5},
		{"AR(0.9)", simulated.Noisy(0.9, simulated.Level), 0, 8},
		{"AR(0.9) with noise", simulated.WithNoise(simulated.Noisy(0.9, simulated.Level)), 90, 100},
		{"four time scales", simulated.FourScales, 90, 100},
		{"noise on a slow drift", simulated.WithNoise(simulated.Noisy(0.99, simulated.Level)), 90, 100},
	} {
		r, x := rand.New(rand.NewPCG(9, 9)), make([]float64, n)
		several := 0
		for range series {
			c.draw(r, x)
			e := Of(x)
			if s := Committed.fitScales(e.Batches, e.Size, e.Lag1); s.used.size > e.Size {
				several++
				if s.used.k < Fewest || s.used.k >= 2*Fewest {
					t.Fatalf("%s: %v batches make the interval, want the longest of at least %d", c.name, s.used.k, Fewest)
				}
			}
		}
		t.Logf("%s: several time scales in %d of %d", c.name, several, series)
		if several < series*c.least/100 || several > series*c.most/100 {
			t.Errorf("%s: several time scales in %d of %d series", c.name, several, series)
		}
	}
}

// The correlation of batches of an autoregression is the one predicted from its samples, whatever the size of the batches.
func TestSamplesForetellTheCorrelationOfBatches(t *testing.T) {
	for _, phi := range []float64{0.3, 0.9, 0.99} {
		fit := fitSamples(phi, math.Inf(1), 1)
		for _, m := range []int{1, 2, 8, 100} {
			var within, between float64 // covariances of a batch with itself and with the next
			for i := range m {
				for j := range m {
					within += math.Pow(phi, math.Abs(float64(i-j)))
					between += math.Pow(phi, float64(m+j-i))
				}
			}
			if got, want := fit.lag1At(float64(m)), between/within; math.Abs(got-want) > 1e-9 {
				t.Errorf("φ=%v, batches of %d: %v, want %v", phi, m, got, want)
			}
		}
	}
	for _, lag1 := range []float64{-0.5, 0} {
		if fit := fitSamples(lag1, math.Inf(1), 1); fit.lag1At(8) != 0 {
			t.Errorf("lag-1 %v foretells %v", lag1, fit.lag1At(8))
		}
	}
	if fit := fitSamples(1, 1000, 8); !(fit.lag1At(8) > 0.99 && fit.lag1At(8) <= 1) {
		t.Errorf("lag-1 1 foretells %v", fit.lag1At(8))
	}
}
