// SPDX-License-Identifier: BSD-3-Clause

package decide

import (
	"math"
	"sync/atomic"
)

// known are the latest results of countWays. Comparisons in a row are mostly of samples of the same sizes.
var known [16]atomic.Pointer[counted]

type counted struct {
	n, m int
	ways []float64
	all  float64
}

// lowerWays is countWays without counting again. Callers do not write the result.
func lowerWays(n, m int) (ways []float64, all float64) {
	at := &known[(31*n+m)%len(known)]
	k := at.Load()
	if k == nil || k.n != n || k.m != m {
		k = &counted{n: n, m: m}
		k.ways, k.all = countWays(n, m)
		at.Store(k)
	}
	return k.ways, k.all
}

// countWays returns in how many ways n and m values without ties can be ordered so that U is the index, for U of at most half
// of the pairs, and the number of all orders.
//
// That number is the coefficient of x^U in the product of (1-x^(n+i))/(1-x^i) for i from 1 to m.
func countWays(n, m int) (ways []float64, all float64) {
	m, n = min(n, m), max(n, m)
	ways, all = make([]float64, n*m/2+1), 1
	ways[0] = 1
	for i := 1; i <= m; i++ {
		all = all * float64(n+i) / float64(i)
		for u := len(ways) - 1; u >= n+i; u-- {
			ways[u] -= ways[u-n-i]
		}
		for u := i; u < len(ways); u++ {
			ways[u] += ways[u-i]
		}
	}
	return ways, all
}

// allWays is lowerWays for every U: the upper half mirrors the lower one.
func allWays(n, m int) []float64 {
	lower, _ := lowerWays(n, m)
	ways := make([]float64, n*m+1)
	for u, w := range lower {
		ways[u], ways[n*m-u] = w, w
	}
	return ways
}

// tiedWays returns in how many ways n of the n+m values can be chosen so that twice their U is the index. Values are in
// groups of equal ones.
func tiedWays(n, m int, groups []int) []float64 {
	width := 2*n*m + 1
	ways := make([][]float64, n+1) // by how many are chosen so far
	for chosen := range ways {
		ways[chosen] = make([]float64, width)
	}
	ways[0][0] = 1
	lower := 0
	for _, t := range groups {
		for chosen := min(n, lower); chosen >= 0; chosen-- { // downwards, so that no group counts twice
			from := ways[chosen]
			others := lower - chosen
			for take := min(t, n-chosen); take >= 1; take-- {
				if others+t-take > m {
					continue
				}
				shift, choices, to := take*(2*others+t-take), binomial(t, take), ways[chosen+take]
				for u, w := range from[:max(0, width-shift)] {
					to[u+shift] += w * choices
				}
			}
			if others+t > m { // taking none leaves more for the other sample than it has
				clear(from)
			}
		}
		lower += t
	}
	return ways[n]
}

func binomial(n, k int) float64 {
	c := 1.0
	for i := range k {
		c = c * float64(n-i) / float64(i+1)
	}
	return math.Round(c)
}
