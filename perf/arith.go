// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"math"
	"math/bits"
)

// since returns how far a counter has advanced. Counters wrap at 2^64. ok is false for an advance of more than half of that:
// the counter must have gone backwards.
func since(begin, end uint64) (n uint64, ok bool) {
	n = end - begin
	return n, n <= math.MaxInt64
}

// scaleUp estimates the count over the time enabled from the count n over the part of it, running; both in ns. It rounds
// and saturates. It returns 0 if running is 0, which callers must not show.
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

// saturating returns a + b, or the largest uint64 if that overflows.
func saturating(a, b uint64) uint64 {
	if sum := a + b; sum >= a {
		return sum
	}
	return math.MaxUint64
}

// less returns a - b, or 0 if b is larger.
func less(a, b uint64) uint64 {
	if b >= a {
		return 0
	}
	return a - b
}

// decode adds what read(2) returned for a group to s: the number of values, the time enabled, the time running, the values.
// want is the row of each. It returns false if words is not such a record.
func decode(words []uint64, want []uint8, slot uint8, alternate bool, s *sample) (ok bool) {
	if len(words) < 3 || words[0] != uint64(len(want)) || len(words) != 3+len(want) {
		return false
	}
	if !alternate { // the PMU of another type of core was enabled for the same time
		s.times[slot].enabled += words[1]
	}
	s.times[slot].running += words[2]
	for i, event := range want {
		s.n[event] += words[3+i]
	}
	return true
}
