// SPDX-License-Identifier: BSD-3-Clause

package recorder

import (
	"unsafe"

	"github.com/strobe-go/strobe/internal/budget"
	"github.com/strobe-go/strobe/profile"
)

// A Mark is an event that is not a span.
type Mark struct {
	Lane      int32 // -1: none
	Depth     uint8 // of the span of a link
	Goroutine uint64
	Ticks     uint64
	Kind      profile.Kind
	Name      string
	Text      string
	Value     float64
	Task      uint64
}

// marks is a queue of the latest marks that fit into its bytes, including their texts.
type marks struct {
	blocks fifo[*block]
	spare  *block // one that is no longer used
	first  int    // place of the oldest mark in the first block
	n      int
	bytes  uint64
	limit  uint64
	lost   uint64
}

// A block has places for marks. Queues that grow by doubling would take twice as much.
type block [38]Mark

const blockBytes = (uint64(unsafe.Sizeof(block{})) + 255) &^ 255 // rounded up as by the allocator

// textOf returns the size of the texts of a mark, rounded up as by the allocator.
func textOf(m *Mark) uint64 { return (uint64(len(m.Name)+len(m.Text)) + 15) &^ 15 }

// need returns how many more bytes the queue takes with m.
func (k *marks) need(m *Mark) uint64 {
	n := textOf(m)
	if k.first+k.n == k.blocks.len()*len(block{}) {
		n += blockBytes
	}
	return n
}

// at returns the i-th of the kept marks.
func (k *marks) at(i int) *Mark {
	i += k.first
	return &k.blocks.items[k.blocks.head+i/len(block{})][i%len(block{})]
}

func (k *marks) push(m *Mark) {
	k.bytes += k.need(m)
	if k.first+k.n == k.blocks.len()*len(block{}) {
		if k.spare == nil {
			k.spare = new(block)
		}
		k.blocks.push(k.spare)
		k.spare = nil
	}
	k.n++
	*k.at(k.n - 1) = *m
}

// drop removes the oldest mark, and returns how many bytes that frees.
func (k *marks) drop() (freed uint64) {
	m := k.at(0)
	freed = textOf(m)
	*m = Mark{}
	k.lost++
	k.first++
	if k.n--; k.first == len(block{}) || k.n == 0 {
		k.spare, k.first = k.blocks.pop(), 0
		freed += blockBytes
	}
	k.bytes -= freed
	return freed
}

// Mark keeps m in place of the oldest spans, as far as marks may use the memory, or else of the oldest marks. A mark that is
// larger than all the room is lost.
func (p *Pool) Mark(m Mark) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	for k := &p.marks; ; {
		need := k.need(&m)
		switch allowed := k.bytes+need <= k.limit; {
		case allowed && p.fits(need) && p.memory.Take(need, budget.Detail):
			k.push(&m)
			return
		case allowed && !p.fits(need) && p.full.len() > 0:
			p.release()
		case k.n == 0:
			k.lost++
			return
		default:
			p.memory.Give(k.drop())
		}
	}
}
