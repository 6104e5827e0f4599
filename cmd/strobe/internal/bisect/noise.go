// SPDX-License-Identifier: BSD-3-Clause

package bisect

import (
	"math"
	"slices"
)

// A noise has the standard deviations of what makes measurements of one revision differ.
type noise struct {
	scatter float64 // of the rounds of a build
	jitter  float64 // of builds, which differ by where the functions lie in memory
}

const (
	usual   = 0.01 // standard deviation of rounds and of builds, before any were compared
	trusted = 6    // degrees of freedom that this is worth for builds
	least   = 2e-4 // of any standard deviation: even counts of instructions differ between builds
)

// noise estimates the noise from everything that was measured.
func (s *series) noise() noise {
	var apart []float64 // rounds of one build
	for _, r := range s.revisions {
		for _, b := range r.builds {
			for i, x := range b.rounds {
				for _, y := range b.rounds[:i] {
					apart = append(apart, math.Abs(x-y))
				}
			}
		}
	}
	n := noise{scatter: usual}
	if len(apart) > 0 {
		const normal = 0.9539 // median of the distance of two normal values, in standard deviations; a few disturbed rounds do not move it
		n.scatter = max(least, median(apart)/normal)
	}
	squares, freedom := 0.0, 0.0
	for _, r := range s.revisions {
		if len(r.builds) < 2 {
			continue
		}
		mean, between := 0.0, float64(len(r.builds)-1)
		for _, b := range r.builds {
			mean += median(b.rounds) / float64(len(r.builds))
		}
		for _, b := range r.builds {
			d := median(b.rounds) - mean
			squares += d*d - n.ofMedian(len(b.rounds))*between/float64(len(r.builds))
		}
		freedom += between
	}
	prior := min(usual, n.scatter) // without scatter, as of counts, builds hardly differ either
	n.jitter = max(least, math.Sqrt(max(0, squares+trusted*prior*prior)/(freedom+trusted)))
	return n
}

// ofMedian returns the variance of the median of rounds of a build.
func (n noise) ofMedian(rounds int) float64 {
	return math.Pi / 2 * n.scatter * n.scatter / float64(rounds)
}

// median returns the median of values, at least one. It does not change their order.
func median(x []float64) float64 {
	x = slices.Clone(x)
	slices.Sort(x)
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}
