// SPDX-License-Identifier: BSD-3-Clause

package sample

import (
	"fmt"
	"math"
	"slices"

	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/dist"
)

// Quantile returns the value below which a fraction q of the values lies, between two values by linear interpolation:
// definition 7 of Hyndman and Fan, the default of R and NumPy. The values must be sorted; q is cut off at 0 and 1.
// Without values it is 0.
func Quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	h := max(0, min(1, q)) * float64(len(sorted)-1)
	i := min(len(sorted)-1, int(h))
	if math.IsNaN(q) || i == len(sorted)-1 {
		return sorted[i]
	}
	share := h - float64(i)
	return sorted[i]*(1-share) + sorted[i+1]*share
}

// QuantileInterval returns the interval of a quantile of independent values between two of the values themselves: the
// widest pair of ranks that a binomial count of values below the quantile keeps inside with at least the given
// probability. It assumes independence and nothing else. Give it runs, or batch medians, never the frames of one run. x
// need not be sorted.
//
// The median takes at least 6 values at level 0.95, the 0.99 quantile 368: with fewer there is no interval.
func QuantileInterval(x []float64, q, level float64) stat.Interval {
	const method = "order statistics"
	level, reason := levelOf(level)
	finite := !slices.ContainsFunc(x, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
	switch {
	case !(q > 0 && q < 1):
		return unknown(method, fmt.Sprintf("quantile %v is not between 0 and 1", q))
	case len(x) == 0:
		return unknown(method, "no values")
	case !finite:
		return unknown(method, "a value is not finite")
	}
	sorted := slices.Sorted(slices.Values(x))
	center := Quantile(sorted, q)
	if reason != "" {
		return stat.Point(center, uint64(len(x)), method, reason)
	}
	low, high, ok := Ranks(uint64(len(x)), q, level)
	if !ok {
		return stat.Point(center, uint64(len(x)), method, fmt.Sprintf("%d values are too few for quantile %v at level %v", len(x), q, level))
	}
	return stat.Interval{Center: center, Lo: sorted[low-1], Hi: sorted[high-1], Level: level, Method: method,
		N: uint64(len(x)), NEff: float64(len(x))}
}

// Ranks returns the two order statistics between which QuantileInterval places the quantile of n independent values, for values that
// are counted in a histogram: the interval reaches from the smallest value of rank low, from 1 on, to the largest of rank high, at
// most n. ok is false if there are too few values, and where q or level is not between 0 and 1.
func Ranks(n uint64, q, level float64) (low, high uint64, ok bool) {
	if !(q > 0 && q < 1 && level > 0 && level < 1) {
		return 0, 0, false
	}
	// Rank k lies above the quantile when fewer than k values lie below it, so low is the largest rank that does so with probability at
	// most alpha, and high the smallest that lies below it with at most that. Ranks 0 and n+1 mean that there is none.
	alpha := (1 - level) / 2
	low, high = rankBelow(n, q, alpha), n+1-rankBelow(n, 1-q, alpha)
	if low < 1 || high > n {
		return 0, 0, false
	}
	return low, high, true
}

// rankBelow returns the largest k with P(B < k) <= alpha for binomial B, 0 when there is none.
func rankBelow(n uint64, q, alpha float64) uint64 {
	mean := float64(n) * q
	sd := math.Sqrt(mean * (1 - q))
	if sd > 1000 { // the normal distribution is nearer to it than z² ranks
		z := dist.NormalUpper(alpha)
		return uint64(max(0, mean-z*sd-z*z))
	}
	k := uint64(max(0, mean-10*sd-30)) // by Bernstein's inequality nothing to speak of lies below
	up, _ := math.Lgamma(float64(n) + 1)
	a, _ := math.Lgamma(float64(k) + 1)
	b, _ := math.Lgamma(float64(n-k) + 1)
	probability := math.Exp(up - a - b + float64(k)*math.Log(q) + float64(n-k)*math.Log1p(-q))
	for below := 0.0; k < n; k++ {
		if below += probability; below > alpha {
			break
		}
		probability *= float64(n-k) / float64(k+1) * q / (1 - q)
	}
	return k
}
