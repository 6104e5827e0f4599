// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/strobe-go/strobe/internal/budget"
	"github.com/strobe-go/strobe/internal/word"
)

// A queue holds the latest durations of a lane that keeps no distributions. They go into those that all lanes share
// when the queue is full, or when a reader comes: many at a time, because the shared ones are seldom in this processor's caches.
//
// The lane adds entries. Whoever moves written entries out copies them first, and then claims them by advancing moved.
type queue struct {
	written word.Word     // number of entries added so far
	moved   atomic.Uint64 // number of these that have been moved out
	entries []word.Word   // the latest: ID of the node, ticks
}

const (
	fewEntries   = 16        // at first: most lanes of a large number are idle
	moreEntries  = 128       // of a busy lane
	manyEntries  = 512       // likewise, while a quarter of the budget has not been used
	longestEntry = 1<<48 - 1 // ticks: a day or more
)

func queueBytes(entries int) uint64 {
	return uint64(unsafe.Sizeof(queue{})) + uint64(entries)*uint64(unsafe.Sizeof(word.Word{}))
}

// distribute adds a duration to the distribution of the node's zone.
func (l *Lane) distribute(n *node, d uint64) {
	if a := n.acc.Load(); a != nil && !crowded.Load() {
		a.add(d)
	} else {
		l.enqueue(n, d)
	}
}

// enqueue adds the duration of a call on node n, for the distribution of its zone.
//
//go:noinline
func (l *Lane) enqueue(n *node, d uint64) {
	q := l.queue.Load()
	if q == nil || d > longestEntry {
		l.enqueueSlow(n, d)
		return
	}
	at := q.written.Get()
	q.entries[at&uint64(len(q.entries)-1)].Set(uint64(n.id)<<48 | d)
	q.written.Set(at + 1)
	if at+1-q.moved.Load() == uint64(len(q.entries)) {
		l.full(q)
	}
}

// enqueueSlow makes the queue, or does without it.
func (l *Lane) enqueueSlow(n *node, d uint64) {
	if d > longestEntry || !memory.Take(queueBytes(fewEntries), budget.Essential) {
		n.zone.pooled().distribute(uint64(l.id), d)
		return
	}
	l.queue.Store(&queue{entries: make([]word.Word, fewEntries)})
	l.enqueue(n, d)
}

// full empties the queue, unless a reader has made room meanwhile, and replaces a small one by a larger one.
func (l *Lane) full(q *queue) {
	at := q.written.Get()
	if from := at - uint64(len(q.entries)); !q.moved.CompareAndSwap(from, at) { // from now on no other goroutine reads the entries
		return
	}
	l.distributeAll(q.entries)
	if l.pooled && !crowded.Load() && l.keepDistributions() {
		return
	}
	size := moreEntries
	if memory.Used() < memory.Limit()/4 {
		size = manyEntries
	}
	if len(q.entries) < size && memory.Take(queueBytes(size), budget.Detail) {
		memory.Give(queueBytes(len(q.entries)))
		l.queue.Store(&queue{entries: make([]word.Word, size)})
	}
}

// keepDistributions gives a lane that was made while there was a crowd its own distributions, and reports whether it did.
func (l *Lane) keepDistributions() bool {
	lanes.Lock()
	defer lanes.Unlock()
	if lanes.later >= distributions() {
		return false
	}
	lanes.later++
	l.pooled = false
	for id := range l.tree.count.Get() {
		if n := l.tree.node(id); n.zone != &otherZone {
			n.acc.Store(l.tree.accumulator(n.zone))
		}
	}
	return true
}

// drain moves what the lane's queue holds into the shared distributions. Any goroutine may call it.
func (l *Lane) drain() {
	q := l.queue.Load()
	if q == nil {
		return
	}
	from := q.moved.Load()
	to := q.written.Read()
	if n := to - from; n == 0 || n > uint64(len(q.entries)) { // more: they were moved since
		return
	}
	var entries [manyEntries]word.Word
	for i := from; i < to; i++ {
		entries[i-from].Set(q.entries[i&uint64(len(q.entries)-1)].Read())
	}
	if q.moved.CompareAndSwap(from, to) {
		l.distributeAll(entries[:to-from])
	}
}

// distributeAll adds entries of the queue to the shared distributions, zone by zone: what belongs to a zone is seldom in this
// processor's caches, and is fetched once. Those that fall into the same cell one after the other are added together.
func (l *Lane) distributeAll(entries []word.Word) {
	var first [64]uint16 // by ID of the node, the list of its entries; 0 ends it, i+1 stands for entry i
	var next [manyEntries]uint16
	for i := range entries {
		at := &first[entries[i].Get()>>48%uint64(len(first))]
		next[i%manyEntries], *at = *at, uint16(i+1)
	}
	slabs, stripe := *l.tree.slabs.Load(), nearStripe()
	for _, i := range first {
		var s sum
		for ; i != 0; i = next[(i-1)%manyEntries] {
			e := entries[i-1].Get()
			id, d := e>>48, e&longestEntry
			cell := octaves.Index(d)
			if s.node != id || s.cell != cell {
				s.flush(slabs, stripe)
				s = sum{id, cell, 0, d, d}
			}
			s.n++
			s.lo, s.hi = min(s.lo, d), max(s.hi, d)
		}
		s.flush(slabs, stripe)
	}
}

// A sum stands for n entries of a node, in the same cell.
type sum struct{ node, cell, n, lo, hi uint64 }

func (s *sum) flush(slabs []*slab, stripe uint64) {
	if s.n > 0 {
		z := slabs[s.node/uint64(len(slab{}))][s.node%uint64(len(slab{}))].zone
		z.pooled().add(stripe, s.cell, s.n, s.lo, s.hi)
	}
}

// A sync.Pool keeps what it is given for the same processor, whose caches then have the stripe.
var (
	stripeNumbers sync.Pool // of pointers to elements of numbers
	numbers       = [16]uint8{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	taken         atomic.Uint32
)

// nearStripe returns the number of the stripe that was used last on this processor, if there is one.
func nearStripe() uint64 {
	n, ok := stripeNumbers.Get().(*uint8)
	if !ok {
		n = &numbers[taken.Add(1)%uint32(len(numbers))]
	}
	stripeNumbers.Put(n)
	return uint64(*n)
}
