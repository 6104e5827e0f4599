// SPDX-License-Identifier: BSD-3-Clause

package recorder

import "github.com/strobe-go/strobe/internal/word"

// A Chunk holds spans of one lane in the order they ended, 16 bytes each: the start, then duration, depth and node. Before the first
// span of a goroutine, as many bytes name the goroutine. Its lane writes it without a lock; a reader copies it and then checks that it
// was not handed to another lane in the meantime.
type Chunk struct {
	n      word.Word // words written
	owners word.Word // goroutines named
	seq    word.Word // of this use of the chunk, never 0
	lane   word.Word
	data   [chunkWords]word.Word
}

const (
	chunkBytes = 8 << 10 // a size class of the allocator
	chunkWords = chunkBytes/8 - 4
	chunkSpans = chunkWords / 2
)

// Add records a span and reports whether there was room. Only the lane that has the chunk may call it.
func (c *Chunk) Add(start, packed uint64) bool {
	i := c.n.Get()
	if i > chunkWords-2 {
		return false
	}
	c.data[i].Set(start)
	c.data[i+1].Set(packed)
	c.n.Set(i + 2)
	return true
}

// Own records that the spans from here on are of the goroutine with that number, if there is room. Only the lane that has the chunk
// may call it.
func (c *Chunk) Own(goroutine uint64) {
	if c.n.Get() <= chunkWords-2 {
		c.owners.Set(c.owners.Get() + 1)
		c.Add(goroutine, owner)
	}
}

// spans returns the number of spans in a chunk that no lane holds.
func (c *Chunk) spans() uint64 { return c.n.Read()/2 - c.owners.Read() }

// Words returns a number that grows with each span. Safe for concurrent use.
func (c *Chunk) Words() uint64 { return c.n.Read() }

const (
	nodeBits  = 16
	depthBits = 8
	tickBits  = 64 - nodeBits - depthBits
	longFlag  = 1 << (tickBits - 1) // the duration is in units of 1024 ticks, so that no span is too long

	owner = 1<<64 - 1 // in place of a packed span: the other word is the number of a goroutine
)

// Pack packs what is kept of a span, except its start, into one word. depth is at most 255, node at most 65535.
func Pack(d uint64, depth uint8, node uint16) uint64 {
	if d >= longFlag {
		d = longFlag | min(d>>10, longFlag-2)
	}
	return d<<(nodeBits+depthBits) | uint64(depth)<<nodeBits | uint64(node)
}

// A Span is a recorded span, in ticks.
type Span struct {
	Start, Ticks uint64
	Depth, Node  int
	Goroutine    uint64 // as Own was told; 0 before
}

func unpack(start, packed, goroutine uint64) Span {
	s := Span{Goroutine: goroutine, Start: start, Ticks: packed >> (nodeBits + depthBits), Depth: int(packed >> nodeBits & (1<<depthBits - 1)),
		Node: int(packed & (1<<nodeBits - 1))}
	if s.Ticks&longFlag != 0 {
		s.Ticks = s.Ticks &^ longFlag << 10
	}
	return s
}
