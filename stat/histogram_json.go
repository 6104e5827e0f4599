// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"strconv"
)

// MarshalJSON writes the whole state as one object:
//
//	{"mantissa":7,"n":3,"sum":42,"min":1,"max":40,"cells":[[1,2],[40,1]]}
//
// Cells are pairs of index and count, empty ones left out, negative samples after all others. Values below
// 2^(mantissa+1) have a cell each, and every octave above has 2^mantissa cells. Without samples min, max and cells are
// absent. It never fails.
func (h Histogram) MarshalJSON() ([]byte, error) {
	b := append([]byte(`{"mantissa":`), strconv.Itoa(int(h.mantissa()))...)
	b = strconv.AppendUint(append(b, `,"n":`...), h.N(), 10)
	b = h.exactSum().int().Append(append(b, `,"sum":`...), 10)
	if h.N() == 0 {
		return append(b, '}'), nil
	}
	b = strconv.AppendInt(append(b, `,"min":`...), h.Min(), 10)
	b = strconv.AppendInt(append(b, `,"max":`...), h.max, 10)
	separator := `,"cells":[[`
	for i, n := range h.cells {
		if n > 0 {
			b = strconv.AppendInt(append(b, separator...), int64(i), 10)
			b = strconv.AppendUint(append(b, ','), n, 10)
			separator = `],[`
		}
	}
	return append(b, `]]}`...), nil
}

// UnmarshalJSON replaces h by what [Histogram.MarshalJSON] wrote. Other keys are skipped, n is not needed. On an error,
// which says at which byte, h is unchanged.
func (h *Histogram) UnmarshalJSON(data []byte) error {
	r := jsonReader{data: data}
	var next Histogram
	var least, most int64
	limits, total := 0, uint64(0)
	r.object(func(key string) {
		switch key {
		case "mantissa":
			m := r.integer()
			if m < minMantissa || m > maxMantissa {
				r.fail("mantissa is not between 1 and 14")
				return
			}
			if len(next.cells) > 0 {
				r.fail("mantissa comes after cells")
			}
			next.fine = uint(m) ^ defaultMantissa
		case "sum":
			next.sum = r.wrapped()
		case "min":
			least, limits = r.integer(), limits|1
		case "max":
			most, limits = r.integer(), limits|2
		case "cells":
			r.array(func() {
				n := r.cell(&next)
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
	case r.err == nil && len(next.cells) > 0 && limits != 3:
		r.fail("cells without min and max")
	case r.err == nil && len(next.cells) > 0 && (least < 0 || least > most):
		r.fail("min is negative or above max")
	}
	if r.err != nil {
		return r.err
	}
	if len(next.cells) > 0 {
		next.max, next.below = most, ^uint64(least)
	}
	*h = next
	return nil
}

// cell reads one pair of index and count, and returns the count.
func (r *jsonReader) cell(h *Histogram) (n uint64) {
	field, index := 0, int64(0)
	r.array(func() {
		switch field++; field {
		case 1:
			index = r.integer()
			if index < 0 || index > int64(cellOf(-1, h.mantissa())) {
				r.fail("cell index out of range")
			}
		case 2:
			if n = r.unsigned(); n == 0 {
				r.fail("an empty cell")
			}
			if r.err == nil {
				h.grow(int(index) + 1)
				h.cells[index] += n
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
