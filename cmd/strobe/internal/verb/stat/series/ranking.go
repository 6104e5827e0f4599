// SPDX-License-Identifier: BSD-3-Clause

package series

import (
	"cmp"
	"math"
	"slices"
)

// A ranking is samples in ascending order, in the unit of the input.
type ranking interface {
	n() uint64
	quantile(q float64) float64    // the best estimate
	at(q float64) (lo, hi float64) // bounds of the sample at that fraction of the ranks
	below(v float64) float64       // how many samples are less than v
	how() string                   // how quantiles are found
}

// samples is an exact ranking.
type samples struct {
	x      []int64 // of 10^-digits
	digits int
}

func (r samples) n() uint64   { return uint64(len(r.x)) }
func (r samples) how() string { return "exact, type R-7" }

func (r samples) quantile(q float64) float64 {
	h := q * float64(len(r.x)-1)
	i := min(int(h), len(r.x)-1)
	lo := decimal(r.x[i], r.digits)
	if f := h - float64(i); f > 0 {
		return lo + f*(decimal(r.x[i+1], r.digits)-lo)
	}
	return lo
}

func (r samples) at(q float64) (lo, hi float64) {
	v := decimal(r.x[rank(q, len(r.x))], r.digits)
	return v, v
}

func (r samples) below(v float64) float64 {
	i, _ := slices.BinarySearchFunc(r.x, v, func(x int64, v float64) int {
		if decimal(x, r.digits) < v {
			return -1
		}
		return 1
	})
	return float64(i)
}

// cells is a ranking by histograms, exact within 0.05 %.
type cells struct {
	x        []heap
	total    uint64
	min, max float64
}

// A heap is a number of samples between two bounds.
type heap struct {
	lo, hi float64
	n      uint64
}

func (s *stream) ranking() ranking {
	m := s.all.Moments()
	r := cells{total: m.N(), min: decimal(m.Min(), s.digits), max: decimal(m.Max(), s.digits)}
	for i := range s.hist {
		h := &s.hist[i]
		for c := range h.neg.Cells() {
			r.x = append(r.x, heap{decimal(-c.Hi, h.digits), decimal(-c.Lo, h.digits), c.N})
		}
		for c := range h.pos.Cells() {
			r.x = append(r.x, heap{decimal(c.Lo, h.digits), decimal(c.Hi, h.digits), c.N})
		}
	}
	slices.SortFunc(r.x, func(a, b heap) int { return cmp.Compare(a.lo+a.hi, b.lo+b.hi) })
	return r
}

func (r cells) n() uint64   { return r.total }
func (r cells) how() string { return "within 0.05 %, by a histogram" }

func (r cells) quantile(q float64) float64 {
	lo, hi := r.at(q)
	return lo + (hi-lo)/2
}

func (r cells) at(q float64) (lo, hi float64) {
	left := max(1, math.Ceil(q*float64(r.total)))
	for _, c := range r.x {
		if left -= float64(c.n); left <= 0 {
			return max(c.lo, r.min), min(c.hi, r.max)
		}
	}
	return r.max, r.max
}

func (r cells) below(v float64) float64 {
	total := 0.0
	for _, c := range r.x {
		switch {
		case c.hi < v:
			total += float64(c.n)
		case c.lo < v:
			total += float64(c.n) * (v - c.lo) / (c.hi - c.lo)
		}
	}
	return total
}
