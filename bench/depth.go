// SPDX-License-Identifier: BSD-3-Clause

package bench

// depths is the number of stack depths that Compare varies over: more than a page of them, since what is a multiple of a page
// apart may be mistaken for the same by a processor's store buffer.
const depths = 96

// timedAt is timed with the stack of f moved down by depth frames. The size of a frame is no multiple of a cache line, so the
// depths differ in how they lie in lines as well.
//
//go:noinline
func timedAt(depth int, f func(), n int) int64 {
	if depth <= 0 {
		return timed(f, n)
	}
	var pad [16]byte
	Keep(&pad)
	return timedAt(depth-1, f, n)
}
