// SPDX-License-Identifier: BSD-3-Clause

// Package simulated has processes whose mean is known, for the tests of intervals and for the program that finds their constants.
package simulated

import (
	"math"
	"math/rand/v2"
)

// A Draw fills a slice with successive samples of a process.
type Draw func(r *rand.Rand, x []float64)

// A Process has a known mean.
type Process struct {
	Name  string
	Truth float64 // the mean
	Draw  Draw
	Clean bool    // a warning would be needless
	Told  bool    // a warning is required
	From  int     // nothing is promised for fewer samples
	Wide  float64 // upper limit of the geometric mean of the widths for 16 samples, in widths of Student's interval; 0 means none
}

// Processes returns the processes for which docs/coverage.md makes promises.
func Processes() []Process {
	exponential := func(r *rand.Rand) float64 { return r.ExpFloat64() }
	normal := func(r *rand.Rand) float64 { return 10 + r.NormFloat64() }
	shifted := func(r *rand.Rand) float64 { return 5 + math.Exp(2*r.NormFloat64()) }
	gamma2 := func(r *rand.Rand) float64 { return exponential(r) + exponential(r) }
	gammaHalf := func(r *rand.Rand) float64 { z := r.NormFloat64(); return z * z / 2 }
	spikes := func(i int) float64 {
		if i%100 == 37 {
			return 200
		}
		return 10
	}
	return []Process{
		{Name: "normal", Truth: 10, Draw: Independent(normal), Clean: true, Wide: 1.33},
		{Name: "uniform", Truth: 0.5, Draw: Independent((*rand.Rand).Float64), Clean: true, Wide: 1.35},
		{Name: "exponential", Truth: 1, Draw: Independent(exponential), Clean: true, Wide: 2.6},
		{Name: "gamma, shape 2", Truth: 2, Draw: Independent(gamma2), Clean: true, Wide: 1.8},
		{Name: "gamma, shape 1/2", Truth: 0.5, Draw: Independent(gammaHalf), Clean: true, Wide: 4},
		{Name: "lognormal, sigma 1", Truth: math.Exp(0.5), Draw: Lognormal(1), Clean: true, Wide: 3},
		{Name: "lognormal, sigma 1.5", Truth: math.Exp(1.125), Draw: Lognormal(1.5), Wide: 4},
		{Name: "lognormal, sigma 2", Truth: math.Exp(2), Draw: Lognormal(2), Wide: 4.2},
		{Name: "lognormal, shifted", Truth: 5 + math.Exp(2), Draw: Independent(shifted), Wide: 4.2},
		{Name: "Pareto, exponent 1.5", Truth: 3, Draw: Pareto(1.5), Wide: 3.8},            // of infinite variance
		{Name: "Pareto, exponent 1.2", Truth: 6, Draw: Pareto(1.2), From: 205, Wide: 3.8}, // fewer samples seldom include those that determine the mean
		{Name: "AR(0.5)", Truth: 10, Draw: Noisy(0.5, Level), Wide: 4.8},
		{Name: "AR(0.8)", Truth: 10, Draw: Noisy(0.8, Level), Wide: 9.5},
		{Name: "AR(0.9)", Truth: 10, Draw: Noisy(0.9, Level), Wide: 10.7},
		{Name: "AR(-0.5)", Truth: 10, Draw: Noisy(-0.5, Level), Wide: 1.2},
		{Name: "queue", Truth: 4, Draw: Queue, From: 48}, // see TestNoTestOfTheOrderSeesAShortQueue of package stat
		{Name: "spikes", Truth: 10 + 1.9, Draw: Noisy(0, spikes), From: 64, Told: true},
		{Name: "step", Truth: 10.6, Draw: stepped},
		{Name: "four time scales", Truth: 10, Draw: FourScales, From: 200},
		{Name: "AR(0.9) with noise", Truth: 10, Draw: WithNoise(Noisy(0.9, Level)), From: 200},
		{Name: "bursty queue", Truth: burstyMean(), Draw: burstyQueue, From: 48},
		{Name: "two levels", Truth: 12, Draw: TwoLevels(0.02, 10, 14, 1), From: 200},
		{Name: "vsync", Truth: 25, Draw: TwoLevels(0.01, 50.0/3, 100.0/3, 0)},
		{Name: "two modes", Truth: 14.5, Draw: Independent(twoModes), From: 64}, // fewer samples seldom include both modes
		{Name: "lognormal, negated", Truth: 100 - math.Exp(1.125), Draw: negated, Wide: 4},
	}
}
