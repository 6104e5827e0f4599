// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import "math/bits"

// A ring keeps a lane's latest spans, 16 bytes each: its start, then duration, depth and zone. The owner writes; a
// reader copies, and leaves out what may have been overwritten meanwhile.
type ring struct {
	head word   // spans ever written
	mask uint64 // of indices into data
	data []word
}

const (
	ringSpans = 1 << 12 // of a lane, unless the budget allows fewer
	ringLeast = 1 << 6

	zoneBits  = 18
	depthBits = 6 // enough for the visible
	tickBits  = 64 - zoneBits - depthBits
	longFlag  = 1 << (tickBits - 1) // the duration is in units of 1024 ticks: no span is too long
)

func newRing(spans uint64) *ring {
	return &ring{mask: 2*spans - 1, data: make([]word, 2*spans)}
}

func ringSize(spans uint64) uint64 { return spans * 2 * wordBytes }

// fit returns how many spans a ring of n bytes holds, a power of two.
func fit(n uint64) uint64 { return 1 << (bits.Len64(n/(2*wordBytes)|1) - 1) }

// add and pack are apart so that both are inlined.
func (r *ring) add(start, packed uint64) {
	n := r.head.get()
	i := 2 * n & r.mask
	if i+1 < uint64(len(r.data)) { // always
		r.data[i].set(start)
		r.data[i+1].set(packed)
		r.head.set(n + 1)
	}
}

// pack puts what a ring keeps of a span beside its start into one word. Depths go up to the visible.
func pack(d, depth, zone uint64) uint64 {
	if d >= longFlag {
		d = longFlag | min(d>>10, longFlag-1)
	}
	return d<<(zoneBits+depthBits) | depth<<zoneBits | zone&(1<<zoneBits-1)
}

// A ringSpan is what a ring kept of a span, in ticks.
type ringSpan struct {
	start, d    uint64
	depth, zone int
}

// read passes the spans that are still whole, oldest first, and returns how many have been lost.
func (r *ring) read(yield func(ringSpan)) (lost uint64) {
	size := uint64(len(r.data) / 2)
	end := r.head.read()
	begin := end - min(end, size)
	copied := make([]uint64, 0, 2*(end-begin))
	for n := begin; n < end; n++ {
		i := 2 * n & r.mask
		copied = append(copied, r.data[i].read(), r.data[i+1].read())
	}
	// One more may be half written: the span before which head has not yet moved.
	if now := r.head.read(); now+1 > begin+size {
		whole := min(now+1-size, end)
		copied = copied[2*(whole-begin):]
		begin = whole
	}
	for i := 0; i < len(copied); i += 2 {
		w := copied[i+1]
		s := ringSpan{start: copied[i], d: w >> (zoneBits + depthBits), depth: int(w >> zoneBits & (1<<depthBits - 1)),
			zone: int(w & (1<<zoneBits - 1))}
		if s.d&longFlag != 0 {
			s.d = s.d &^ longFlag << 10
		}
		yield(s)
	}
	return begin
}
