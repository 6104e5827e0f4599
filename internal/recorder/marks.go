// SPDX-License-Identifier: BSD-3-Clause

package recorder

import (
	"unsafe"

	"github.com/strobe-go/strobe/internal/budget"
	"github.com/strobe-go/strobe/profile"
)

// A Mark is an event that is not a span.
type Mark struct {
	Lane  int32 // -1: none
	Depth uint8 // of the span of a link
	Ticks uint64
	Kind  profile.Kind
	Name  string
	Text  string
	Value float64
	Task  uint64
}

// marks keeps the latest marks that fit into its bytes, including their texts.
type marks struct {
	all   fifo[Mark]
	bytes uint64
	limit uint64
	lost  uint64
}

// sizeOf counts the size of a mark twice, since queues grow by doubling, and its texts rounded up as by the allocator.
func sizeOf(m Mark) uint64 {
	return 2*uint64(unsafe.Sizeof(m)) + (uint64(len(m.Name)+len(m.Text))+15)&^15
}

// Mark keeps m, and drops older ones to make room. A mark that is larger than all the room is lost.
func (p *Pool) Mark(m Mark) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	k, need := &p.marks, sizeOf(m)
	for k.bytes+need > k.limit || !p.memory.Take(need, budget.Detail) {
		if k.all.len() == 0 {
			k.lost++
			return
		}
		k.drop(p.memory)
	}
	k.bytes += need
	k.all.push(m)
}

func (k *marks) drop(memory *budget.Budget) {
	n := sizeOf(k.all.pop())
	k.bytes -= n
	k.lost++
	memory.Give(n)
}
