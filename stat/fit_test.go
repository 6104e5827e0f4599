// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Several time scales are detected if there are several, and seldom if there is one.
func TestTimeScalesAreCounted(t *testing.T) {
	const series, n = 300, 1000
	for _, c := range []struct {
		name        string
		draw        func(*rand.Rand, []float64)
		least, most int // percent of the series
	}{
		{"normal", noisy(0, level), 0, 4},
		{"AR(0.5)", noisy(0.5, level), 0, 5},
		{"AR(0.9)", noisy(0.9, level), 0, 8},
		{"AR(0.9) with noise", withNoise(noisy(0.9, level)), 90, 100},
		{"four time scales", fourScales, 90, 100},
		{"noise on a slow drift", withNoise(noisy(0.99, level)), 90, 100},
	} {
		r, x := rand.New(rand.NewPCG(9, 9)), make([]float64, n)
		several := 0
		for range series {
			c.draw(r, x)
			var b BatchMeans
			for _, v := range x {
				b.Add(int64(1e6 * v))
			}
			w, size := b.means()
			lag1, _ := b.all.Lag1()
			if s := fitScales(w, size, lag1); s.used.size > size {
				several++
				if s.used.k < fewest || s.used.k >= 2*fewest {
					t.Fatalf("%s: %v batches make the interval, want the longest of at least %d", c.name, s.used.k, fewest)
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

// Samples of a single value say nothing about other values.
func TestEqualSamplesCarryAWarning(t *testing.T) {
	for _, n := range []int{16, 200, 10000} {
		var b BatchMeans
		for range n {
			b.Add(7)
		}
		if !strings.Contains(strings.Join(b.Interval(0).Warnings, ""), "all samples are equal") {
			t.Errorf("%d equal samples: %q", n, b.Interval(0).Warnings)
		}
		if b.Add(8); strings.Contains(strings.Join(b.Interval(0).Warnings, ""), "all samples are equal") {
			t.Errorf("%d samples, one of them another: %q", n+1, b.Interval(0).Warnings)
		}
	}
}
