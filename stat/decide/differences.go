// SPDX-License-Identifier: BSD-3-Clause

package decide

import "math"

// Differences are b-a for every pair of a value of one sample and one of the other, in ascending order. They are found when
// asked for, and not kept. The median of all of them is the estimate of the shift by Hodges and Lehmann; [Cut] says which of them
// are its bounds.
type Differences struct{ a, b []float64 }

// NewDifferences returns the differences of two samples that are finite, in ascending order and not empty. It keeps the
// slices.
func NewDifferences(a, b []float64) Differences { return Differences{a, b} }

// N returns the number of differences.
func (d Differences) N() int { return len(d.a) * len(d.b) }

// Median returns the median.
func (d Differences) Median() float64 {
	n := d.N()
	if n%2 == 1 {
		return d.At((n + 1) / 2)
	}
	return d.At(n/2)/2 + d.At(n/2+1)/2
}

// At returns the k-th smallest difference, from 1. A smaller k gives the smallest, one above N the largest.
//
// It bisects float64 in their order and counts the differences up to each.
func (d Differences) At(k int) float64 {
	low, high := ordered(d.b[0]-d.a[len(d.a)-1]), ordered(d.b[len(d.b)-1]-d.a[0])
	below, upTo := d.AtMost(unordered(low)), d.N()
	if k <= below {
		return unordered(low)
	}
	for uint64(high-low) > 1 { // below < k, and k <= upTo unless k is above N
		if upTo == below+1 {
			return d.next(unordered(low))
		}
		middle := low + int64(uint64(high-low)/2)
		if n := d.AtMost(unordered(middle)); n >= k {
			high, upTo = middle, n
		} else {
			low, below = middle, n
		}
	}
	return unordered(high)
}

// AtMost returns the number of differences that are at most x.
func (d Differences) AtMost(x float64) (count int) {
	j := 0
	for _, v := range d.a { // the larger v is, the more partners it has
		for j < len(d.b) && d.b[j]-v <= x {
			j++
		}
		count += j
	}
	return count
}

// next returns the smallest difference above x.
func (d Differences) next(x float64) float64 {
	j, least := 0, math.Inf(1)
	for _, v := range d.a {
		for j < len(d.b) && d.b[j]-v <= x {
			j++
		}
		if j < len(d.b) {
			least = min(least, d.b[j]-v)
		}
	}
	return least
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
