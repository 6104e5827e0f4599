// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"math"
	"slices"

	"github.com/strobe-go/strobe/stat/decide"
	"github.com/strobe-go/strobe/stat/dist"
	"github.com/strobe-go/strobe/stat/sample"
)

// fewest is the smallest number of rounds for an interval.
const fewest = 6

// location returns the center of the log-ratios of rounds, in some of which the base ran first and in the others second,
// and an interval of the level 1-alpha. ok is false if there are too few.
//
// Let p be log(second/first) of a round: the log-ratio if the base ran first, and minus the log-ratio if it ran second. If
// both cost the same, the order does not matter, and the values of p were split into the two groups at random. A difference
// in cost moves the groups apart by twice its size. The interval is therefore that of Hodges and Lehmann for a shift between
// two samples: the center is the median of the means of one log-ratio from each group, and the interval holds those means
// that the Mann-Whitney test does not reject. This is exact for any noise, since only the order needs to be random. The
// disadvantage of running second is the same in both groups and cancels, and an outlier changes only one rank.
//
// With too few rounds for that test to reject anything, the interval is Student's t for two samples, which needs values that
// are not far from normal, and is conservative for long tails.
func location(first, second []float64, alpha float64) (center, lo, hi float64, method string, ok bool) {
	m, n := len(first), len(second)
	if m+n < fewest || m == 0 || n == 0 || !(alpha > 0) {
		return 0, 0, 0, "", false
	}
	if cut, ok := decide.Cut(m, n, alpha/2); ok {
		twice := doubled(first, second)
		return twice.Median() / 2, twice.At(cut+1) / 2, twice.At(twice.N()-cut) / 2, "Mann-Whitney", true
	}
	meanA, squaresA := meanAndSquares(first)
	meanB, squaresB := meanAndSquares(second)
	center = meanA/2 + meanB/2
	df := float64(m + n - 2)
	half := dist.StudentUpper(alpha/2, df) * math.Sqrt((squaresA+squaresB)/df*(1/float64(m)+1/float64(n))) / 2
	return center, center - half, center + half, "Student t", true
}

// middle returns the center of log-ratios for which there is no interval. Where the same side ran first in all of them, it includes
// the disadvantage of running second. It is 0 without any.
func middle(first, second []float64) float64 {
	if len(first) == 0 || len(second) == 0 {
		return sample.Quantile(slices.Sorted(slices.Values(append(slices.Clone(first), second...))), 0.5)
	}
	return doubled(first, second).Median() / 2
}

// doubled returns twice the means of one log-ratio from each group: the differences of the second group and the first one with its
// sign changed.
func doubled(first, second []float64) decide.Differences {
	a := make([]float64, len(first))
	for i, x := range first {
		a[i] = -x
	}
	slices.Sort(a)
	return decide.NewDifferences(a, slices.Sorted(slices.Values(second)))
}

// meanAndSquares returns the mean and the sum of the squared deviations from it.
func meanAndSquares(x []float64) (mean, squares float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		squares += (v - mean) * (v - mean)
	}
	return mean, squares
}
