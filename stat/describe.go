// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"cmp"
	"math"
	"slices"
)

// description is what an interval needs to know about a short series.
type description struct{ mean, variance, lag1, skewness float64 }

func describe(w []float64) (d description) {
	n := float64(len(w))
	for _, x := range w {
		d.mean += x
	}
	d.mean /= n
	rest := 0.0 // what rounding lost: equal samples must have no variance
	for _, x := range w {
		rest += x - d.mean
	}
	d.mean += rest / n
	var squares, cubes, products float64
	for i, x := range w {
		x -= d.mean
		squares += x * x
		cubes += x * x * x
		if i > 0 {
			products += x * (w[i-1] - d.mean)
		}
	}
	if squares > 0 {
		d.variance = squares / (n - 1)
		d.lag1 = products / squares
		d.skewness = cubes / n / math.Pow(d.variance, 1.5)
	}
	return d
}

// rankLag1 returns the lag-1 correlation of the ranks of w, corrected for its bias: a few large values do not disturb it.
func rankLag1(w []float64) float64 {
	r := describe(ranks(w)).lag1
	return r + (1+4*r)/float64(len(w))
}

// ranks returns the rank of each value, from 0; equal values have the least of theirs.
func ranks(w []float64) []float64 {
	order, ranks := make([]int, len(w)), make([]float64, len(w))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(w[a], w[b]) })
	for rank, i := range order {
		ranks[i] = float64(rank)
		if rank > 0 && w[i] == w[order[rank-1]] {
			ranks[i] = ranks[order[rank-1]]
		}
	}
	return ranks
}

// vonNeumann returns by how many standard errors the mean square difference of neighbours in w falls short of that of
// independent values, which is twice their variance. With few values it detects correlation better than lag-1 does.
//
// Source: J. von Neumann, Annals of Mathematical Statistics 12 (1941).
func vonNeumann(w []float64) float64 {
	n := float64(len(w))
	squares := 0.0
	for i, x := range w[1:] {
		squares += (x - w[i]) * (x - w[i])
	}
	variance := describe(w).variance
	if !(variance > 0) {
		return 0
	}
	return (1 - squares/(2*variance*(n-1))) / math.Sqrt((n-2)/(n*n-1))
}
