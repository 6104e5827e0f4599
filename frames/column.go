// SPDX-License-Identifier: BSD-3-Clause

package frames

// column gathers the values of a capture in pieces: a slice that grows is copied
// to one of another length, and for that time a long capture is in memory twice.
type column[T any] struct {
	full  [][]T
	count int // of the values in full
	last  []T
}

// piece is the least number of values in a full piece.
const piece = 1 << 16

// push appends a value to a column of the file that in reads.
func (c *column[T]) push(v T, in *lines) {
	if len(c.last) >= piece && len(c.last) == cap(c.last) {
		c.begin(in.total(c.len()) - c.len())
	}
	c.last = append(c.last, v)
}

// begin begins another piece, for as many values as are expected.
func (c *column[T]) begin(expected int) {
	if c.full == nil && expected > len(c.last) { // the beginning goes there too, and nothing is left to be joined
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
