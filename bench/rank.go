// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"math"

	"github.com/strobe-go/strobe/stat/dist"
)

// crossMean returns the k-th smallest, from 1, of the means of one element of a and one of b, which are sorted.
func crossMean(a, b []float64, k int) float64 {
	lo, hi := a[0]/2+b[0]/2, a[len(a)-1]/2+b[len(b)-1]/2
	below, upToHi := upTo(a, b, lo), len(a)*len(b)
	if k <= max(1, below) {
		return lo
	}
	for { // below < k <= upToHi
		if upToHi == below+1 {
			return nextAbove(a, b, lo)
		}
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			return hi
		}
		if n := upTo(a, b, mid); n >= k {
			hi, upToHi = mid, n
		} else {
			lo, below = mid, n
		}
	}
}

// nextAbove returns the smallest mean above t of one element of a and one of b, which are sorted.
func nextAbove(a, b []float64, t float64) float64 {
	j, least := len(b), math.Inf(1)
	for _, x := range a {
		for j > 0 && x/2+b[j-1]/2 > t {
			j--
		}
		if j < len(b) {
			least = min(least, x/2+b[j]/2)
		}
	}
	return least
}

// upTo counts the means of at most t of one element of a and one of b, which are sorted.
func upTo(a, b []float64, t float64) (count int) {
	j := len(b)
	for _, x := range a { // the larger x is, the fewer partners it has
		for j > 0 && x/2+b[j-1]/2 > t {
			j--
		}
		count += j
	}
	return count
}

// exactUpTo is the largest number of rounds for which the distribution of U is computed. Up to this number, all counts in
// tails of at most 0.03 are integers that a float64 can represent.
const exactUpTo = 56

// rankCut returns the largest c with P(U <= c) <= tail, where U is the statistic of Mann and Whitney for samples of m and n.
// ok is false if even P(U <= 0) is larger.
func rankCut(m, n int, tail float64) (c int, ok bool) {
	m, n = min(m, n), max(m, n)
	if m+n > exactUpTo {
		x, y := float64(m), float64(n)
		z := dist.NormalUpper(tail)
		// U is slightly flatter than the normal distribution: this is the Cornish-Fisher term for its kurtosis.
		z -= (z*z*z - 3*z) / 20 * (x*x + y*y + x*y + x + y) / (x * y * (x + y + 1))
		c = int(math.Floor(x*y/2 - 0.5 - z*math.Sqrt(x*y*(x+y+1)/12)))
		return c, c >= 0
	}
	// The number of splits with U = u is the coefficient of x^u in the product of (1-x^(n+i))/(1-x^i) for i from 1 to m. The
	// lower half is enough.
	ways := make([]float64, m*n/2+1)
	ways[0] = 1
	all := 1.0
	for i := 1; i <= m; i++ {
		all = all * float64(n+i) / float64(i)
		for u := len(ways) - 1; u >= n+i; u-- {
			ways[u] -= ways[u-n-i]
		}
		for u := i; u < len(ways); u++ {
			ways[u] += ways[u-i]
		}
	}
	below := 0.0
	for c = 0; c < len(ways) && below+ways[c] <= tail*all; c++ {
		below += ways[c]
	}
	return c - 1, c > 0
}
