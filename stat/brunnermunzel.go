// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"math"

	"github.com/strobe-go/strobe/stat/dist"
)

// brunnerMunzel returns the two-sided p-value of the hypothesis that a value of a is as likely to be above a value of b as
// below it. Both must be sorted. Unlike Mann-Whitney, the test does not assume equal spreads. With fewer than two values a
// side the result is 1.
//
// Source: E. Brunner and U. Munzel, "The Nonparametric Behrens-Fisher Problem", Biometrical Journal 42 (2000).
func brunnerMunzel(a, b []float64) float64 {
	if len(a) < 2 || len(b) < 2 {
		return 1
	}
	p := placementsOf(a, b)
	off := math.Abs(p.u - float64(len(a))*float64(len(b))/2)
	switch {
	case off == 0:
		return 1
	case p.sd == 0: // the samples do not overlap
		return 0
	}
	return min(1, 2*dist.StudentTail(off/p.sd, p.free))
}

// placements describe how the values of two samples are interleaved.
type placements struct {
	u    float64 // pairs in which the value of b is larger, equal ones counting half
	sd   float64 // standard deviation of u, estimated without assuming equal spreads
	free float64 // degrees of freedom of that estimate
}

// placementsOf compares every value with all of the other sample; both are sorted and have at least two values.
func placementsOf(a, b []float64) placements {
	n, m := float64(len(a)), float64(len(b))
	fromA, _ := placementVariance(a, b)
	fromB, u := placementVariance(b, a)
	va, vb := n*fromA, m*fromB
	free := n + m - 2
	if va+vb > 0 {
		free = (va + vb) * (va + vb) / (va*va/(n-1) + vb*vb/(m-1))
	}
	return placements{u: u, sd: math.Sqrt(va + vb), free: free}
}

// placementVariance returns the variance over x of how many values of y are smaller, equal ones counting half, and the
// sum of these numbers.
func placementVariance(x, y []float64) (variance, sum float64) {
	below, upTo := 0, 0
	squares := 0.0
	for _, v := range x {
		for below < len(y) && y[below] < v {
			below++
		}
		for upTo < len(y) && y[upTo] <= v {
			upTo++
		}
		p := float64(below+upTo) / 2
		sum += p
		squares += p * p
	}
	n := float64(len(x))
	return max(0, (squares-sum*sum/n)/(n-1)), sum
}

// rankForSpreads returns the rank of the differences that bounds the shift, from 1, by the variance of Brunner and Munzel,
// estimated after the samples are shifted by center so that they coincide. If that variance is close to that of equal spreads, the result is math.MaxInt, which sets no limit: the
// wider of an exact interval and an estimated one would cover more than the level.
func rankForSpreads(a, b []float64, center, alpha float64) int {
	n, m := float64(len(a)), float64(len(b))
	if n < 2 || m < 2 {
		return math.MaxInt
	}
	moved := make([]float64, len(b))
	for i, v := range b {
		moved[i] = v - center
	}
	p := placementsOf(a, moved)
	if p.sd < unequal*math.Sqrt(n*m*(n+m+1)/12) {
		return math.MaxInt
	}
	return int(math.Floor(n*m/2 + 0.5 - dist.StudentUpper(alpha/2, p.free)*p.sd))
}

// unequal is the ratio of the estimated standard deviation of U to that of equal spreads above which the spreads count as
// unequal.
const unequal = 1.2
