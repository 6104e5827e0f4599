// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"sync/atomic"
	"unsafe"
)

// Calls of sampled zones that are not timed leave their time in the self time of the enclosing span. To know how much of it is theirs, it
// must be known how long such a call takes in itself. Some of the timed calls are therefore dissected: all calls directly inside them are
// timed, also those of sampled zones. What dissecting takes is measured, and subtracted.

// A timing holds the timed calls of sampled zones that are open on a lane. While one of them is dissected, the counts of calls to be skipped
// are kept in sampling.rest, so that the fast path skips none, and each call of a sampled zone asks its lane. Only its lane uses it.
type timing struct {
	open  []timedCall // the innermost last
	deep  int         // number of dissected ones
	loose bool        // the fast path skips calls again, below a call that is timed for the innermost dissected one
	slow  uint64      // calls skipped by the slow path
	cost  uint64      // ticks that the slow path took
}

// A timedCall is an open call of a sampled zone.
type timedCall struct {
	node   *node
	folded int    // number in folding.spans, from 1; 0 if it is not folded
	inside uint64 // totals of the node's children when it began
	moved  uint64 // likewise, what folding added to its self time

	deep   bool   // it is dissected
	weight uint64 // calls of the zone for which it stands then
	calls  uint64 // directly inside, timed for it
	direct uint64 // ticks of the call itself that timing these took
	slow   uint64 // timing.slow when it began
	from   uint64 // likewise, or when the latest of calls did
	cost   uint64 // likewise, timing.cost
}

const (
	timedCallBytes = uint64(unsafe.Sizeof(timedCall{}))

	// Calls that are skipped by the slow path inside a call that is timed for a dissected one, before the fast path skips them again until
	// it ends, and inside any other call, which happens seldom, before nothing is dissected any longer.
	mostSlow    = 256
	mostSlowest = 1 << 16
)

// manyDeep is the number of dissected calls of a zone on a lane after which they are fewer.
const manyDeep = 256

// besideTicks is how much the self time of a dissected call grows with each call inside that is timed for it, beyond what is measured.
var besideTicks atomic.Uint64

// dissecting reports whether a dissected call is open.
func (l *Lane) dissecting() bool { return l.timing != nil && l.timing.deep > 0 }

// open notes that a timed call of a sampled zone begins. It is dissected if it is its turn.
func (l *Lane) open(s *sampling, c timedCall, reason uint8) {
	x := l.timing
	if x == nil {
		x = new(timing)
		l.timing = x
		memory.Force(uint64(unsafe.Sizeof(*x)))
	}
	if len(x.open) == cap(x.open) {
		more := max(2, len(x.open))
		memory.Force(uint64(more) * timedCallBytes)
		x.open = append(make([]timedCall, 0, len(x.open)+more), x.open...)
	}
	c.slow, c.cost = x.slow, x.cost
	switch {
	case reason != weighted:
	case s.until > 0:
		s.until--
	default:
		if x.deep == 0 || x.loose {
			l.tighten()
		}
		x.deep++
		c.from = x.slow
		all := s.calls.Get() + s.timed.Get() + 1
		c.deep, c.weight = true, all-s.mark
		s.mark = all
	}
	x.open = append(x.open, c)
}

// pop removes the innermost timed call.
func (x *timing) pop() timedCall {
	c := x.open[len(x.open)-1]
	x.open = x.open[:len(x.open)-1]
	return c
}

// close ends the timed call of a sampled zone that was the innermost. It took d ticks, of which own were not in spans inside. close returns
// how many it would have taken if it had not been dissected.
func (l *Lane) close(c timedCall, own, d uint64, at standIn, reason uint8, again bool) uint64 {
	x, s := l.timing, l.sampled(c.node.zone)
	known := c.folded > 0 || c.node.flags&overfull == 0
	b := l.beyondOf(c.node.id)
	if reason == beside {
		b.beside.Set(b.beside.Get() + 1)
	}
	if known {
		b.time(own)
	}
	if c.deep {
		took := c.calls * besideTicks.Load()
		x.cost += took + c.calls*floorTicks.Load()
		d -= min(d, x.cost-c.cost)
		if known {
			b.dissect(estimate(uint64(max(0, int64(own-c.direct-took)))), c.weight)
		}
		took = c.calls + (x.slow-c.slow)/4 + uint64(len(*l.samplings.Load()))/8 // in about the time that a timed call takes
		if s.deep++; s.deep > manyDeep {
			took *= 4
		}
		s.until = l.gap(1 + took)
		if x.deep--; x.deep == 0 {
			l.slacken()
		}
	}
	if reason == weighted {
		s.end(l, at, d, again)
	}
	return d
}

// isIn reports whether c is dissected and the innermost open span.
func (l *Lane) isIn(c *timedCall) bool {
	switch {
	case !c.deep:
		return false
	case c.folded == 0:
		return l.at.Get() == addr(c.node)
	}
	return l.at.Get() == addr(&foldedHere) && len(l.folding.spans) == c.folded
}

// apart notes that a folded call, which took so many ticks in itself, counts on the node of a timed call that is open.
func (x *timing) apart(n *node, own uint64) {
	for i := range x.open {
		if x.open[i].node == n && x.open[i].folded == 0 {
			x.open[i].moved += own
		}
	}
}

// leave is called after a call that ended at tick t, slowly, while a dissected call is open.
func (l *Lane) leave(t uint64) {
	x := l.timing
	if c := &x.open[len(x.open)-1]; l.isIn(c) {
		if x.loose {
			l.tighten()
		}
		took := ticks() - t
		c.direct += took
		x.cost += took
	}
}

// tighten makes the fast path skip no calls.
func (l *Lane) tighten() {
	l.timing.loose = false
	for _, s := range *l.samplings.Load() {
		s.hold(l)
	}
}

// slacken is the inverse of tighten.
func (l *Lane) slacken() {
	for _, s := range *l.samplings.Load() {
		s.resume()
	}
}

// loosen makes the fast path skip calls again if the slow path has skipped many.
func (l *Lane) loosen() {
	x := l.timing
	i := len(x.open) - 1
	for !x.open[i].deep {
		i--
	}
	slow := x.slow - x.open[i].from
	if slow < mostSlow {
		return
	}
	if i+1 < len(x.open) && l.isBelow(&x.open[i+1], &x.open[i]) { // leave is called when that ends
		l.slacken()
		x.loose = true
	} else if slow >= mostSlowest {
		l.dissectNoMore()
	}
}

// isBelow reports whether c is directly inside d.
func (l *Lane) isBelow(c, d *timedCall) bool {
	switch {
	case c.folded == 0:
		return c.node.parent == d.node
	case d.folded > 0:
		return c.folded == d.folded+1
	}
	return c.folded == 1 && l.folding.under == d.node
}

// dissectNoMore makes the dissected calls on the lane go on as others.
func (l *Lane) dissectNoMore() {
	if !l.dissecting() {
		return
	}
	x := l.timing
	for i := range x.open {
		x.open[i].deep = false
	}
	x.deep = 0
	if !x.loose {
		l.slacken()
	}
	x.loose = false
}

// inside returns the totals of the node's children, none of which is open.
func (n *node) inside() (sum uint64) {
	for i := range uint64(n.mask) + 2 {
		if c := n.place(i); c != &noNode {
			sum += c.total.Get()
		}
	}
	return sum
}

// movedSelf returns what folding has added to the self time of a node, in ticks modulo 2^64.
func (l *Lane) movedSelf(n *node) uint64 {
	if l.folding == nil {
		return 0
	}
	if all := l.folding.moved.Load(); all != nil && int(n.id) < len(*all) {
		return (*all)[n.id].self.Get()
	}
	return 0
}
