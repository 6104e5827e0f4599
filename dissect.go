// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

// time begins a timed call of a sampled zone. reason is weighted or beside.
func (l *Lane) time(s *sampling, reason uint8) (at *Lane, n *node, t uint64) {
	at, n = l, nodeAt(l.at.Get())
	if reason == weighted && !inside(n, s.zone) {
		s.look() // before the span begins
	}
	if n != &foldedHere {
		if n = l.tree.grow(n, s.zone, l.pooled); n != nil {
			n.flags |= reason
			l.open(s, timedCall{node: n, inside: n.inside(), moved: l.movedSelf(n)}, reason)
		}
	}
	at, n, t = l.begin(s.zone)
	if l.at.Get() == addr(n) {
		return at, n, t | slowly
	}
	if f := l.folding; at == l && n.parent != nil { // it was folded, on a node of the lane
		f.spans[len(f.spans)-1].timed = reason
		l.open(s, timedCall{node: n, folded: len(f.spans)}, reason)
	}
	return at, n, t
}

// enterDissecting is enter for calls of sampled zones while a dissected call is open. The call began at tick since.
func (l *Lane) enterDissecting(s *sampling, since uint64) (at *Lane, n *node, t uint64) {
	x := l.timing
	if x.loose {
		if s.skip(l) {
			return nil, nil, 0
		}
		return l.time(s, weighted)
	}
	if s.left.Load().left.Get() > 0 { // it was made just now
		s.hold(l)
	}
	around := len(x.open) - 1
	direct := l.isIn(&x.open[around])
	switch {
	case s.rest == 0:
		s.rest = l.gap(uint64(s.zone.every.Load()))
		at, n, t = l.time(s, weighted)
	case direct:
		at, n, t = l.time(s, beside)
	default:
		s.rest--
		s.count(l, 1)
		x.slow++
		l.loosen()
		x.cost += ticks() - since
		return nil, nil, 0
	}
	took := t&^slowly - since
	x.cost += took
	if direct {
		c := &x.open[around]
		c.calls++
		c.direct += took
		c.from = x.slow
	}
	return at, n, t
}
