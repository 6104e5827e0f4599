// SPDX-License-Identifier: BSD-3-Clause

package sample

import (
	"fmt"
	"math"
	"slices"

	"github.com/strobe-go/strobe/stat"
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
	low, high := ranks(len(x), q, (1-level)/2)
	if low < 1 || high > len(x) {
		return stat.Point(center, uint64(len(x)), method, fmt.Sprintf("%d values are too few for quantile %v at level %v", len(x), q, level))
	}
	return stat.Interval{Center: center, Lo: sorted[low-1], Hi: sorted[high-1], Level: level, Method: method,
		N: uint64(len(x)), NEff: float64(len(x))}
}

// ranks returns the largest rank, from 1, whose value lies above the quantile with probability at most alpha, and the
// smallest whose value lies below it with at most that. With B values below, rank k lies above when B < k. Ranks 0 and
// n+1 mean that there is none.
func ranks(n int, q, alpha float64) (low, high int) {
	return rankBelow(n, q, alpha), n + 1 - rankBelow(n, 1-q, alpha)
}

// rankBelow returns the largest k with P(B < k) <= alpha for binomial B, 0 when there is none.
func rankBelow(n int, q, alpha float64) int {
	mean := float64(n) * q
	k := int(max(0, mean-30*math.Sqrt(mean*(1-q))-30)) // nothing to speak of lies below
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
