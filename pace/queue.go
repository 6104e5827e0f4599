// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"math"
	"sync/atomic"

	"github.com/strobe-go/strobe/clock"
)

// A pending is the sleep of one goroutine.
type pending struct {
	wake   chan struct{}
	number atomic.Uint64 // of its entry in the queue; 0: none
}

func newPending() *pending { return &pending{wake: make(chan struct{}, 1)} }

// wakeUp wakes the owner of b if it still sleeps on the entry with that number, and reports whether it did. Of several
// calls only one succeeds.
func (b *pending) wakeUp(number uint64) bool {
	if number == 0 || !b.number.CompareAndSwap(number, 0) {
		return false
	}
	b.wake <- struct{}{} // has room: its owner is the only receiver
	return true
}

// A queue is a binary heap of pending sleeps, the earliest first. Its methods do not read the pendings, because with a
// thousand of them most are not in the cache. The entry of a cancelled sleep stays until its time comes, or until about
// half of the entries are cancelled.
type queue struct {
	heap      []entry
	numbers   uint64
	cancelled int
}

type entry struct {
	at     clock.Instant
	number uint64
	b      *pending
}

const farAway = clock.Instant(math.MaxInt64)

// first returns the earliest instant, farAway if there is none.
func (q *queue) first() clock.Instant {
	if len(q.heap) == 0 {
		return farAway
	}
	return q.heap[0].at
}

// push adds b, which must not be in the queue yet. at lies before farAway.
func (q *queue) push(at clock.Instant, b *pending) {
	q.numbers++
	b.number.Store(q.numbers)
	q.heap = append(q.heap, entry{at, q.numbers, b})
	q.up(len(q.heap) - 1)
}

// take removes the entries for now and earlier, including cancelled ones, and appends them to due.
func (q *queue) take(due []entry, now clock.Instant) []entry {
	for q.first() <= now {
		due = append(due, q.heap[0])
		end := len(q.heap) - 1
		q.heap[0] = q.heap[end]
		q.heap[end] = entry{}
		q.heap = q.heap[:end]
		q.down(0)
	}
	return due
}

// count adds n to the number of cancelled entries; n is negative for entries that have been taken. Those that compact has
// dropped in between may be counted twice.
func (q *queue) count(n int) {
	q.cancelled = max(q.cancelled+n, 0)
	if n > 0 && 2*q.cancelled > len(q.heap) {
		q.compact()
	}
}

// compact drops the cancelled entries.
func (q *queue) compact() {
	kept := q.heap[:0]
	for _, e := range q.heap {
		if e.b.number.Load() == e.number {
			kept = append(kept, e)
		}
	}
	clear(q.heap[len(kept):])
	q.heap, q.cancelled = kept, 0
	for i := len(kept)/2 - 1; i >= 0; i-- {
		q.down(i)
	}
}

func (q *queue) up(i int) {
	e := q.heap[i]
	for i > 0 {
		parent := (i - 1) / 2
		if q.heap[parent].at <= e.at {
			break
		}
		q.heap[i] = q.heap[parent]
		i = parent
	}
	q.heap[i] = e
}

func (q *queue) down(i int) {
	if i >= len(q.heap) {
		return
	}
	e := q.heap[i]
	for {
		child := 2*i + 1
		if child >= len(q.heap) {
			break
		}
		if next := child + 1; next < len(q.heap) && q.heap[next].at < q.heap[child].at {
			child = next
		}
		if e.at <= q.heap[child].at {
			break
		}
		q.heap[i] = q.heap[child]
		i = child
	}
	q.heap[i] = e
}
