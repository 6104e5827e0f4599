// SPDX-License-Identifier: BSD-3-Clause

package series

import (
	"math"
	"slices"

	"github.com/strobe-go/strobe/stat"
)

// A stream summarises any number of samples in constant memory.
type stream struct {
	all    stat.BatchMeans // in units of 10^-digits
	digits int
	hist   []signed // by decimals, since the unit of a histogram never changes
	cuts   []cut
	open   int // number of samples in the counts of cuts
	shape
}

// A signed is a histogram of positive and negative samples.
type signed struct {
	digits   int
	pos, neg *stat.Histogram
}

func newSigned(digits int) signed {
	pos, _ := stat.NewHistogram(relativeError) // a valid constant
	neg, _ := stat.NewHistogram(relativeError)
	return signed{digits, pos, neg}
}

const relativeError = 1.0 / 2048

// A cut counts the samples in each group that do not exceed a bound. The correlation of these counts determines the interval of a
// quantile.
type cut struct {
	bound  int64
	count  int64
	groups stat.BatchMeans
}

const groupSize = 64

// newStream returns a stream with the samples kept so far. Their quantiles become the bounds.
func newStream(kept []int64, digits int, quantiles []float64) *stream {
	s := &stream{digits: digits, hist: []signed{newSigned(digits)}, shape: shape{center: middle(kept)}}
	order := slices.Clone(kept)
	slices.Sort(order)
	for _, q := range quantiles {
		s.cuts = append(s.cuts, cut{bound: order[rank(q, len(order))]})
	}
	s.add(kept)
	return s
}

// rank returns the index of the sample that a fraction q of n samples does not exceed.
func rank(q float64, n int) int { return max(0, min(n-1, int(math.Ceil(q*float64(n)))-1)) }

func (s *stream) add(block []int64) {
	for _, x := range block {
		s.all.Add(x)
	}
	s.observe(block)
}

// observe adds samples to everything but the moments.
func (s *stream) observe(block []int64) {
	s.shape.add(block)
	h := &s.hist[len(s.hist)-1]
	for _, x := range block {
		if x >= 0 {
			h.pos.Record(x)
		} else {
			h.neg.Record(-x)
		}
	}
	for len(block) > 0 {
		part := block[:min(len(block), groupSize-s.open)]
		block = block[len(part):]
		s.open += len(part)
		for i := range s.cuts {
			s.cuts[i].take(part, s.open == groupSize)
		}
		s.open %= groupSize
	}
}

func (c *cut) take(part []int64, full bool) {
	above, bound := uint64(0), c.bound
	for _, x := range part {
		above += (uint64(bound^x)&(uint64(bound)^uint64(bound-x)) ^ uint64(bound-x)) >> 63 // bound < x, without a branch
	}
	c.count += int64(len(part)) - int64(above)
	if full {
		c.groups.Add(c.count)
		c.count = 0
	}
}

// addFiner adds a number with more decimals than the unit, and refines the unit. It returns false if the previous samples do not
// fit the finer unit.
func (s *stream) addFiner(n number) bool {
	by := n.decimals - s.digits
	m := s.all.Moments()
	if by > 18 || by+max(width(m.Min()), width(m.Max())) > 18 {
		return false
	}
	if !s.all.Scale(tens[by]) {
		return false
	}
	s.digits = n.decimals
	s.all.Add(n.mantissa)
	s.hist = append(s.hist, newSigned(s.digits))
	for i := range s.cuts {
		s.cuts[i].bound *= tens[by]
	}
	s.shape.refine(tens[by])
	s.observe([]int64{n.mantissa})
	return true
}
