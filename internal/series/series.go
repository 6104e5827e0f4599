// SPDX-License-Identifier: BSD-3-Clause

// Package series says what the size and the order of the values of a short series show.
package series

import (
	"cmp"
	"math"
	"slices"
)

// A Description holds the mean of a series, its variance with n-1 in the denominator, the correlation of neighbours, not corrected for
// its bias, and the skewness. Without variance the latter two are 0.
type Description struct{ Mean, Variance, Lag1, Skewness float64 }

// Describe describes a series of at least one value; one value has no variance.
func Describe(w []float64) (d Description) {
	n := float64(len(w))
	for _, x := range w {
		d.Mean += x
	}
	d.Mean /= n
	rest := 0.0 // what rounding lost: equal samples must have no variance
	for _, x := range w {
		rest += x - d.Mean
	}
	d.Mean += rest / n
	var squares, cubes, products float64
	for i, x := range w {
		x -= d.Mean
		squares += x * x
		cubes += x * x * x
		if i > 0 {
			products += x * (w[i-1] - d.Mean)
		}
	}
	if squares > 0 {
		d.Variance = squares / (n - 1)
		d.Lag1 = products / squares
		d.Skewness = cubes / n / math.Pow(d.Variance, 1.5)
	}
	return d
}

// RankLag1 returns the lag-1 correlation of the ranks of w, corrected for its bias: a few large values do not disturb it.
func RankLag1(w []float64) float64 {
	r := Describe(Ranks(w)).Lag1
	return r + (1+4*r)/float64(len(w))
}

// Ranks returns the rank of each value, from 0; equal values have the least of theirs.
func Ranks(w []float64) []float64 {
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

// VonNeumann returns by how many standard errors the mean square difference of neighbours in w falls short of that of
// independent values, which is twice their variance. With few values it detects correlation better than lag-1 does.
//
// Source: J. von Neumann, Annals of Mathematical Statistics 12 (1941).
func VonNeumann(w []float64) float64 {
	n := float64(len(w))
	squares := 0.0
	for i, x := range w[1:] {
		squares += (x - w[i]) * (x - w[i])
	}
	variance := Describe(w).Variance
	if !(variance > 0) {
		return 0
	}
	return (1 - squares/(2*variance*(n-1))) / math.Sqrt((n-2)/(n*n-1))
}

// Pairs returns the means of adjacent pairs; an odd last one is dropped.
func Pairs(w []float64) []float64 {
	half := make([]float64, len(w)/2)
	for i := range half {
		half[i] = (w[2*i] + w[2*i+1]) / 2
	}
	return half
}

// Gini returns the Gini coefficient of values in ascending order, all less the least of them; it is -∞ when all are equal.
func Gini(x []float64) float64 {
	least, m := x[0], float64(len(x)-1)
	var weighted, sum float64
	for i, v := range x[1:] {
		weighted += (2*float64(i+1) - m - 1) * (v - least)
		sum += v - least
	}
	if !(sum > 0) {
		return math.Inf(-1)
	}
	return weighted / sum / (m - 1)
}
