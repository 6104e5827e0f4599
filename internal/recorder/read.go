// SPDX-License-Identifier: BSD-3-Clause

package recorder

import (
	"slices"
	"unsafe"
)

// A Lane is what a reading found on one lane.
type Lane struct {
	ID    int
	Spans []Span // in the order they ended
	Lost  uint64 // spans that were overwritten before they could be read

	ended uint64
}

// A Cursor is a reader's position in a recording. The zero value is the beginning. It belongs to one Pool.
type Cursor struct {
	chunks uint64 // that were full
	marks  uint64
	lanes  []position

	read  []Lane // the latest reading
	uses  []use
	spans []Span
	kept  []Mark
}

// A position is a reader's position on one lane.
type position struct {
	chunk uint64 // the chunk that was not full
	words uint64 // read of it
	spans uint64 // in those words
	owner uint64 // named by them last
	seen  uint64 // spans read of all chunks
	lost  uint64 // spans that were not
	place int    // in the reading, from 1 on; 0 while there is none
}

// mostKept is the number of spans for which a cursor keeps room, unless readings need more again and again.
const mostKept = 1 << 17

// Shrink frees the memory that the latest reading used. Its result is no longer valid.
func (from *Cursor) Shrink() { from.read, from.uses, from.spans, from.kept = nil, nil, nil, nil }

// Bytes returns how much memory the cursor keeps for all lanes, besides that of the latest reading.
func (from *Cursor) Bytes() uint64 {
	return uint64(cap(from.lanes)) * uint64(unsafe.Sizeof(position{}))
}

// lane returns what a reading found of a lane.
func (from *Cursor) lane(id int) *Lane {
	for len(from.lanes) <= id {
		from.lanes = append(from.lanes, position{})
	}
	k := &from.lanes[id]
	if k.place == 0 {
		from.read = append(from.read, Lane{ID: id})
		k.place = len(from.read)
	}
	return &from.read[k.place-1]
}

// Read returns the spans recorded after from that are still kept, and moves from to the end. It covers the lanes with the
// given IDs and others that have filled chunks, ordered by ID. current returns the chunk that a lane holds; nil and None are
// skipped. Lanes keep running: a chunk that changes hands while it is read is lost. The result is valid until from is used
// again.
func (p *Pool) Read(lanes []int, current func(id int) *Chunk, from *Cursor) []Lane {
	p.look(lanes, current, from)
	return from.found()
}

// Skip moves from past the full chunks, whose spans the next reading counts as lost if it has their lanes.
func (p *Pool) Skip(from *Cursor) {
	p.mu.Lock()
	defer p.mu.Unlock()
	from.chunks = p.pushed
}

// look notes in from what came after it, and moves it past the full chunks.
func (p *Pool) look(lanes []int, current func(id int) *Chunk, from *Cursor) {
	if n := cap(from.spans); n > mostKept && len(from.spans) < n/2 {
		from.spans = nil
	}
	from.read, from.uses, from.spans = from.read[:0], from.uses[:0], from.spans[:0]
	for _, id := range lanes {
		from.lane(id)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	fresh := min(p.pushed-from.chunks, uint64(p.full.len()))
	for _, c := range p.full.items[len(p.full.items)-int(fresh):] {
		u := c.use()
		from.lane(u.lane)
		from.uses = append(from.uses, u)
	}
	for _, id := range lanes {
		if c := current(id); p.holds(c) {
			u := c.use()
			u.current = true
			from.uses = append(from.uses, u)
		}
	}
	for i := range from.read {
		if l := &from.read[i]; l.ID < len(p.ended) {
			l.ended = p.ended[l.ID]
		}
	}
	from.chunks = p.pushed
}

// found copies what was noted, while lanes keep running.
func (from *Cursor) found() []Lane {
	slices.SortStableFunc(from.uses, func(a, b use) int { return a.lane - b.lane })
	from.reserve()
	begin := 0 // of the lane in from.spans
	for i, u := range from.uses {
		if i > 0 && u.lane != from.uses[i-1].lane {
			begin = len(from.spans)
		}
		k, l := &from.lanes[u.lane], from.lane(u.lane)
		before := position{}
		if u.seq == k.chunk {
			before = *k
		}
		n := len(from.spans)
		words, owner, ok := u.read(before.words, before.owner, &from.spans)
		if !ok {
			from.spans = from.spans[:n]
			continue
		}
		l.Spans = from.spans[begin:len(from.spans):len(from.spans)]
		fresh := uint64(len(from.spans) - n)
		k.seen += fresh
		if u.current {
			k.chunk, k.words, k.spans, k.owner = u.seq, words, before.spans+fresh, owner
			l.ended += k.spans
		}
	}
	for i := range from.read {
		l := &from.read[i]
		k := &from.lanes[l.ID]
		// Spans seen in a chunk that has changed hands since are read again with the next reading.
		if lost := l.ended - k.seen; int64(lost-k.lost) > 0 {
			l.Lost = lost - k.lost
			k.lost = lost
		}
		k.place = 0
	}
	if byID := func(a, b Lane) int { return a.ID - b.ID }; !slices.IsSortedFunc(from.read, byID) {
		slices.SortFunc(from.read, byID)
	}
	return from.read
}

// reserve makes room for what was noted, at once: growing step by step would copy it several times.
func (from *Cursor) reserve() {
	words := uint64(0)
	for _, u := range from.uses {
		read := uint64(0)
		if k := &from.lanes[u.lane]; u.seq == k.chunk {
			read = k.words
		}
		words += max(u.c.n.Read(), read) - read
	}
	if n := int(words) / 2; n > cap(from.spans) {
		from.spans = make([]Span, 0, n+n/4)
	}
}

// A use is a chunk while one lane holds it.
type use struct {
	c       *Chunk
	seq     uint64
	lane    int
	current bool // the lane still fills it
}

func (c *Chunk) use() use { return use{c: c, seq: c.seq.Read(), lane: int(c.lane.Read())} }

// read appends the spans from word first on, the earliest of which are of the goroutine named before. It returns the number of words in
// the chunk, and the goroutine named last. ok is false if the chunk changed hands in the meantime: the appended spans may then be torn.
func (u use) read(first, named uint64, spans *[]Span) (end, last uint64, ok bool) {
	end = max(u.c.n.Read(), first)
	*spans = slices.Grow(*spans, int(end-first)/2)
	for i := first; i < end; i += 2 {
		if x, packed := u.c.data[i].Read(), u.c.data[i+1].Read(); packed == owner {
			named = x
		} else {
			*spans = append(*spans, unpack(x, packed, named))
		}
	}
	return end, named, u.c.seq.Read() == u.seq
}

// Marks returns the marks set after from that are still kept, oldest first, and the number of those that are not. It moves
// from to the latest mark. The marks are valid until from is used again.
func (p *Pool) Marks(from *Cursor) (kept []Mark, lost uint64) {
	clear(from.kept)
	from.kept = from.kept[:0]
	next, end := from.marks, uint64(0) // numbers of marks, in the order in which they were set
	for first := true; first || next < end; first = false {
		next, end = p.copy(from, next, end)
	}
	lost = end - from.marks - uint64(len(from.kept))
	from.marks = end
	return from.kept, lost
}

// copied is how many marks are copied at once: while they are, no mark can be set.
const copied = 64

// copy appends some of the marks from number next on that are still kept, up to number end; 0 means the latest. It returns the number
// after those, and end.
func (p *Pool) copy(to *Cursor, next, end uint64) (after, _ uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	k := &p.marks
	switch {
	case p.closed:
		return max(next, end), max(next, end)
	case end == 0:
		end = k.lost + uint64(k.n)
		to.kept = slices.Grow(to.kept, int(end-max(next, k.lost)))
	}
	next = max(next, k.lost)
	for after = min(next+copied, end); next < after; next++ {
		to.kept = append(to.kept, *k.at(int(next - k.lost)))
	}
	return max(next, after), end
}
