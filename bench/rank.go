// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"math"
	"slices"

	"github.com/strobe-go/strobe/stat/dist"
)

// fewest is the smallest number of differences that an interval is made of.
const fewest = 3

// few is how many differences it takes for ranks to say as much as Student's t does.
const few = 10

// location returns the center of differences that are symmetric about it, and an interval of the given level.
//
// From 10 on it is that of Hodges and Lehmann: the median of all means of two, and those of them that Wilcoxon's signed
// rank test does not reject. It holds for any symmetric distribution, however long its tails. Below it is Student's t, which
// errs on the safe side for long tails. ok is false if there are too few for an interval.
func location(d []float64, level float64) (center, lo, hi float64, method string, ok bool) {
	n := len(d)
	if n < fewest {
		return 0, 0, 0, "", false
	}
	alpha := 1 - level
	if n >= few {
		if cut, ok := rankCut(n, alpha/2); ok {
			s := slices.Sorted(slices.Values(d))
			all := n * (n + 1) / 2
			center = (walsh(s, (all+1)/2) + walsh(s, all/2+1)) / 2
			return center, walsh(s, cut+1), walsh(s, all-cut), "signed ranks", true
		}
	}
	var squares float64
	for _, x := range d {
		center += x / float64(n)
	}
	for _, x := range d {
		squares += (x - center) * (x - center)
	}
	half := dist.StudentUpper(alpha/2, float64(n-1)) * math.Sqrt(squares/float64(n-1)/float64(n))
	return center, center - half, center + half, "Student t", true
}

// walsh returns the k-th smallest, from 1, of the means of every two of the sorted s, each with itself included.
func walsh(s []float64, k int) float64 {
	lo, hi := s[0], s[len(s)-1]
	if k <= 1 {
		return lo
	}
	if upTo(s, lo) >= k {
		return lo
	}
	for { // upTo(lo) < k <= upTo(hi)
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			return hi
		}
		if upTo(s, mid) >= k {
			hi = mid
		} else {
			lo = mid
		}
	}
}

// upTo counts the means of two of the sorted s that are at most t.
func upTo(s []float64, t float64) int {
	count, j := 0, len(s)-1
	for i, x := range s { // as x grows, fewer partners remain
		for j >= i && x/2+s[j]/2 > t {
			j--
		}
		if j < i {
			break
		}
		count += j - i + 1
	}
	return count
}

// rankCut returns the largest c with P(T <= c) <= tail, T being the sum of the ranks of n signs that came up positive.
func rankCut(n int, tail float64) (c int, ok bool) {
	if n > 64 { // the normal approximation is good to a rank here
		mean := float64(n) * float64(n+1) / 4
		sd := math.Sqrt(float64(n) * float64(n+1) * float64(2*n+1) / 24)
		c = int(math.Floor(mean - 0.5 - sd*dist.NormalUpper(tail)))
		return c, c >= 0
	}
	p := make([]float64, n*(n+1)/2+1) // of each sum
	p[0] = 1
	for rank, top := 1, 0; rank <= n; rank++ {
		top += rank
		for sum := top; sum >= 0; sum-- {
			p[sum] /= 2
			if sum >= rank {
				p[sum] += p[sum-rank] / 2
			}
		}
	}
	var below float64
	for c = 0; below+p[c] <= tail; c++ {
		below += p[c]
	}
	return c - 1, c > 0
}
