// SPDX-License-Identifier: BSD-3-Clause

package rolling

import (
	"math/bits"
	"time"
)

// DefaultN is the number of durations that a Mean keeps by default.
const DefaultN = 8

// A Mean is the mean of the last N durations. The zero value is ready and keeps DefaultN of them.
// It is not safe for concurrent use.
type Mean struct {
	// N is the number of durations that count; zero or negative means DefaultN. Set it before the first Add: later changes
	// are ignored until Reset.
	N int

	ring []time.Duration // allocated by the first Add
	next int             // where the next duration goes
	fill int             // number of durations in ring

	// The sum of the ring as a signed 128-bit integer: N of the longest durations do not fit into 64 bits.
	hi, lo uint64
}

// Add appends d and forgets the duration N calls ago. Negative durations are allowed. It takes constant time; only the
// first call allocates.
func (m *Mean) Add(d time.Duration) {
	if m.ring == nil {
		m.ring = make([]time.Duration, size(m.N))
	}
	old := m.ring[m.next]
	m.ring[m.next] = d
	if m.next++; m.next == len(m.ring) {
		m.next = 0
	}
	if m.fill < len(m.ring) {
		m.fill++
	}
	var carry uint64
	m.lo, carry = bits.Add64(m.lo, uint64(d), 0)
	m.hi, _ = bits.Add64(m.hi, uint64(d>>63), carry)
	m.lo, carry = bits.Sub64(m.lo, uint64(old), 0)
	m.hi, _ = bits.Sub64(m.hi, uint64(old>>63), carry)
}

// Mean returns the mean of the durations it keeps, in nanoseconds: their integer sum divided by how many there are, not by N.
// It is 0 while there are none; Len distinguishes that from a mean of 0.
func (m *Mean) Mean() float64 {
	if m.fill == 0 {
		return 0
	}
	hi, lo, sign := m.hi, m.lo, 1.0
	if hi>>63 != 0 {
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
		sign = -1
	}
	n := uint64(m.fill)
	q, r := bits.Div64(hi, lo, n) // cannot overflow: no value exceeds 2^63, so neither does their mean
	return sign * (float64(q) + float64(r)/float64(n))
}

// Reset forgets all durations. If N has not changed, the next Add does not allocate.
func (m *Mean) Reset() {
	ring := m.ring
	if len(ring) != size(m.N) {
		ring = nil
	}
	clear(ring)
	*m = Mean{N: m.N, ring: ring}
}

// Len returns how many durations the mean includes: 0 at first, then up to N.
func (m *Mean) Len() int { return m.fill }

func size(n int) int {
	if n <= 0 {
		return DefaultN
	}
	return n
}
