// SPDX-License-Identifier: BSD-3-Clause

package frames

// column gathers the values of a capture in pieces: a slice that grows is copied
// to one of another length, and for that time a long capture is in memory twice.
type column[T any] struct {
	full [][]T
	last []T
}

// piece is the number of values in a full piece.
const piece = 1 << 16

func (c *column[T]) push(v T) {
	if len(c.last) == piece {
		c.full = append(c.full, c.last)
		c.last = make([]T, 0, piece)
	}
	c.last = append(c.last, v)
}

func (c *column[T]) len() int { return len(c.full)*piece + len(c.last) }

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
