// SPDX-License-Identifier: BSD-3-Clause

// Package cells numbers the cells of a log-linear histogram: cells that divide every octave, the values from one power
// of two to the next, into equal parts. The relative width of a cell is therefore bounded from below and above.
//
// A histogram of durations keeps one counter for each cell. The cell of a value is computed from the position of its highest
// set bit, with two shifts.
//
// # Units
//
// Values have the unit of the caller. Cell numbers start at 0, the cell of value 0, and have no gaps.
//
// # Concurrency
//
// Every function is pure and safe for concurrent use.
//
// # Sources
//
// The layout is that of G. Tene's HdrHistogram (sub-buckets within power-of-two buckets), without its duplicated lower half
// of sub-buckets.
package cells

import "math/bits"

// A Layout is the number of mantissa bits that a cell number keeps, from 0 to 62: every octave has 2^Layout cells.
// Values below 2^(Layout+1) have a cell each; above, a cell is at most 2^-Layout times as wide as its smallest value is
// large, so its middle is within 2^-(Layout+1) of every value in it, relative to that value.
//
// Methods of a constant Layout are inlined and cost as much as code written for that constant. A Layout above 62 gives
// meaningless results; it does not panic.
type Layout uint

// Index returns the number of the cell that holds v. It grows with v.
func (l Layout) Index(v uint64) uint64 {
	e := uint(bits.Len64(v|1<<(l&63))-1) - uint(l) // setting the bit keeps e from becoming negative without a branch
	return uint64(e)<<(l&63) + v>>(e&63)
}

// Range returns the smallest and the largest value of cell i. If i is [Layout.Count] or more, no uint64 is in the cell, and
// the result is meaningless.
func (l Layout) Range(i uint64) (lo, hi uint64) {
	e := max(i>>(l&63), 1) - 1
	lo = (i - e<<(l&63)) << (e & 63)
	return lo, lo + 1<<(e&63) - 1
}

// Count returns the number of cells that cover all values of uint64.
func (l Layout) Count() uint64 { return (65 - uint64(l)) << (l & 63) }
