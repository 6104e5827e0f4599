// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/strobe-go/strobe/internal/budget"
	"github.com/strobe-go/strobe/internal/word"
)

// A span whose path does not fit into the tree is folded: it counts on the innermost open node of its zone, or else on the
// node of its zone below the one for all other paths, or else on the shared lane. Whenever a folded span begins or ends, the time
// since then is moved from the self time of the enclosing node to where the innermost span counts, so the self times of a lane always
// add up.

// A folding holds the folded spans of a lane that are open, and what folding moved. Its lane writes it.
type folding struct {
	under  *node // the innermost open node of the tree, below which the folded spans lie
	spans  []folded
	last   uint64      // tick at which the latest of them began or ended
	places [1024]place // some of those found, by node and zone
	moved  atomic.Pointer[[]moved]
	count  word.Word // number of spans folded so far
}

// A place says where folded spans of a zone below a node count. That never changes.
type place struct {
	under, on uint16 // IDs of the nodes; on is 0 if the place is empty
	refused   bool   // the tree has no room for the path of the zone directly below the node, and never will
	zone      uint32
}

// place returns the place for a zone below a node, or that of others.
func (f *folding) place(under *node, z *Zone) *place {
	return &f.places[(uint32(under.id)*31+z.id)%uint32(len(f.places))]
}

func (p *place) isOf(under *node, z *Zone) bool {
	return p.on != 0 && p.under == under.id && p.zone == z.id
}

// refuses reports whether the tree is known to have no room for the path of z below n.
func (f *folding) refuses(n *node, z *Zone) bool {
	p := f.place(n, z)
	return p.refused && p.isOf(n, z)
}

type folded struct {
	start uint64
	node  *node // where it counts
	outer bool  // no other open span counts there

	inside uint64 // durations of the spans directly inside
	timed  uint8  // weighted or beside, if it is a timed call of a sampled zone
}

// moved is what folding did to a node.
type moved struct {
	self word.Word // ticks added to its self time, modulo 2^64
	sum  word.Word // ticks of calls that count on it but are not in its total
	open int       // folded spans that count on it; readers do not look
}

const (
	foldingBytes = uint64(unsafe.Sizeof(folding{}))
	foldedBytes  = uint64(unsafe.Sizeof(folded{}))
	movedBytes   = uint64(unsafe.Sizeof(moved{}))
)

// foldedHere is the innermost open node of a lane with folded spans. It has no children, so every span that begins or ends
// there takes the slow path.
var foldedHere = node{children: &noChildren[0]}

// fold begins a span of z for which the tree has no node. If there is no memory for it, the span counts on the shared lane,
// and its time also stays in the self time of the enclosing span.
func (l *Lane) fold(z *Zone) (*Lane, *node, uint64) {
	f := l.folding
	if f == nil {
		f = new(folding)
		memory.Force(foldingBytes)
		l.folding = f
		l.folds.Store(f)
	}
	if len(f.spans) == cap(f.spans) {
		size := max(16, 2*cap(f.spans))
		if !memory.Take(uint64(size)*foldedBytes, budget.Detail) {
			return sharedLane(), &z.pooled().node, ticks()
		}
		memory.Give(uint64(cap(f.spans)) * foldedBytes)
		f.spans = append(make([]folded, 0, size), f.spans...)
	}
	if len(f.spans) == 0 {
		f.under = nodeAt(l.at.Get())
	}
	n, outer := l.foldsOn(z)
	f.count.Set(f.count.Get() + 1)
	l.at.Set(addr(&foldedHere))
	start := ticks()
	l.moveSince(start)
	f.spans = append(f.spans, folded{start: start, node: n, outer: outer})
	return l, n, start
}

// moveSince moves the time up to tick t since a folded span began or ended.
func (l *Lane) moveSince(t uint64) {
	f := l.folding
	if n := len(f.spans); n > 0 {
		l.move(f.under, f.last-t)
		l.move(f.spans[n-1].node, t-f.last)
	}
	f.last = t
}

// foldsOn returns the node on which the next folded span, of z, counts, and whether no open span counts there yet.
func (l *Lane) foldsOn(z *Zone) (n *node, outer bool) {
	f := l.folding
	p := f.place(f.under, z)
	if p.isOf(f.under, z) {
		n = l.tree.node(uint64(p.on))
	} else if n = l.findPlace(z); n == nil {
		sharedLane() // where it is shown
		n = &z.pooled().node
		return n, !slices.ContainsFunc(f.spans, func(s folded) bool { return s.node == n })
	} else {
		*p = place{under: f.under.id, on: n.id, zone: z.id}
	}
	rest := n.parent == l.tree.other
	if len(f.spans) == 0 && l.tree.full(f.under, !rest) {
		p.refused = true
	}
	m := l.movedOf(n)
	m.open++
	return n, rest && m.open == 1
}

// findPlace returns the innermost open node of z, or else the one below that for all other paths; nil if the limits or the budget do
// not allow one.
func (l *Lane) findPlace(z *Zone) *node {
	for n := l.folding.under; n != nil; n = n.parent {
		if n.zone == z {
			return n
		}
	}
	if rest := l.tree.rest(); rest != nil {
		return l.tree.grow(rest, z, l.pooled)
	}
	return nil
}

// depth returns the depth of the innermost folded span.
func (f *folding) depth() int { return min(maxDepth, int(f.under.depth)+len(f.spans)) }

// unfold ends the innermost folded span at tick t.
func (l *Lane) unfold(t uint64) {
	l.moveSince(t)
	f := l.folding
	depth := f.depth()
	s := f.spans[len(f.spans)-1]
	f.spans = f.spans[:len(f.spans)-1]
	z := s.node.zone
	around, timed := f.under, f.under.flags&(weighted|beside) != 0
	d := t - s.start
	if n := len(f.spans); n > 0 {
		x := &f.spans[n-1]
		x.inside += d
		around, timed = x.node, x.timed != 0
	}
	l.record(s.start, d, depth, s.node)
	if p := z.pool.Load(); p != nil && s.node == &p.node {
		total := d
		if !s.outer {
			total = 0
		}
		p.count(uint64(l.id), 1, total)
		p.distribute(uint64(l.id), d)
	} else {
		own, took := d-min(d, s.inside), d
		if s.node.flags&(weighted|beside) != 0 {
			l.timing.apart(s.node, own)
		}
		if s.timed != 0 {
			took = l.close(l.timing.pop(), own, d, standInOn(s.node, around, timed), s.timed, !s.outer)
		}
		if s.timed != beside { // as in end
			s.node.calls.Set(s.node.calls.Get() + 1)
			l.distribute(s.node, took)
		}
		m := l.movedOf(s.node)
		m.open--
		if s.outer {
			s.node.total.Set(s.node.total.Get() + d)
			m.self.Set(m.self.Get() - d) // since it is in the total
		} else {
			m.sum.Set(m.sum.Get() + d)
		}
	}
	if len(f.spans) == 0 {
		l.at.Set(addr(f.under))
		f.under = nil
	}
	if l.dissecting() {
		l.leave(t)
	}
}

// move adds ticks to the self time of a node. The shared lane has no self times.
func (l *Lane) move(n *node, d uint64) {
	if p := n.zone.pool.Load(); p != nil && n == &p.node {
		return
	}
	m := l.movedOf(n)
	m.self.Set(m.self.Get() + d)
}

func (l *Lane) movedOf(n *node) *moved {
	f := l.folding
	if f.moved.Load() == nil {
		f.moved.Store(new([]moved))
	}
	all := *f.moved.Load()
	if int(n.id) >= len(all) {
		size := l.tree.room(len(all))
		memory.Force(uint64(size-len(all)) * movedBytes)
		larger := make([]moved, size)
		for i := range all {
			larger[i].self.Set(all[i].self.Get())
			larger[i].sum.Set(all[i].sum.Get())
			larger[i].open = all[i].open
		}
		f.moved.Store(&larger)
		all = larger
	}
	return &all[n.id]
}

// foldedAt returns the index of an open folded span, -1 if s is none.
func (l *Lane) foldedAt(n *node, start uint64) int {
	if l.folding == nil {
		return -1
	}
	for i := len(l.folding.spans) - 1; i >= 0; i-- {
		if f := &l.folding.spans[i]; f.start == start && f.node == n {
			return i
		}
	}
	return -1
}

// unfoldAll ends all folded spans and returns how many there were.
func (l *Lane) unfoldAll(t uint64) (n int) {
	if l.folding != nil {
		for ; len(l.folding.spans) > 0; n++ {
			l.unfold(t)
		}
	}
	return n
}
