// SPDX-License-Identifier: BSD-3-Clause

package recorder

import (
	"cmp"
	"slices"
)

// A Lane is what is kept of one lane.
type Lane struct {
	Spans []Span // in the order they ended
	Lost  uint64 // spans that were overwritten
}

// Read returns what is kept, by lane. current are the chunks that lanes held just before; nil and None are passed over.
// Lanes go on meanwhile: a chunk that changes hands while it is read counts as lost.
func (p *Pool) Read(lanes int, current []*Chunk) []Lane {
	p.mu.Lock()
	chunks := append([]*Chunk(nil), p.full.items[p.full.head:]...)
	lost := append([]uint64(nil), p.lost...)
	p.mu.Unlock()
	out := make([]Lane, lanes)
	for i := range min(lanes, len(lost)) {
		out[i].Lost = lost[i]
	}
	chunks = append(chunks, current...)
	copies := make([]copied, 0, len(chunks))
	seen := make(map[*Chunk]bool, len(chunks))
	for _, c := range chunks {
		if c == nil || c == p.none || seen[c] { // a chunk may have become full since current was read
			continue
		}
		seen[c] = true
		k, ok := c.copy()
		if k.lane >= lanes || k.seq == 0 {
			continue
		}
		if !ok {
			out[k.lane].Lost += uint64(len(k.words) / 2)
			continue
		}
		copies = append(copies, k)
	}
	slices.SortFunc(copies, func(a, b copied) int { return cmp.Compare(a.seq, b.seq) })
	for _, k := range copies {
		l := &out[k.lane]
		l.Spans = slices.Grow(l.Spans, len(k.words)/2)
		for i := 0; i+1 < len(k.words); i += 2 {
			l.Spans = append(l.Spans, unpack(k.words[i], k.words[i+1]))
		}
	}
	return out
}

type copied struct {
	seq   uint64
	lane  int
	words []uint64
}

// copy returns what the chunk holds. ok is false if it changed hands meanwhile.
func (c *Chunk) copy() (k copied, ok bool) {
	k.seq, k.lane = c.seq.Read(), int(c.lane.Read())
	n := min(c.n.Read(), chunkWords)
	k.words = make([]uint64, n)
	for i := range k.words {
		k.words[i] = c.data[i].Read()
	}
	return k, c.seq.Read() == k.seq
}
