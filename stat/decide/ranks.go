// SPDX-License-Identifier: BSD-3-Clause

package decide

import (
	"math"
	"slices"

	"github.com/strobe-go/strobe/stat/dist"
)

// Samples up to these sizes get the exact distribution of U, without and with ties; the limits are those of benchstat,
// so that p-values can be compared.
const (
	exactLimit     = 50
	exactTiesLimit = 25
)

// exactWork is the number of steps up to which Cut counts the orders: those for two samples of exactLimit.
const exactWork = exactLimit * exactLimit * exactLimit

// A RankTest is the outcome of [MannWhitney].
type RankTest struct {
	P     float64 // two-sided: probability of ranks at least as far from even if both samples come from one distribution
	Least float64 // smallest P that samples of these sizes and ties can give
	Above bool    // a is larger in more than half of the pairs
}

// MannWhitney tests that a and b, both in ascending order, come from one distribution. With an empty sample P and Least
// are 1.
func MannWhitney(a, b []float64) RankTest {
	n, m := len(a), len(b)
	if n == 0 || m == 0 {
		return RankTest{P: 1, Least: 1}
	}
	twiceU, groups := rankGroups(a, b)
	t := RankTest{Above: twiceU > n*m}
	ties := len(groups) < n+m
	if limit := max(n, m); limit <= exactTiesLimit || !ties && limit <= exactLimit {
		var ways []float64
		if ties {
			ways = tiedWays(n, m, groups)
		} else {
			ways, twiceU = allWays(n, m), twiceU/2
		}
		t.P, t.Least = twoTails(ways, twiceU), leastTail(ways)
		return t
	}
	total := float64(n + m)
	adjust := 0.0
	for _, g := range groups {
		adjust += float64(g) * (float64(g)*float64(g) - 1)
	}
	pairs := float64(n) * float64(m)
	sigma := math.Sqrt(pairs / 12 * (total + 1 - adjust/(total*(total-1))))
	if !(sigma > 0) { // all values are equal
		t.P, t.Least = 1, 1
		return t
	}
	off := math.Abs(float64(twiceU)/2-pairs/2) - 0.5
	t.P, t.Least = min(1, 2*dist.NormalTail(off/sigma)), 2*dist.NormalTail(pairs/2/sigma)
	return t
}

// Cut returns the largest c with P(U <= c) <= tail, where U is the number of pairs in which the value of one sample is
// larger, for samples of n and m values from one distribution without ties. A tail above a half counts as a half. ok is false if
// even P(U = 0) is larger, or if n, m or the tail is not above 0.
//
// The c+1-th smallest and the c+1-th largest of the [Differences] enclose the shift with probability 1 - 2*tail.
func Cut(n, m int, tail float64) (c int, ok bool) {
	if n < 1 || m < 1 || !(tail > 0) {
		return -1, false
	}
	tail = min(tail, 0.5)
	if x, y := float64(n), float64(m); x*y*min(x, y) > exactWork {
		// U is slightly flatter than the normal distribution: this is the Cornish-Fisher term for its kurtosis, up to where it
		// would exceed what it corrects. There the cut is below 0.
		k := (x*x + y*y + x*y + x + y) / (20 * x * y * (x + y + 1))
		z := min(dist.NormalUpper(tail), math.Sqrt((1+3*k)/(3*k)))
		z -= k * (z*z*z - 3*z)
		c = int(math.Floor(x*y/2 - 0.5 - z*math.Sqrt(x*y*(x+y+1)/12)))
		return c, c >= 0
	}
	ways, all := lowerWays(n, m)
	below := 0.0
	for c = 0; c < len(ways) && below+ways[c] <= tail*all; c++ {
		below += ways[c]
	}
	return c - 1, c > 0
}

// rankGroups returns twice the U of a, the number of pairs in which the one of a is larger, equal ones counting half,
// and the sizes of the groups of equal values in ascending order.
func rankGroups(a, b []float64) (twiceU int, groups []int) {
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		var x float64
		if j == len(b) || i < len(a) && a[i] <= b[j] {
			x = a[i]
		} else {
			x = b[j]
		}
		fromA, fromB := 0, 0
		for ; i < len(a) && !(a[i] > x); i++ { // not ==, so that the loop ends for NaN too
			fromA++
		}
		for ; j < len(b) && !(b[j] > x); j++ {
			fromB++
		}
		twiceU += fromA * (2*(j-fromB) + fromB)
		groups = append(groups, fromA+fromB)
	}
	return twiceU, groups
}

func twoTails(ways []float64, at int) float64 {
	total, low, high := 0.0, 0.0, 0.0
	for u, w := range ways {
		total += w
		if u <= at {
			low += w
		}
		if u >= at {
			high += w
		}
	}
	return min(1, 2*min(low, high)/total)
}

// leastTail returns the p-value of the most extreme outcome.
func leastTail(ways []float64) float64 {
	first := slices.IndexFunc(ways, func(w float64) bool { return w > 0 })
	last := len(ways) - 1
	for last > first && ways[last] == 0 {
		last--
	}
	return min(twoTails(ways, first), twoTails(ways, last))
}
