// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unsafe"
)

// A state is a tally that is kept. Most of its numbers are small, so it is packed. It does not change. The lock of watched
// guards refs.
type state struct {
	refs   int    // held by watched and by Readers
	text   []byte // what was read
	raised []byte // what settle raised above that
	leaf   uint16 // the innermost node with an open span; 0 if there is none
}

// newState packs a tally. text is what pack returned for it.
func newState(y *tally, text []byte) *state {
	s := &state{text: bytes.Clone(text)}
	for i := range y.nodes {
		if y.nodes[i].start != 0 {
			s.leaf = uint16(i + 1)
		}
	}
	var b []byte
	for i := range y.nodes {
		if n := &y.nodes[i]; n.least > 0 {
			b = binary.AppendUvarint(b, uint64(i+1))
			b = binary.AppendUvarint(b, n.least)
		}
	}
	if len(b) > 0 {
		s.raised = bytes.Clone(append(b, 0))
	}
	return s
}

// bytes returns how much memory the state takes.
func (s *state) bytes() uint64 {
	return uint64(unsafe.Sizeof(*s)) + uint64(cap(s.text)+cap(s.raised))
}

// keep notes that one more holds the state.
func (s *state) keep() *state {
	if s.refs++; s.refs == 1 {
		memory.Force(s.bytes())
	}
	return s
}

// drop is the inverse of keep.
func (s *state) drop() {
	if s != nil {
		if s.refs--; s.refs == 0 {
			memory.Give(s.bytes())
		}
	}
}

// raisedOpen reports whether spans are open on a lane with times that settle raised, which depend on the instant.
func (s *state) raisedOpen() bool { return s.leaf != 0 && len(s.raised) > 0 }

// passing reports whether spans are open and nothing changes about the lane but the time in them.
func (s *state) passing() bool { return s.leaf != 0 && len(s.raised) == 0 }

// The lowest bits of the number of calls say what follows.
const (
	hasStart = 1 << iota
	hasMoved
	hasBeyond

	kinds = iota
)

// pack appends what was read from a lane.
func (y *tally) pack(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(y.nodes)))
	for i := range y.nodes {
		n := &y.nodes[i]
		kind := n.calls << kinds
		if n.start != 0 {
			kind |= hasStart
		}
		if n.movedSelf|n.movedSum != 0 {
			kind |= hasMoved
		}
		if n.beyond != (beyondCount{}) {
			kind |= hasBeyond
		}
		b = binary.AppendUvarint(b, kind)
		b = binary.AppendUvarint(b, n.ended)
		if kind&hasStart != 0 {
			b = binary.AppendUvarint(b, n.start)
		}
		if kind&hasMoved != 0 {
			b = binary.AppendUvarint(b, n.movedSelf)
			b = binary.AppendUvarint(b, n.movedSum)
		}
		if kind&hasBeyond != 0 {
			for _, x := range n.beyond.numbers() {
				b = binary.AppendUvarint(b, *x)
			}
		}
	}
	b = binary.AppendUvarint(b, uint64(len(y.guesses)))
	for _, g := range y.guesses {
		for _, x := range [...]uint64{uint64(g.zone), g.calls, g.sum, g.total} {
			b = binary.AppendUvarint(b, x)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(y.spreads)))
	for _, s := range y.spreads {
		for _, x := range [...]uint64{uint64(s.zone), s.lo, s.hi, s.first, uint64(len(s.counts))} {
			b = binary.AppendUvarint(b, x)
		}
		for _, x := range s.counts {
			b = binary.AppendUvarint(b, x)
		}
	}
	return b
}

// unpack replaces the tally by that of a state, before settle.
func (y *tally) unpack(s *state) {
	y.clear()
	from := unpacker{text: s.text}
	n := int(from.number())
	y.nodes = slices.Grow(y.nodes, n)[:n]
	for i := range y.nodes {
		kind := from.number()
		c := &y.nodes[i]
		*c = count{calls: kind >> kinds, ended: from.number()}
		if kind&hasStart != 0 {
			c.start = from.number()
		}
		if kind&hasMoved != 0 {
			c.movedSelf, c.movedSum = from.number(), from.number()
		}
		if kind&hasBeyond != 0 {
			for _, x := range c.beyond.numbers() {
				*x = from.number()
			}
		}
	}
	for range from.number() {
		y.guesses = append(y.guesses, guess{zone: int32(from.number()), calls: from.number(), sum: from.number(), total: from.number()})
	}
	for range from.number() {
		x := spread{zone: int32(from.number()), lo: from.number(), hi: from.number(), first: from.number()}
		counts := y.spread(x, int(from.number()))
		for i := range counts {
			counts[i] = from.number()
		}
	}
	if len(s.raised) == 0 {
		return
	}
	from = unpacker{text: s.raised}
	for id := from.number(); id != 0; id = from.number() {
		y.nodes[id-1].least = from.number()
	}
}

// An unpacker reads a text.
type unpacker struct {
	text []byte
	at   int
}

func (u *unpacker) number() uint64 {
	if b := u.text[u.at]; b < 1<<7 {
		u.at++
		return uint64(b)
	}
	return u.long()
}

// long is number for those of several bytes, so that number is inlined.
func (u *unpacker) long() uint64 {
	x, n := binary.Uvarint(u.text[u.at:])
	u.at += n
	return x
}
