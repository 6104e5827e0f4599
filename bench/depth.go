// SPDX-License-Identifier: BSD-3-Clause

package bench

// depths is the number of stack depths that Compare uses. Together they cover more than a page, since a processor's store
// buffer may confuse addresses that are a multiple of a page apart.
const depths = 96

// timedAt is timed with the stack of the function moved down by depth frames. The size of a frame is not a multiple of a cache line, so
// the depths also differ in their alignment to cache lines.
//
//go:noinline
func (c caller) timedAt(depth, n int) int64 {
	if depth <= 0 {
		return c.timed(n)
	}
	var pad [16]byte
	Keep(&pad)
	return c.timedAt(depth-1, n)
}
