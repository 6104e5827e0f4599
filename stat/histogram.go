// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"errors"
	"math"
	"math/bits"
)

// Histogram counts integer samples in cells whose width grows with the value, so that quantiles of anything from
// nanoseconds to centuries come out with the same relative error: 0.4 % in the zero value, which is ready, or what
// [NewHistogram] was asked for. Counts, sum, mean and extremes are exact.
//
// Cells are allocated up to the largest sample seen: 24 KB for a second in nanoseconds, at most 58 KB of cells for all
// of int64, and up to a quarter more while they grow. A negative sample, a duration after overhead was taken off,
// counts as 0 but enters the sum as it is.
//
// Not safe for concurrent use; give each goroutine its own and merge, or use package shared.
type Histogram struct {
	cells []uint64
	sum   int64  // modulo 2^64; the cells tell the rest
	below uint64 // ^min, so that zero means none
	max   int64
	fine  uint // the number of mantissa bits, XOR 7 so that zero means 7
}

// NewHistogram returns a histogram whose quantiles are within the given relative error, rounded down to a power of two
// between 2^-2 and 2^-15. Halving the error doubles the memory. An error that is not positive gives the 0.4 % of the
// zero value.
func NewHistogram(relativeError float64) *Histogram {
	mantissa := uint(defaultMantissa)
	if relativeError > 0 {
		mantissa = uint(max(minMantissa, min(maxMantissa, math.Ceil(-math.Log2(relativeError)-1))))
	}
	return &Histogram{fine: mantissa ^ defaultMantissa}
}

const (
	defaultMantissa = 7
	minMantissa     = 1
	maxMantissa     = 14
)

// Record counts one sample. It allocates only when the sample lies beyond all earlier ones.
//
// The body fits the compiler's budget for inlining by a hair, which is worth a nanosecond: hence the reuse of e.
func (h *Histogram) Record(v int64) {
	u, m := uint64(v), h.fine&63^defaultMantissa
	e := bits.Len64(u >> m >> 1)
	e = e<<m + int(u>>e)
	for e >= len(h.cells) {
		h.cells = append(h.cells, 0)
	}
	h.cells[e]++
	h.sum += v
	if v > h.max {
		h.max = v
	}
	if ^u > h.below {
		h.below = ^u
	}
}

// RecordN counts a sample n times, for counts that come from elsewhere.
func (h *Histogram) RecordN(v int64, n uint64) {
	if n == 0 {
		return
	}
	i := cellOf(v, h.mantissa())
	h.grow(i + 1)
	h.cells[i] += n
	h.sum += v * int64(n)
	h.max, h.below = max(h.max, v), max(h.below, ^uint64(v))
}

func (h *Histogram) mantissa() uint { return h.fine ^ defaultMantissa }

func (h *Histogram) grow(n int) {
	if n > len(h.cells) {
		h.cells = append(h.cells, make([]uint64, n-len(h.cells))...)
	}
}

// cellOf returns the cell of v: with m bits of mantissa, values below 2^(m+1) have a cell each, and every octave above
// has 2^m cells. Negative values, whose top bit is set, come after all others.
func cellOf(v int64, m uint) int {
	e := bits.Len64(uint64(v) >> (m + 1))
	return e<<m + int(uint64(v)>>e)
}

// cellRange returns the smallest and the largest value of cell i.
func cellRange(i int, m uint) (lo, hi int64) {
	if i < 2<<m {
		return int64(i), int64(i)
	}
	e := i>>m - 1
	lo = int64(i-e<<m) << e
	return lo, lo + 1<<e - 1
}

// firstNegative returns the number of cells of values that are not negative.
func firstNegative(m uint) int { return cellOf(math.MaxInt64, m) + 1 }

// Cells calls yield for every cell that is not empty, in ascending order, with its smallest and largest value and its
// count, until yield returns false. Negative samples are in the cell of 0.
func (h *Histogram) Cells(yield func(lo, hi int64, n uint64) bool) {
	m := h.mantissa()
	limit := min(len(h.cells), firstNegative(m))
	negative := uint64(0)
	for _, n := range h.cells[limit:] {
		negative += n
	}
	for i, n := range h.cells[:limit] {
		if i == 0 {
			n += negative
		}
		if lo, hi := cellRange(i, m); n > 0 && !yield(lo, hi, n) {
			return
		}
	}
}

// N returns the number of samples.
func (h *Histogram) N() uint64 {
	n := uint64(0)
	for _, c := range h.cells {
		n += c
	}
	return n
}

// Min returns the smallest sample; 0 when there are none or one was negative.
func (h *Histogram) Min() int64 {
	if h.below>>63 == 0 || len(h.cells) > firstNegative(h.mantissa()) {
		return 0
	}
	return int64(^h.below)
}

// Max returns the largest sample; 0 when there are none or none was positive.
func (h *Histogram) Max() int64 { return h.max }

// Quantile returns the value that a fraction q of the samples does not exceed: the middle of the cell of the sample of
// rank ⌈q·n⌉, and never outside Min to Max. q <= 0 gives Min, q >= 1 gives Max; without samples it is 0, which N tells.
func (h *Histogram) Quantile(q float64) int64 {
	n := h.N()
	if n == 0 || !(q > 0) {
		return h.Min()
	}
	rank := math.Ceil(min(q, 1) * float64(n) * (1 - 4e-16)) // 0.07·100 is a little more than 7
	value, seen := h.max, uint64(0)
	h.Cells(func(lo, hi int64, c uint64) bool {
		if seen += c; float64(seen) < rank {
			return true
		}
		if seen < n || q < 1 {
			value = lo + (hi-lo)/2
		}
		return false
	})
	return max(h.Min(), min(h.max, value))
}

// CountBelow returns the number of samples smaller than v. Inside a cell the samples are taken to be spread evenly, so
// the count is exact when v is the edge of a cell.
func (h *Histogram) CountBelow(v int64) uint64 {
	below := uint64(0)
	least := h.Min()
	h.Cells(func(lo, hi int64, c uint64) bool {
		lo, hi = max(lo, least), min(hi, h.max)
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

// Mean returns the arithmetic mean; 0 when there are no samples.
func (h *Histogram) Mean() float64 {
	n := h.N()
	if n == 0 {
		return 0
	}
	return h.Sum() / float64(n)
}

// Sum returns the sum of all samples, negative ones included.
func (h *Histogram) Sum() float64 {
	return h.exactSum().float()
}

// exactSum completes the sum modulo 2^64 by the multiple of 2^64 that comes nearest to what the cells say. They are
// wrong by less than one in 256, so the result is exact while it is below 2^70, and as good as the cells beyond.
func (h *Histogram) exactSum() int128 {
	var guess int128
	h.Cells(func(lo, hi int64, c uint64) bool {
		up, low := bits.Mul64(uint64(lo+(hi-lo)/2), c)
		guess = guess.plus(int128{up, low})
		return true
	})
	rest := int64(uint64(h.sum) - guess.lo)
	return guess.plus(extend128(rest))
}

// Merge adds the counts of other, which is not changed. Nil changes nothing. An empty zero histogram takes over the
// precision of other and is a copy of it afterwards; otherwise, when precisions differ, samples of other move to the
// middle of their cell, and both errors add up.
func (h *Histogram) Merge(other *Histogram) {
	if other == nil || len(other.cells) == 0 {
		return
	}
	if len(h.cells) == 0 && h.fine == 0 {
		h.fine = other.fine
	}
	sum, most, below := h.sum+other.sum, max(h.max, other.max), max(h.below, other.below)
	if h.fine == other.fine {
		h.grow(len(other.cells))
		for i, n := range other.cells {
			h.cells[i] += n
		}
	} else {
		m := other.mantissa()
		for i, n := range other.cells {
			v := int64(-1)
			if i < firstNegative(m) {
				lo, hi := cellRange(i, m)
				v = lo + (hi-lo)/2
			}
			h.RecordN(v, n)
		}
	}
	h.sum, h.max, h.below = sum, most, below
}

// Sub returns what was recorded since earlier, an older copy of h, without changing either. Counts, sum and mean are
// exact; Min and Max are those of the cells, and never wider than those of h. It fails when earlier is not an older copy
// of h: it has another precision or holds samples that h does not.
func (h *Histogram) Sub(earlier *Histogram) (*Histogram, error) {
	d := &Histogram{fine: h.fine}
	d.Merge(h)
	if earlier == nil || len(earlier.cells) == 0 {
		return d, nil
	}
	if earlier.fine != h.fine || len(earlier.cells) > len(h.cells) {
		return nil, errNotOlder
	}
	for i, n := range earlier.cells {
		if n > d.cells[i] {
			return nil, errNotOlder
		}
		d.cells[i] -= n
	}
	d.sum -= earlier.sum
	d.trim()
	least, first := d.Min(), true
	d.max, d.below = 0, 0
	d.Cells(func(lo, hi int64, _ uint64) bool {
		if first {
			d.below, first = ^uint64(max(lo, least)), false
		}
		d.max = min(hi, h.max)
		return true
	})
	return d, nil
}

var errNotOlder = errors.New("stat: cannot subtract: the other histogram is not an earlier copy of this one")

// trim drops empty cells at the end.
func (h *Histogram) trim() {
	n := len(h.cells)
	for n > 0 && h.cells[n-1] == 0 {
		n--
	}
	h.cells = h.cells[:n]
}
