// SPDX-License-Identifier: BSD-3-Clause

package recorder

import "slices"

// A Lane is what a reading found of one lane.
type Lane struct {
	Spans []Span // in the order they ended
	Lost  uint64 // spans that were overwritten before they could be read
}

// A Cursor is how far into a recording a reader has come. The zero value is the beginning. It belongs to one Pool.
type Cursor struct {
	chunks uint64 // that were full
	marks  uint64
	lanes  []position
}

// A position is how far a reader has come on one lane.
type position struct {
	chunk uint64 // the chunk that was not full
	words uint64 // read of it
	seen  uint64 // spans read of all chunks
	lost  uint64 // spans that were not
}

// Read returns what was recorded after from and is kept, by lane, and moves from to the end. current returns the chunk that
// lane i holds; nil and None are passed over. Lanes go on meanwhile: a chunk that changes hands while it is read is lost.
func (p *Pool) Read(lanes int, current func(i int) *Chunk, from *Cursor) []Lane {
	return from.read(p.look(lanes, current, from))
}

// A view is what there is to read at one moment.
type view struct {
	uses  []use
	full  int      // how many of them were full; lanes hold the others
	ended []uint64 // spans in chunks that ever became full, by lane
}

// look returns what came after from, and moves it past the chunks that are full.
func (p *Pool) look(lanes int, current func(i int) *Chunk, from *Cursor) view {
	p.mu.Lock()
	defer p.mu.Unlock()
	fresh := min(p.pushed-from.chunks, uint64(p.full.len()))
	from.chunks = p.pushed
	v := view{uses: make([]use, 0, fresh), full: int(fresh), ended: make([]uint64, lanes)}
	for _, c := range p.full.items[len(p.full.items)-v.full:] {
		v.uses = append(v.uses, c.use())
	}
	for i := range lanes {
		if c := current(i); c != nil && c != p.none {
			v.uses = append(v.uses, c.use())
		}
	}
	copy(v.ended, p.ended)
	return v
}

// read copies what is in view, while lanes go on.
func (from *Cursor) read(v view) []Lane {
	lanes := len(v.ended)
	for len(from.lanes) < lanes {
		from.lanes = append(from.lanes, position{})
	}
	out := make([]Lane, lanes)
	for i, u := range v.uses {
		if u.lane >= lanes {
			continue
		}
		l, k := &out[u.lane], &from.lanes[u.lane]
		first := uint64(0)
		if u.seq == k.chunk {
			first = k.words
		}
		n := len(l.Spans)
		end, ok := u.read(first, &l.Spans)
		if !ok {
			l.Spans = l.Spans[:n]
			continue
		}
		k.seen += (end - first) / 2
		if i >= v.full {
			k.chunk, k.words = u.seq, end
			v.ended[u.lane] += end / 2
		}
	}
	for i := range out {
		k := &from.lanes[i]
		// What was seen of a chunk that changed hands since comes back with the next reading.
		if lost := v.ended[i] - k.seen; int64(lost-k.lost) > 0 {
			out[i].Lost = lost - k.lost
			k.lost = lost
		}
	}
	return out
}

// A use is a chunk in the hands of one lane.
type use struct {
	c    *Chunk
	seq  uint64
	lane int
}

func (c *Chunk) use() use { return use{c, c.seq.Read(), int(c.lane.Read())} }

// read appends the spans from word first on and returns the number of words there are. ok is false if the chunk changed
// hands meanwhile: what was appended may then be torn.
func (u use) read(first uint64, spans *[]Span) (end uint64, ok bool) {
	end = max(u.c.n.Read(), first)
	*spans = slices.Grow(*spans, int(end-first)/2)
	for i := first; i < end; i += 2 {
		*spans = append(*spans, unpack(u.c.data[i].Read(), u.c.data[i+1].Read()))
	}
	return end, u.c.seq.Read() == u.seq
}

// Marks returns the marks that were set after from and are kept, oldest first, and how many more there were. It moves from
// to the latest mark.
func (p *Pool) Marks(from *Cursor) (kept []Mark, lost uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	set := p.marks.lost + uint64(p.marks.all.len())
	fresh := set - from.marks
	from.marks = set
	n := min(fresh, uint64(p.marks.all.len()))
	return append([]Mark(nil), p.marks.all.items[len(p.marks.all.items)-int(n):]...), fresh - n
}
