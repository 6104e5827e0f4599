// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"sync/atomic"
	"unsafe"

	"github.com/strobe-go/strobe/internal/word"
)

// A node is one path of zones on one lane, such as main > update > collide, with its measurements in ticks. It fills a cache
// line. Its lane makes and writes it; readers read the words and the fields that never change.
type node struct {
	start word.Word // of the open span; 0 if there is none
	calls word.Word // that have ended, without beyond.beside
	total word.Word // their durations; see isOpen

	children *(*node) // a table of mask+2 nodes, by zone; free places hold noNode
	parent   *node
	acc      atomic.Pointer[accumulator] // of the zone on this lane; nil while distributions are pooled
	zone     *Zone
	mask     uint16
	id       uint16 // in order of creation: a parent comes before its children
	depth    uint8  // 0 for the root
	again    bool   // a node above has the same zone
	flags    uint8
}

// Bits of node.flags. All but overfull are of the open span.
const (
	weighted = 1 << iota // it is sampled, and also stands for the calls skipped after it
	beside               // it is sampled, and timed because it is directly inside a dissected call
	inTrace              // it has a region in the Go execution trace
	overfull             // some children have no place in the table

	ofSpan = weighted | beside | inTrace
)

// isOpen is set in node.total while a span is open, and the start of the span is subtracted. For readers, who add the current
// time, a span therefore begins or ends with one store. Neither the start nor the sum of all durations comes near half of
// the bit.
const isOpen = 1 << 63

// begin opens a span at tick t.
func (n *node) begin(t uint64) {
	n.start.Set(t)
	n.total.Set((n.total.Get() - t) ^ isOpen)
}

// end closes it.
func (n *node) end(t uint64) {
	n.calls.Set(n.calls.Get() + 1)
	n.total.Set((n.total.Get() + t) ^ isOpen)
}

// endBeside is end for a call that is in beyond.beside.
func (n *node) endBeside(t uint64) { n.total.Set((n.total.Get() + t) ^ isOpen) }

// read returns the calls that have ended, their durations and the start of the open span, which is not among them; 0 if
// there is none.
func (n *node) read() (calls, total, start uint64) {
	for {
		total = n.total.Read()
		calls, start = n.calls.Read(), n.start.Read()
		if n.total.Read() != total {
			continue
		}
		if total < isOpen/2 {
			return calls, total, 0
		}
		return calls, (total + start) ^ isOpen, start
	}
}

// noNode fills the free places in tables of children: it has no zone.
var noNode node

// noChildren is the table of a node without children.
var noChildren = [2]*node{&noNode, &noNode}

// The tree of a lane is bounded; spans beyond the bounds are folded.
const (
	maxDepth = 255
	maxNodes = 4096 // without the root
	maxAgain = 1024 // of maxNodes, so that a branching recursion does not use them all
	maxOther = 1024 // further nodes, below the node that stands for all paths beyond the limits
)

// Nodes are allocated in slabs, a size class of the allocator that is aligned to cache lines.
type slab [4]node

const slabBytes = uint64(unsafe.Sizeof(slab{}))

// addr returns the address of n as a number. A lane refers to its innermost open node this way because storing a
// pointer costs more while the garbage collector marks; the lane's slabs keep the node alive.
func addr(n *node) uint64 { return uint64(uintptr(unsafe.Pointer(n))) }

// nodeAt is the inverse of addr.
func nodeAt(a uint64) *node {
	p := uintptr(a)
	return *(**node)(unsafe.Pointer(&p))
}

// place returns the child at place i of the table.
func (n *node) place(i uint64) *node {
	return *(**node)(unsafe.Add(unsafe.Pointer(n.children), i*uint64(unsafe.Sizeof(n))))
}

// child returns the child for a zone, or a node of another zone if there is none.
func (n *node) child(z *Zone) *node {
	i := uint64(z.id) & uint64(n.mask)
	if c := n.place(i); c.zone == z {
		return c
	}
	return n.place(i + 1)
}

// adopt puts c into the table of n, which doubles until every child has one of its first two places.
func (n *node) adopt(c *node) {
	if n.put(c) {
		return
	}
	old, k := n.children, uint64(n.mask)+2
	children := []*node{c}
	for i := range k {
		if have := n.place(i); have != &noNode {
			children = append(children, have)
		}
	}
	most := min(uint64(1)<<16, max(1<<10, 16*uint64(len(children)))) // more than most programs have zones, so that their numbers differ
	for size := 2 * (k - 1); size <= most; size *= 2 {
		if n.rehash(size, children) {
			memory.Force(tableBytes(size))
			if old != &noChildren[0] {
				memory.Give(tableBytes(k - 1))
			}
			return
		}
	}
	n.children, n.mask = old, uint16(k-2)
	n.flags |= overfull
}

// rehash gives n a table of that size, a power of two, and reports whether all children found a place.
func (n *node) rehash(size uint64, children []*node) bool {
	table := make([]*node, size+1)
	for i := range table {
		table[i] = &noNode
	}
	n.children, n.mask = &table[0], uint16(size-1)
	for _, c := range children {
		if !n.put(c) {
			return false
		}
	}
	return true
}

// put reports whether it found a place for c.
func (n *node) put(c *node) bool {
	if n.children == &noChildren[0] {
		return false
	}
	i := uint64(c.zone.id) & uint64(n.mask)
	for range 2 {
		p := (**node)(unsafe.Add(unsafe.Pointer(n.children), i*uint64(unsafe.Sizeof(n))))
		if *p == &noNode {
			*p = c
			return true
		}
		i++
	}
	return false
}

func tableBytes(size uint64) uint64 { return (size + 1) * uint64(unsafe.Sizeof((*node)(nil))) }
