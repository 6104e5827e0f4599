// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"slices"

	"github.com/strobe-go/strobe/profile"
)

// A tally is what was measured on a lane since its beginning, in ticks.
type tally struct {
	nodes   []count // by node ID, without the root
	guesses []guess // by sampled zone
	spreads []spread
	has     []bool   // by zone: there is one in spreads
	cells   []uint64 // for spreads
}

// A count is what was measured on a node.
type count struct {
	calls, ended uint64 // calls that have ended, and their durations
	start        uint64 // of the open span; 0 if there is none
	movedSelf    uint64 // ticks that folding added to the self time, modulo 2^64
	movedSum     uint64 // ticks of calls that count on the node but are not in its total
	beyond       beyondCount
	least        uint64 // total is at least this

	total, self uint64 // with the open span, up to the instant of settle
	open        bool   // it had begun by then
}

// A guess is the estimate for the calls of a sampled zone that were not timed.
type guess struct {
	zone              int32
	calls, sum, total uint64
	since             uint64  // of calls, those after the latest timed one
	last              standIn // for those
}

// A spread is the distribution of a zone's durations.
type spread struct {
	zone   int32
	lo, hi uint64   // shortest and longest
	first  uint64   // cell
	counts []uint64 // from there on
}

// A twig is what never changes about a node.
type twig struct {
	parent int32 // index of the parent node, -1 for the root
	zone   int32 // profile.Other for the node of all other paths
	again  bool  // a node above has the same zone
}

// grown appends the nodes of a lane that shape lacks, up to n.
func grown(shape []twig, l *Lane, n int) []twig {
	slabs := *l.tree.slabs.Load()
	for i := len(shape); i < n; i++ {
		id := i + 1
		x := &slabs[id/len(slab{})][id%len(slab{})]
		t := twig{parent: int32(x.parent.id) - 1, zone: profile.Other, again: x.again}
		if x.zone != &otherZone {
			t.zone = int32(x.zone.id)
		}
		shape = append(shape, t)
	}
	return shape
}

// clear empties the tally and keeps its memory.
func (y *tally) clear() {
	for i := range y.spreads {
		y.has[y.spreads[i].zone] = false
	}
	y.nodes, y.guesses, y.spreads, y.cells = y.nodes[:0], y.guesses[:0], y.spreads[:0], y.cells[:0]
}

// spread adds the distribution of a zone, with n cells to be filled. They are valid until clear.
func (y *tally) spread(s spread, n int) []uint64 {
	from := len(y.cells)
	y.cells = slices.Grow(y.cells, n)[:from+n]
	s.counts = y.cells[from : from+n : from+n]
	y.has = append(y.has, make([]bool, max(0, int(s.zone)+1-len(y.has)))...)
	y.has[s.zone] = true
	y.spreads = append(y.spreads, s)
	return s.counts
}

// read reads a lane that is not shared, while it keeps running. Durations for the shared distributions go there.
func (y *tally) read(l *Lane) {
	y.clear()
	l.drain()
	n := int(l.tree.count.Read()) - 1
	slabs := *l.tree.slabs.Load()
	y.nodes = slices.Grow(y.nodes, n)[:n]
	for i := range y.nodes {
		id := i + 1
		x := &slabs[id/len(slab{})][id%len(slab{})]
		calls, ended, start := x.read()
		y.nodes[i] = count{calls: calls, ended: ended, start: start}
		if a := x.acc.Load(); a != nil {
			y.readSpread(a)
		}
	}
	if f := l.folds.Load(); f != nil {
		if all := f.moved.Load(); all != nil {
			for id := 1; id < len(*all) && id <= n; id++ {
				y.nodes[id-1].movedSelf, y.nodes[id-1].movedSum = (*all)[id].self.Read(), (*all)[id].sum.Read()
			}
		}
	}
	if all := l.beyond.Load(); all != nil {
		for id := 1; id < len(*all) && id <= n; id++ {
			y.nodes[id-1].beyond = (*all)[id].read()
		}
	}
	if all := l.samplings.Load(); all != nil {
		for _, s := range *all {
			g := s.read()
			g.last.skip(y.nodes, g.since)
			y.guesses = append(y.guesses, g)
		}
	}
}

// readSpread reads a distribution, unless it has been read for another node of the zone.
func (y *tally) readSpread(a *accumulator) {
	zone := int(a.zone.id)
	if zone < len(y.has) && y.has[zone] {
		return
	}
	h, lo, hi, last, count := a.read()
	switch {
	case h == nil && lo != none:
		return // the budget does not allow one
	case last != none: // it is not in the histogram yet, and may lie outside of its cells
		lo, hi = min(lo, last), max(hi, last)
	case lo == none:
		return // no call has ended
	}
	first := octaves.Index(lo)
	counts := y.spread(spread{zone: int32(zone), lo: lo, hi: hi, first: first}, int(octaves.Index(hi)-first)+1)
	for i := range counts {
		counts[i] = h.at(first + uint64(i))
	}
	if last != none {
		counts[octaves.Index(last)-first] = count + 1
	}
}

// hold keeps counts from falling below those of an earlier tally: a call may be missing for a moment, while its lane counts it.
// Without hold, the negative difference would be left out, and the sum of all differences would stay too large. It returns
// whether anything changed.
func (y *tally) hold(before *tally) (changed bool) {
	raise := func(to *uint64, least uint64) {
		changed = changed || *to < least
		*to = max(*to, least)
	}
	for i, b := range before.guesses {
		g := &y.guesses[i]
		raise(&g.calls, b.calls)
		raise(&g.sum, b.sum)
		raise(&g.total, b.total)
	}
	for i, b := range before.nodes {
		raise(&y.nodes[i].beyond.skipped, b.beyond.skipped)
		raise(&y.nodes[i].beyond.charged, b.beyond.charged)
		raise(&y.nodes[i].beyond.adrift, b.beyond.adrift)
		raise(&y.nodes[i].beyond.owed, b.beyond.owed)
	}
	for _, b := range before.spreads {
		for i := range y.spreads {
			if s := &y.spreads[i]; s.zone == b.zone && s.hold(&b) {
				changed = true
			}
		}
	}
	return changed
}

// settle computes the times up to tick now. With the tally of an earlier instant, no time falls below that of then: it would if
// a span that was seen open turns out to have ended earlier, because its goroutine was interrupted between reading the clock
// and storing the time. Nodes are read one after another, while their lane keeps running: a parent then gets at least the
// time of its children.
func (y *tally) settle(shape []twig, now uint64, before *tally) {
	for i := range y.nodes {
		n := &y.nodes[i]
		n.total, n.self, n.open = n.ended, -n.movedSelf, false // self: what does not belong to the node itself
		if n.start != 0 && int64(now-n.start) >= 0 {
			n.total += now - n.start
			n.open = true
		}
	}
	for i := len(y.nodes) - 1; i >= 0; i-- { // children come after their parents
		n, t := &y.nodes[i], &shape[i]
		if t.zone == profile.Other { // no calls are recorded for it
			n.total += n.self + n.movedSelf
		}
		if before != nil {
			own := uint64(0)
			if i < len(before.nodes) {
				b := &before.nodes[i]
				own = uint64(max(0, int64(b.self+n.movedSelf-b.movedSelf))) // less what folding has moved away since
				n.least = max(n.least, b.total)
			}
			if least := n.self + own; int64(least) > 0 {
				n.least = max(n.least, least)
			}
		}
		if n.least > n.total {
			n.total = n.least
		} else {
			n.least = 0
		}
		if t.parent >= 0 {
			y.nodes[t.parent].self += n.total
		}
		n.self = uint64(max(0, int64(n.total-n.self)))
	}
}

// skipped returns the number of calls that were not timed.
func (y *tally) skipped() (n uint64) {
	for i := range y.guesses {
		n += y.guesses[i].calls
	}
	return n
}

// spreadOf returns the distribution of a zone.
func (y *tally) spreadOf(zone int32) spread {
	for _, s := range y.spreads {
		if s.zone == zone {
			return s
		}
	}
	return spread{}
}

// sub subtracts an earlier distribution. Extremes are then known to within a cell.
func (s *spread) sub(before spread) {
	if len(before.counts) == 0 {
		return
	}
	from, to := -1, 0
	for i := range s.counts {
		if k := s.first + uint64(i) - before.first; k < uint64(len(before.counts)) {
			s.counts[i] -= min(s.counts[i], before.counts[k])
		}
		if s.counts[i] > 0 {
			if from < 0 {
				from = i
			}
			to = i + 1
		}
	}
	if from < 0 {
		*s = spread{}
		return
	}
	lowest, _ := octaves.Range(s.first + uint64(from))
	_, highest := octaves.Range(s.first + uint64(to-1))
	s.lo, s.hi = max(s.lo, lowest), min(s.hi, highest)
	s.first, s.counts = s.first+uint64(from), s.counts[from:to]
}

// add adds another distribution.
func (s *spread) add(o *spread) {
	switch {
	case len(o.counts) == 0:
		return
	case len(s.counts) == 0:
		*s = *o
		s.counts = slices.Clone(o.counts)
		return
	}
	s.cover(o)
	for i, c := range o.counts {
		s.counts[o.first-s.first+uint64(i)] += c
	}
}

// hold keeps counts from falling below those of an earlier distribution, and reports whether any did.
func (s *spread) hold(before *spread) (changed bool) {
	changed = s.lo > before.lo || s.hi < before.hi
	s.cover(before)
	for i, c := range before.counts {
		to := &s.counts[before.first-s.first+uint64(i)]
		changed = changed || *to < c
		*to = max(*to, c)
	}
	return changed
}

// cover makes s reach as far as o.
func (s *spread) cover(o *spread) {
	s.lo, s.hi = min(s.lo, o.lo), max(s.hi, o.hi)
	first, end := min(s.first, o.first), max(s.first+uint64(len(s.counts)), o.first+uint64(len(o.counts)))
	if end-first > uint64(len(s.counts)) {
		counts := make([]uint64, end-first)
		copy(counts[s.first-first:], s.counts)
		s.first, s.counts = first, counts
	}
}
