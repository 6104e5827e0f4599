// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"math"
	"math/bits"
)

// since returns how far a counter has come. Counters wrap at 2^64; one that has gone back, as a broken one may, is told
// from one that wrapped by the distance.
func since(begin, end uint64) (n uint64, ok bool) {
	n = end - begin
	return n, n <= math.MaxInt64
}

// scaleUp estimates a count over the whole of a time from the count in a part of it, rounded. Both times in ns.
// It saturates; the estimate from no time at all is 0, which callers must not show.
func scaleUp(n, enabled, running uint64) uint64 {
	if running == 0 {
		return 0
	}
	if running >= enabled {
		return n
	}
	high, low := bits.Mul64(n, enabled)
	low, carry := bits.Add64(low, running/2, 0)
	if high += carry; high >= running {
		return math.MaxUint64
	}
	scaled, _ := bits.Div64(high, low, running)
	return scaled
}

// saturating returns a + b, at most the largest.
func saturating(a, b uint64) uint64 {
	if sum := a + b; sum >= a {
		return sum
	}
	return math.MaxUint64
}

// less returns a - b, at least 0.
func less(a, b uint64) uint64 {
	if b >= a {
		return 0
	}
	return a - b
}

// decode understands what read(2) gives for a group: how many values, time enabled, time running, the values. It returns
// how many values were added to those of s, ok=false if words is not such a record.
func decode(words []uint64, want []uint8, slot uint8, alternate bool, s *sample) (ok bool) {
	if len(words) < 3 || words[0] != uint64(len(want)) || len(words) != 3+len(want) {
		return false
	}
	if !alternate { // another PMU of the same threads was enabled for the same time
		s.times[slot].enabled += words[1]
	}
	s.times[slot].running += words[2]
	for i, event := range want {
		s.n[event] += words[3+i]
	}
	return true
}
