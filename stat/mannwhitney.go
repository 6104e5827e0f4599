// SPDX-License-Identifier: BSD-3-Clause

package stat

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

// uTest is the outcome of a Mann-Whitney test of a against b.
type uTest struct {
	p     float64 // two-sided
	least float64 // smallest p-value that samples of these sizes and ties can give
	above bool    // a is larger in more than half of the pairs
}

// mannWhitney tests that a and b, both sorted and not empty, come from one distribution.
//
// Source: H. B. Mann and D. R. Whitney, Annals of Mathematical Statistics 18 (1947); with ties the permutation
// distribution given the ties, as in J. H. Klotz, "A Computational Approach to Statistics", 13. Beyond the limits the
// normal approximation with corrections for ties and continuity.
func mannWhitney(a, b []float64) uTest {
	twiceU, groups := rankGroups(a, b)
	n, m := len(a), len(b)
	t := uTest{above: twiceU > n*m}
	ties := len(groups) < n+m
	if limit := max(n, m); limit <= exactTiesLimit || !ties && limit <= exactLimit {
		var ways []float64
		if ties {
			ways = tiedWays(n, m, groups)
		} else {
			ways, twiceU = gaussian(n, m), twiceU/2
		}
		t.p, t.least = twoTails(ways, twiceU), leastTail(ways)
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
		t.p, t.least = 1, 1
		return t
	}
	off := math.Abs(float64(twiceU)/2-pairs/2) - 0.5
	t.p, t.least = min(1, 2*dist.NormalTail(off/sigma)), 2*dist.NormalTail(pairs/2/sigma)
	return t
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
		for ; i < len(a) && a[i] == x; i++ {
			fromA++
		}
		for ; j < len(b) && b[j] == x; j++ {
			fromB++
		}
		twiceU += fromA * (2*(j-fromB) + fromB)
		groups = append(groups, fromA+fromB)
	}
	return twiceU, groups
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

// gaussian returns the coefficients of the Gaussian binomial of n+m over n: the number of ways to get each U without
// ties.
func gaussian(n, m int) []float64 {
	ways := make([]float64, n*m+1)
	ways[0] = 1
	for i := 1; i <= n; i++ {
		for u := len(ways) - 1; u >= m+i; u-- { // times 1 - q^(m+i)
			ways[u] -= ways[u-m-i]
		}
		for u := i; u < len(ways); u++ { // over 1 - q^i
			ways[u] += ways[u-i]
		}
	}
	for u := range ways { // the upper half mirrors the lower one, which has no rounding errors
		if mirror := len(ways) - 1 - u; mirror < u {
			ways[u] = ways[mirror]
		}
	}
	return ways
}

func binomial(n, k int) float64 {
	c := 1.0
	for i := range k {
		c = c * float64(n-i) / float64(i+1)
	}
	return math.Round(c)
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

// rankOfInterval returns the largest k such that the k-th smallest and the k-th largest of the n·m differences enclose
// the shift with probability 1-alpha, 0 when there is none.
func rankOfInterval(n, m int, alpha float64) int {
	pairs := float64(n) * float64(m)
	if max(n, m) > exactLimit {
		sigma := math.Sqrt(pairs * float64(n+m+1) / 12)
		return max(0, int(pairs/2-dist.NormalUpper(alpha/2)*sigma))
	}
	ways := gaussian(n, m)
	total := 0.0
	for _, w := range ways {
		total += w
	}
	below := 0.0
	for k, w := range ways {
		if below += w; below/total > alpha/2 {
			return k
		}
	}
	return 0
}

// difference returns the k-th smallest, from 1, of all b-a with a and b sorted: by bisection on float64 in their order,
// counting pairs, so that n·m differences need not be kept.
func difference(a, b []float64, k int) float64 {
	low, high := ordered(b[0]-a[len(a)-1]), ordered(b[len(b)-1]-a[0])
	for low < high {
		middle := low + int64(uint64(high-low)/2)
		if atMost(a, b, unordered(middle)) >= k {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return unordered(low)
}

// atMost counts the pairs with b-a <= d.
func atMost(a, b []float64, d float64) (count int) {
	j := 0
	for _, x := range a {
		for j < len(b) && b[j]-x <= d {
			j++
		}
		count += j
	}
	return count
}

// ordered maps float64 to int64 keeping their order; unordered is its inverse.
func ordered(x float64) int64 {
	i := int64(math.Float64bits(x))
	if i < 0 {
		i = math.MinInt64 - i
	}
	return i
}

func unordered(i int64) float64 {
	if i < 0 {
		i = math.MinInt64 - i
	}
	return math.Float64frombits(uint64(i))
}
