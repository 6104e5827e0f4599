// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
)

// autoregression draws xᵢ = φ·xᵢ₋₁ + √(1-φ²)·eᵢ with mean 0 and variance 1, started in its stationary state.
type autoregression struct {
	phi, gain, x float64
	noise        func() float64
}

func newAutoregression(phi float64, noise func() float64) *autoregression {
	a := &autoregression{phi: phi, gain: math.Sqrt(1 - phi*phi), noise: noise}
	for range int(20 / (1 - phi)) { // forgets its start to 1e-8
		a.next()
	}
	return a
}

func (a *autoregression) next() float64 {
	a.x = a.phi*a.x + a.gain*a.noise()
	return a.x
}

// covered counts in how many of reps streams of n samples the 95 % interval of the mean holds the true mean. Samples
// are integers with a standard deviation of a million.
func covered(n, reps int, phi float64, shape string) int {
	const workers = 4
	var total [workers]int
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			r := rand.New(rand.NewPCG(uint64(n), uint64(w)+uint64(phi*1000)<<8))
			noise, see, truth := r.NormFloat64, func(x float64) float64 { return x }, 0.0
			switch shape {
			case "skewed": // innovations of skewness 2
				noise = func() float64 { return r.ExpFloat64() - 1 }
			case "lognormal": // samples of skewness 3.3, whatever φ
				see, truth = func(x float64) float64 { return math.Exp(0.75 * x) }, math.Exp(0.75*0.75/2)
			}
			for range reps / workers {
				var b BatchMeans
				a := newAutoregression(phi, noise)
				for range n {
					b.Add(int64(1e6 * see(a.next())))
				}
				if iv := b.Interval(0.95); iv.Lo <= truth*1e6 && truth*1e6 <= iv.Hi {
					total[w]++
				}
			}
		})
	}
	wait.Wait()
	return total[0] + total[1] + total[2] + total[3]
}

func TestBatchMeansCoverWhatTheyPromise(t *testing.T) {
	sizes := []struct{ n, reps int }{{1000, 6000}, {4200, 4000}, {10000, 4000}, {100000, 2000}}
	if testing.Short() || raceEnabled || math.MaxInt == math.MaxInt32 {
		sizes = []struct{ n, reps int }{{1000, 2000}}
		t.Log("smaller: n = 1000 and 2000 repetitions only, under -short or -race and on 32 bits")
	}
	for _, size := range sizes {
		for _, shape := range []string{"normal", "skewed", "lognormal"} {
			if shape == "lognormal" && size.n == 100000 {
				continue // skewness has averaged out; this would be a third of the time
			}
			line := ""
			for _, phi := range []float64{0, 0.5, 0.8, 0.9, 0.98} {
				share := 100 * float64(covered(size.n, size.reps, phi, shape)) / float64(size.reps)
				line += fmt.Sprintf("  φ=%v %.1f", phi, share)
				if share < 94 || share > 96.5 {
					t.Errorf("n=%d, %s, φ=%v: 95 %% intervals cover %.2f %%", size.n, shape, phi, share)
				}
			}
			t.Logf("n=%-6d %-9s %s", size.n, shape, line)
		}
	}
}
