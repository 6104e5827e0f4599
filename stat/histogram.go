// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/strobe-go/strobe/internal/cells"
)

// Histogram counts integer samples in cells whose width grows with the value, so that quantiles have the same relative
// error from nanoseconds to centuries: 0.4 % in the zero value, which is ready to use, or what [NewHistogram] was asked
// for. Counts, sum, mean and extremes are exact.
//
// Cells are allocated up to the largest sample seen: 24 KB for a second in nanoseconds, at most 58 KB for all of int64
// at the default error, and up to a quarter more while they grow. A negative sample, such as a duration after overhead
// was subtracted, counts as 0 in quantiles but enters the sum and the minimum as it is.
//
// Do not copy a Histogram by assignment: once it holds a sample, the copy is the same histogram, and before that an independent one.
// [Histogram.Clone] always makes an independent one.
//
// Not safe for concurrent use; give each goroutine its own and merge, or use a shared.Histogram. A profile.Histogram is what a
// snapshot has of one, as plain data.
type Histogram struct {
	s *counts // nil while there are no samples and the layout is the default
}

// counts is the content of a histogram.
type counts struct {
	cells       []uint64
	least, span uint64 // Record takes its fast path for least <= v < least+span; span is 0 in any but the default layout
	sum         int128

	min, max uint64 // of the samples that are not negative; without cells there are none
	negative uint64 // number of negative samples
	lowest   int64  // of the negative samples; 0 without any
	layout   cells.Layout
}

// The layouts to choose from, and that of the zero value.
const (
	coarsest = cells.Layout(1)
	standard = cells.Layout(7)
	finest   = cells.Layout(14)
)

// NewHistogram returns a histogram whose quantiles are within the given relative error, rounded down to a power of two.
// The error must be between 2^-15 and 1; 0 means the 0.4 % of the zero value. Errors above 1/4 give 1/4. Halving the
// error doubles the memory.
func NewHistogram(relativeError float64) (*Histogram, error) {
	if relativeError == 0 {
		return new(Histogram), nil
	}
	if !(relativeError >= math.Ldexp(1, -int(finest)-1) && relativeError <= 1) {
		return nil, fmt.Errorf("stat: relative error %v of a histogram is not between 2^-15 and 1", relativeError)
	}
	layout := cells.Layout(max(0, math.Ceil(-math.Log2(relativeError)-1)))
	return &Histogram{&counts{layout: max(coarsest, layout)}}, nil
}

// Record counts one sample. It allocates only when the sample lies beyond all earlier ones.
func (h *Histogram) Record(v int64) {
	s, u := h.s, uint64(v)
	if s == nil || u-s.least >= s.span { // a negative sample is beyond any span
		h.RecordN(v, 1)
		return
	}
	s.cells[standard.Index(u)]++
	if s.sum.lo += u; s.sum.lo < u { // a branch that is never taken costs less than adding a carry
		s.sum.hi++
	}
}

// RecordN counts a sample n times, for counts that come from elsewhere.
func (h *Histogram) RecordN(v int64, n uint64) {
	if n == 0 {
		return
	}
	s := h.counts()
	s.sum = s.sum.plus(times(v, n))
	if v < 0 {
		s.negative += n
		s.lowest = min(s.lowest, v)
		return
	}
	s.widen(uint64(v), uint64(v))
	s.cells[s.layout.Index(uint64(v))] += n
}

// counts returns the content of h, which it makes if there is none.
func (h *Histogram) counts() *counts {
	if h.s == nil {
		h.s = &counts{layout: standard}
	}
	return h.s
}

// widen moves the extremes so that they include lo and hi, and sees to it that there are cells for them.
func (s *counts) widen(lo, hi uint64) {
	if len(s.cells) > 0 {
		lo, hi = min(lo, s.min), max(hi, s.max)
	}
	s.setExtremes(lo, hi)
}

func (s *counts) setExtremes(lo, hi uint64) {
	s.min, s.max = lo, hi
	s.reserve(int(s.layout.Index(hi)) + 1)
	if s.layout == standard {
		s.least, s.span = lo, hi-lo+1
	}
}

// reserve makes sure that there are n cells.
func (s *counts) reserve(n int) {
	if n > len(s.cells) {
		s.cells = append(s.cells, make([]uint64, n-len(s.cells))...)
	}
}

// Reset removes all samples. The layout stays, and so does the memory of the cells. A copy made by assignment loses its samples too.
func (h *Histogram) Reset() {
	if h.s != nil {
		clear(h.s.cells)
		*h.s = counts{layout: h.s.layout, cells: h.s.cells[:0]}
	}
}

// Clone returns an independent copy.
func (h *Histogram) Clone() *Histogram {
	c := new(Histogram)
	if h.s != nil {
		s := *h.s
		s.cells = append([]uint64(nil), s.cells...)
		c.s = &s
	}
	return c
}

// A Cell is a range of values and how many samples lie in it; a profile.Cell is one of durations.
type Cell struct {
	Lo, Hi int64 // the smallest and the largest value
	N      uint64
}

// Cells returns the cells that are not empty, in ascending order. Negative samples are in the cell of 0.
func (h *Histogram) Cells() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		h.each(func(lo, hi int64, n uint64) bool { return yield(Cell{lo, hi, n}) })
	}
}

// each calls yield for every cell that is not empty, in ascending order, until yield returns false.
func (h *Histogram) each(yield func(lo, hi int64, n uint64) bool) {
	if h.s == nil {
		return
	}
	if h.s.negative > 0 && len(h.s.cells) == 0 {
		yield(0, 0, h.s.negative)
		return
	}
	for i, n := range h.s.cells {
		if i == 0 {
			n += h.s.negative
		}
		if n == 0 {
			continue
		}
		if lo, hi := h.s.layout.Range(uint64(i)); !yield(int64(lo), int64(hi), n) {
			return
		}
	}
}

// N returns the number of samples. It adds up all cells, which takes microseconds, as do Quantile, Mean and CountBelow: Record would
// cost more if it counted.
func (h *Histogram) N() uint64 {
	if h.s == nil {
		return 0
	}
	n := h.s.negative
	for _, c := range h.s.cells {
		n += c
	}
	return n
}

// Min returns the smallest sample; 0 when there are none.
func (h *Histogram) Min() int64 {
	switch {
	case h.s == nil:
		return 0
	case h.s.negative > 0:
		return h.s.lowest
	}
	return int64(h.s.min)
}

// Max returns the largest sample; 0 when there are none or none was positive.
func (h *Histogram) Max() int64 {
	if h.s == nil {
		return 0
	}
	return int64(h.s.max)
}

// CountBelow returns the number of samples smaller than v. Inside a cell the samples are assumed to be spread evenly, so
// the count is exact when v is the edge of a cell.
func (h *Histogram) CountBelow(v int64) uint64 {
	below := uint64(0)
	least, most := h.Min(), h.Max()
	h.each(func(lo, hi int64, c uint64) bool {
		lo, hi = max(lo, least), min(hi, most)
		switch {
		case hi < v:
			below += c
		case lo < v:
			share := float64(v-lo) / (float64(hi-lo) + 1)
			below += uint64(share * float64(c))
		default:
			return false
		}
		return true
	})
	return below
}

// Mean returns the arithmetic mean, correctly rounded; 0 when there are no samples.
func (h *Histogram) Mean() float64 {
	n := h.N()
	if n == 0 {
		return 0
	}
	return float64Of(quotient(h.s.sum.int(), natural(n)))
}

// Sum returns the sum of all samples, negative ones included, correctly rounded.
func (h *Histogram) Sum() float64 {
	if h.s == nil {
		return 0
	}
	return h.s.sum.float()
}

// Merge adds the counts of other, which is not changed. Nil changes nothing. An empty zero histogram takes over the
// precision of other; otherwise, when precisions differ, samples of other move to the middle of their cell, and both
// errors add up.
func (h *Histogram) Merge(other *Histogram) {
	if other == nil || other.s == nil {
		return
	}
	if h.s == nil {
		h.s = &counts{layout: other.s.layout}
	}
	s, o := h.s, other.s
	s.sum = s.sum.plus(o.sum)
	s.negative += o.negative
	s.lowest = min(s.lowest, o.lowest)
	if len(o.cells) == 0 {
		return
	}
	s.widen(o.min, o.max)
	for i, n := range o.cells {
		if n == 0 {
			continue
		}
		if s.layout != o.layout {
			lo, hi := o.layout.Range(uint64(i))
			i = int(s.layout.Index(max(o.min, min(o.max, lo+(hi-lo)/2))))
		}
		s.cells[i] += n
	}
}

// Sub returns what was recorded since earlier, an older [Histogram.Clone] of h, without changing either. Counts, sum and
// mean are exact; Min and Max are those of the cells, and never wider than those of h. A nil or empty earlier gives a
// clone of h.
//
// It fails when earlier is not an older clone of h: when it has another precision, holds samples that h does not, or is
// h itself, which a copy made by assignment is too.
func (h *Histogram) Sub(earlier *Histogram) (*Histogram, error) {
	if earlier == nil || earlier.N() == 0 {
		return h.Clone(), nil
	}
	if h.s == earlier.s {
		return nil, errSame
	}
	if h.s == nil || earlier.s.layout != h.s.layout || len(earlier.s.cells) > len(h.s.cells) || earlier.s.negative > h.s.negative {
		return nil, errNotOlder
	}
	d := &counts{layout: h.s.layout, sum: h.s.sum.minus(earlier.s.sum), negative: h.s.negative - earlier.s.negative}
	if d.negative > 0 {
		d.lowest = h.s.lowest
	}
	rest := make([]uint64, len(h.s.cells))
	for i, n := range h.s.cells {
		if i < len(earlier.s.cells) {
			if earlier.s.cells[i] > n {
				return nil, errNotOlder
			}
			n -= earlier.s.cells[i]
		}
		if rest[i] = n; n > 0 {
			lo, hi := d.layout.Range(uint64(i))
			d.widen(max(lo, h.s.min), min(hi, h.s.max))
		}
	}
	copy(d.cells, rest)
	return &Histogram{d}, nil
}

var (
	errNotOlder = errors.New("stat: cannot subtract: the other histogram is not an older clone of this one")
	errSame     = errors.New("stat: cannot subtract a histogram from itself; a copy made by assignment is the same one: use Clone")
)
