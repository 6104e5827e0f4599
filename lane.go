// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"math/bits"
	"runtime/trace"
	"sync"
	"sync/atomic"
)

// A Lane is one stream of spans: that of a goroutine, or one made by NewLane. Only one goroutine at a time may use it.
type Lane struct {
	g    uint64 // the goroutine's record; 0 of a lane made by hand
	mask uint64 // all ones; 0 of a lane made by hand, which any goroutine may use

	depth    word                                      // frames[depth] is the next free one; frames[0] stands for the lane itself
	frames   [visible]frame                            // open spans
	accounts atomic.Pointer[[]atomic.Pointer[account]] // by zone; grown by the owner
	held     word                                      // accounts
	deep     []deepFrame                               // open spans beyond the visible
	random   uint64
	ring     atomic.Pointer[ring]
	regions  []*trace.Region // by depth, of spans begun while Go's tracer ran

	shared bool
	mu     sync.Mutex // growth of a shared lane
	id     int
	label  atomic.Pointer[label]
}

// visible is how many open spans a reader sees, and how deep the short way goes.
const visible = 32

// A frame is an open span.
type frame struct {
	start word
	child word // time of the spans inside that have ended
	zone  word
}

type deepFrame struct {
	start, child uint64
	account      *account
}

// push begins a span of z, making what is missing.
func (l *Lane) push(z *Zone) Span {
	a := l.account(z)
	depth := l.depth.get()
	if a.outer.get() == 0 {
		a.outer.set(depth)
	}
	t := tick()
	if depth < visible {
		f := &l.frames[depth]
		f.start.set(t)
		f.child.set(0)
		f.zone.set(uint64(z.id))
	} else {
		l.deep = append(l.deep, deepFrame{start: t, account: a})
	}
	l.depth.set(depth + 1)
	return Span{lane: l, account: a, start: t, depth: depth}
}

// pop ends the innermost span at tick t.
func (l *Lane) pop(t uint64) {
	depth := l.depth.get() - 1
	var a *account
	var start, child uint64
	if depth < visible {
		f := &l.frames[depth]
		a, start, child = (*l.accounts.Load())[f.zone.get()].Load(), f.start.get(), f.child.get()
	} else {
		f := l.deep[len(l.deep)-1]
		l.deep = l.deep[:len(l.deep)-1]
		a, start, child = f.account, f.start, f.child
	}
	d := t - start
	a.calls.set(a.calls.get() + 1)
	a.self.set(a.self.get() + d - child)
	if a.outer.get() == depth {
		a.outer.set(0)
		a.total.set(a.total.get() + d)
	}
	a.distribute(d)
	if depth-1 < visible {
		p := &l.frames[depth-1]
		p.child.set(p.child.get() + d)
	} else {
		l.deep[len(l.deep)-1].child += d
	}
	l.depth.set(depth)
	if r := l.ring.Load(); r != nil && depth < visible { // after depth, as in Span.exit
		r.add(start, pack(d, depth, l.frames[depth].zone.get()))
	}
}

// open reports whether s is an open span of the lane.
func (l *Lane) open(s Span) bool {
	if s.depth == 0 || s.depth >= l.depth.get() {
		return false
	}
	if s.depth < visible {
		return l.frames[s.depth].start.get() == s.start
	}
	return l.deep[s.depth-visible].start == s.start
}

// account returns the lane's account of z, a new one the first time.
func (l *Lane) account(z *Zone) *account {
	if l.shared {
		l.mu.Lock()
		defer l.mu.Unlock()
	}
	table := *l.accounts.Load()
	if int(z.id) >= len(table) {
		size := max(2*len(table), int(z.id)+1, 8)
		memory.take(uint64(size-len(table))*8, needed)
		grown := make([]atomic.Pointer[account], size)
		for i := range table {
			grown[i].Store(table[i].Load())
		}
		l.accounts.Store(&grown)
		table = grown
	}
	a := table[z.id].Load()
	if a == nil {
		memory.take(accountBytes, needed)
		a = newAccount(l.g)
		table[z.id].Store(a)
		l.held.set(l.held.get() + 1)
	}
	return a
}

// distribute enters the duration before d into the extremes and the spread. See Span.Exit.
func (a *account) distribute(d uint64) {
	last := a.last.get()
	a.last.set(d)
	if last-a.min.get() > a.width.get() {
		a.stretch(last)
	}
	if h := a.spread.Load(); h != nil {
		if i := cellOf(last) - h.first; i < uint64(len(h.cells)) {
			h.cells[i].set(h.cells[i].get() + 1)
		}
	}
}

// countShared enters a span of the shared lane, on which many goroutines meet: calls and total alone, exactly.
func (l *Lane) countShared(a *account, d uint64) {
	a.calls.add(1)
	a.total.add(d)
}

// gap returns how many calls to skip before the next that is timed: uniform, with the mean of one in every. A fixed
// gap could keep step with a pattern in the program.
func (l *Lane) gap(every uint64) uint64 {
	l.random ^= l.random << 13 // xorshift, Marsaglia 2003
	l.random ^= l.random >> 7
	l.random ^= l.random << 17
	n, _ := bits.Mul64(l.random, 2*every-1) // scaled down, not divided: Lemire 2019
	return n
}
