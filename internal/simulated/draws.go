// SPDX-License-Identifier: BSD-3-Clause

package simulated

import (
	"math"
	"math/rand/v2"
)

// Independent draws independent values.
func Independent(value func(r *rand.Rand) float64) Draw {
	return func(r *rand.Rand, x []float64) {
		for i := range x {
			x[i] = value(r)
		}
	}
}

// Lognormal draws independent values whose logarithm has a standard deviation of sigma, and a mean of 0.
func Lognormal(sigma float64) Draw {
	return Independent(func(r *rand.Rand) float64 { return math.Exp(sigma * r.NormFloat64()) })
}

// Noisy draws an autoregression with a variance of 1 around what mean gives for each sample.
func Noisy(phi float64, mean func(i int) float64) Draw {
	return func(r *rand.Rand, x []float64) {
		a := NewAutoregression(phi, r.NormFloat64)
		for i := range x {
			x[i] = mean(i) + a.Next()
		}
	}
}

// Level is a mean of 10.
func Level(int) float64 { return 10 }

// An Autoregression draws xᵢ = φ·xᵢ₋₁ + √(1-φ²)·eᵢ with mean 0 and variance 1, started in its stationary state.
type Autoregression struct {
	phi, gain, x float64
	noise        func() float64
}

// NewAutoregression returns one with the coefficient phi, between -1 and 1, and independent noise of mean 0 and variance 1.
func NewAutoregression(phi float64, noise func() float64) *Autoregression {
	a := &Autoregression{phi: phi, gain: math.Sqrt(1 - phi*phi), noise: noise}
	for range int(20 / (1 - phi)) { // reduces the influence of the start to 1e-8
		a.Next()
	}
	return a
}

// Next returns the next value.
func (a *Autoregression) Next() float64 {
	a.x = a.phi*a.x + a.gain*a.noise()
	return a.x
}

// FourScales draws the sum of four autoregressions with a variance of 1/4 each, whose correlation decays within 1 to 250 samples.
func FourScales(r *rand.Rand, x []float64) {
	phis := [...]float64{0.5, 0.9, 0.98, 0.996}
	var now [len(phis)]float64
	for i := range now {
		now[i] = r.NormFloat64()
	}
	for i := range x {
		x[i] = 10
		for j, phi := range phis {
			x[i] += now[j] / 2
			now[j] = phi*now[j] + math.Sqrt(1-phi*phi)*r.NormFloat64()
		}
	}
}

// WithNoise adds independent noise with a standard deviation of 1.
func WithNoise(draw Draw) Draw {
	return func(r *rand.Rand, x []float64) {
		draw(r, x)
		for i := range x {
			x[i] += r.NormFloat64()
		}
	}
}

// The bursty queue has a server with lognormal service times, of mean 1 and sigma serviceSigma, and customers that arrive in
// groups of geometric size.
const (
	groupMean    = 4.0
	serviceSigma = 1.2
	burstyLoad   = 0.75
)

// burstyQueue draws the waiting times of successive customers, without their own service.
func burstyQueue(r *rand.Rand, x []float64) {
	wait := 0.0
	next := func() float64 {
		now := wait
		wait += math.Exp(serviceSigma*r.NormFloat64() - serviceSigma*serviceSigma/2)
		if r.Float64() < 1/groupMean { // the last of the group
			wait = max(0, wait-r.ExpFloat64()*groupMean/burstyLoad)
		}
		return now
	}
	for range 2000 { // so that the queue no longer depends on its empty start
		next()
	}
	for i := range x {
		x[i] = next()
	}
}

// burstyMean is the formula of Pollaczek and Khinchin for the first customer of a group, plus the service of the previous
// customers of the group.
func burstyMean() float64 {
	variance := math.Exp(serviceSigma*serviceSigma) - 1
	square := groupMean*variance + 2*groupMean*groupMean - groupMean // mean square of the service of a group
	first := burstyLoad / groupMean * square / 2 / (1 - burstyLoad)
	return first + groupMean - 1
}

// TwoLevels draws one of two levels, which changes with a probability at each sample, plus normal noise.
func TwoLevels(leave, low, high, noise float64) Draw {
	return func(r *rand.Rand, x []float64) {
		here, there := low, high
		if r.Float64() < 0.5 {
			here, there = high, low
		}
		for i := range x {
			x[i] = here + noise*r.NormFloat64()
			if r.Float64() < leave {
				here, there = there, here
			}
		}
	}
}

// twoModes draws a value around 10, or with probability 1/20 ten times such a value.
func twoModes(r *rand.Rand) float64 {
	x := 10 + r.NormFloat64()
	if r.Float64() < 0.05 {
		x *= 10
	}
	return x
}

// negated draws samples with a long tail to the left.
func negated(r *rand.Rand, x []float64) {
	Lognormal(1.5)(r, x)
	for i := range x {
		x[i] = 100 - x[i]
	}
}

// Pareto draws independent values of at least 1.
func Pareto(exponent float64) Draw {
	return Independent(func(r *rand.Rand) float64 { return math.Pow(1-r.Float64(), -1/exponent) })
}

// Queue draws the waiting times of an M/M/1 queue with a load of 0.8, in service times.
func Queue(r *rand.Rand, x []float64) {
	const load = 0.8
	wait := 0.0
	if r.Float64() < load { // the stationary distribution
		wait = r.ExpFloat64() / (1 - load)
	}
	for i := range x {
		x[i] = wait
		wait = max(0, wait+r.ExpFloat64()-r.ExpFloat64()/load)
	}
}

// stepped draws a level that rises by a standard deviation after two fifths of the samples.
func stepped(r *rand.Rand, x []float64) {
	for i := range x {
		x[i] = 10 + r.NormFloat64()
		if 5*i >= 2*len(x) {
			x[i]++
		}
	}
}
