// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"math"
	"slices"
	"strconv"

	"github.com/strobe-go/strobe/internal/cells"
)

// MarshalJSON writes the whole state as one object:
//
//	{"mantissa":7,"n":3,"sum":42,"min":1,"max":40,"cells":[[1,2],[40,1]]}
//
// Cells are pairs of index and count, without empty ones. Values below 2^(mantissa+1) have a cell each, and every octave
// above has 2^mantissa cells. The index after that of the largest int64 stands for all negative samples. Without samples
// min, max and cells are absent. It never fails.
func (h Histogram) MarshalJSON() ([]byte, error) {
	s := h.s
	if s == nil {
		s = &counts{layout: standard}
	}
	b := append([]byte(`{"mantissa":`), strconv.Itoa(int(s.layout))...)
	b = strconv.AppendUint(append(b, `,"n":`...), h.N(), 10)
	b = s.sum.int().Append(append(b, `,"sum":`...), 10)
	if h.N() == 0 {
		return append(b, '}'), nil
	}
	b = strconv.AppendInt(append(b, `,"min":`...), h.Min(), 10)
	b = strconv.AppendInt(append(b, `,"max":`...), h.Max(), 10)
	separator := `,"cells":[[`
	pair := func(i, n uint64) {
		if n > 0 {
			b = strconv.AppendUint(append(b, separator...), i, 10)
			b = strconv.AppendUint(append(b, ','), n, 10)
			separator = `],[`
		}
	}
	for i, n := range s.cells {
		pair(uint64(i), n)
	}
	pair(negativeCell(s.layout), s.negative)
	return append(b, `]]}`...), nil
}

// negativeCell returns the index that stands for negative samples.
func negativeCell(l cells.Layout) uint64 { return l.Index(math.MaxInt64) + 1 }

// UnmarshalJSON replaces the contents of h by what [Histogram.MarshalJSON] wrote. Other keys are skipped; n is not needed.
// On an error, which says at which byte, h is unchanged.
func (h *Histogram) UnmarshalJSON(data []byte) error {
	r := jsonReader{data: data, of: "histogram"}
	next := &counts{layout: standard}
	var least, most int64
	limits, total := 0, uint64(0)
	r.object(func(key string) {
		switch key {
		case "mantissa":
			m := r.integer()
			if m < int64(coarsest) || m > int64(finest) {
				r.fail("mantissa is not between 1 and 14")
				return
			}
			if total > 0 {
				r.fail("mantissa comes after cells")
			}
			next.layout = cells.Layout(m)
		case "sum":
			next.sum = r.wide()
		case "min":
			least, limits = r.integer(), limits|1
		case "max":
			most, limits = r.integer(), limits|2
		case "cells":
			r.array(func() {
				n := r.cell(next)
				if total += n; total < n {
					r.fail("the counts do not fit in 64 bits")
				}
			})
		default:
			r.skip(0)
		}
	})
	r.end()
	switch {
	case r.err == nil && total > 0 && limits != 3:
		r.fail("cells without min and max")
	case r.err == nil && total > 0 && (least < 0) != (next.negative > 0):
		r.fail("min does not agree with the number of negative samples")
	case r.err == nil && total > 0 && (most < 0 || least > most):
		r.fail("max is negative or below min")
	}
	if r.err != nil {
		return r.err
	}
	if next.negative > 0 {
		next.lowest, least = least, min(next.leastOfCells(), most)
	}
	if len(next.cells) > 0 {
		next.setExtremes(uint64(least), uint64(most))
	}
	h.s = next
	return nil
}

// leastOfCells returns the least value of the first cell that is not empty.
func (s *counts) leastOfCells() int64 {
	first := max(0, slices.IndexFunc(s.cells, func(n uint64) bool { return n > 0 }))
	least, _ := s.layout.Range(uint64(first))
	return int64(least)
}

// cell reads one pair of index and count, and returns the count.
func (r *jsonReader) cell(s *counts) (n uint64) {
	field, index := 0, uint64(0)
	r.array(func() {
		switch field++; field {
		case 1:
			if index = r.unsigned(); index > negativeCell(s.layout) {
				r.fail("cell index out of range")
			}
		case 2:
			if n = r.unsigned(); n == 0 {
				r.fail("an empty cell")
			}
			switch {
			case r.err != nil:
			case index == negativeCell(s.layout):
				s.negative += n
			default:
				s.reserve(int(index) + 1)
				s.cells[index] += n
			}
		default:
			r.fail("a cell is a pair of index and count")
		}
	})
	if field < 2 {
		r.fail("a cell is a pair of index and count")
	}
	return n
}
