// SPDX-License-Identifier: BSD-3-Clause

package frames

// column collects the values of a capture in pieces. A single slice would be copied whenever it grows, so that a long capture
// would be in memory twice.
type column[T any] struct {
	full  [][]T
	count int // number of values in full
	last  []T
}

// piece is the minimum number of values in a full piece.
const piece = 1 << 16

// push appends a value to a column of the file that in reads.
func (c *column[T]) push(v T, in *lines) {
	if len(c.last) >= piece && len(c.last) == cap(c.last) {
		c.begin(in.total(c.len()) - c.len())
	}
	c.last = append(c.last, v)
}

// begin begins another piece, with room for the expected number of values.
func (c *column[T]) begin(expected int) {
	if c.full == nil && expected > len(c.last) { // move the beginning there too, so that nothing has to be joined
		c.last = append(make([]T, 0, len(c.last)+expected), c.last...)
		return
	}
	c.full, c.count = append(c.full, c.last), c.count+len(c.last)
	c.last = make([]T, 0, max(piece, expected))
}

func (c *column[T]) len() int { return c.count + len(c.last) }

// take returns the values and leaves the column empty; nil when there are none.
func (c *column[T]) take() []T {
	all := c.last
	if len(c.full) > 0 {
		all = make([]T, 0, c.len())
		for i, part := range c.full {
			all = append(all, part...)
			c.full[i] = nil
		}
		all = append(all, c.last...)
	}
	*c = column[T]{}
	return all
}
