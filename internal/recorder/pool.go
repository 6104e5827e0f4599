// SPDX-License-Identifier: BSD-3-Clause

// Package recorder keeps the latest spans and marks of a process in bounded memory.
//
// Lanes write into chunks of 8 KB. A lane whose chunk is full returns it and takes another. Once the memory is used up, it
// gets the chunk that any lane filled longest ago. A lane can therefore use memory that the others do not need, and the
// latest spans of all lanes together are kept. A lock is taken once per chunk, not once per span. Every span that is
// overwritten is counted.
package recorder

import (
	"slices"
	"sync"

	"github.com/strobe-go/strobe/internal/budget"
)

// A Pool is one recording: it hands out chunks and remembers which are full. Make it with New. Safe for concurrent use.
type Pool struct {
	Since uint64 // ticks when the recording began

	memory *budget.Budget
	none   *Chunk // the chunk, without room, of lanes for which there is no other
	fresh  *Chunk // likewise of lanes that have not asked for one

	mu     sync.Mutex
	limit  uint64 // bytes of chunks and marks
	made   uint64 // chunks
	spent  bool   // no more chunks may be made
	closed bool
	full   fifo[*Chunk]
	pushed uint64   // chunks that have become full
	ended  []uint64 // spans in them, by lane
	seq    uint64
	marks  marks
}

// New returns a pool of at most bytes, of which marks may use a quarter. The bytes are charged to memory as they are used,
// and released by Close.
func New(bytes, since uint64, memory *budget.Budget) *Pool {
	p := &Pool{Since: since, memory: memory, limit: bytes, none: new(Chunk), fresh: new(Chunk)}
	p.none.n.Set(chunkWords)
	p.fresh.n.Set(chunkWords)
	p.marks.limit = bytes / 4
	return p
}

// None returns the chunk that Next returns when there is no other. It has no room.
func (p *Pool) None() *Chunk { return p.none }

// Fresh returns the chunk of a lane that has not called Next. It has no room.
func (p *Pool) Fresh() *Chunk { return p.fresh }

// holds reports whether a chunk may hold spans.
func (p *Pool) holds(c *Chunk) bool { return c != nil && c != p.none && c != p.fresh }

// Next takes back a full chunk, or nil, None or Fresh, and passes an empty one to keep before any other lane can get it. If there is
// none, it passes None. Once the pool is closed, keep is not called.
func (p *Pool) Next(lane int, done *Chunk, keep func(*Chunk)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	if p.holds(done) {
		p.full.push(done)
		p.pushed++
		for len(p.ended) <= lane {
			p.ended = append(p.ended, 0)
		}
		p.ended[lane] += done.spans()
	}
	keep(p.take(lane))
}

// take returns an empty chunk for a lane.
func (p *Pool) take(lane int) *Chunk {
	c := p.none
	switch {
	case !p.spent && p.fits(chunkBytes) && p.memory.Take(chunkBytes, budget.Detail):
		p.made++
		c = new(Chunk)
	case p.full.len() > 0:
		p.spent = true // the budget may have refused: do not ask repeatedly
		c = p.full.pop()
	default:
		return c
	}
	p.seq++
	c.seq.Set(p.seq) // readers notice that it changed hands
	c.n.Set(0)
	c.owners.Set(0)
	c.lane.Set(uint64(lane))
	return c
}

// fits reports whether more bytes may be used.
func (p *Pool) fits(bytes uint64) bool { return p.made*chunkBytes+p.marks.bytes+bytes <= p.limit }

// release frees the chunk that was filled longest ago.
func (p *Pool) release() {
	p.full.pop()
	p.made--
	p.memory.Give(chunkBytes)
}

// Close releases the memory. Chunks that lanes still hold are no longer read.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	p.closed = true
	p.memory.Give(p.made * chunkBytes)
	p.memory.Give(p.marks.bytes)
	p.full, p.marks = fifo[*Chunk]{}, marks{}
}

// A fifo is a queue.
type fifo[T any] struct {
	items []T
	head  int
}

func (f *fifo[T]) len() int { return len(f.items) - f.head }

func (f *fifo[T]) push(x T) { f.items = append(f.items, x) }

func (f *fifo[T]) pop() T {
	var zero T
	x := f.items[f.head]
	f.items[f.head] = zero
	if f.head++; f.head > len(f.items)/2 {
		f.items, f.head = slices.Delete(f.items, 0, f.head), 0
	}
	return x
}
