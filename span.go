// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

// A Span is one execution of a Zone: four words on the stack. End it once, with Exit, on the goroutine that began it.
// The zero Span is none; ending it does nothing.
type Span struct {
	lane    *Lane
	account *account
	start   uint64
	depth   uint64
}

// Exit ends the span.
//
// Misuse is harmless and counted, see Snapshot.Misuse. A span that is ended again, or on another goroutine, is left
// alone. One that is ended before the spans inside it ends those too, as a panic does that passes them by.
func (s Span) Exit() {
	if s.lane != nil {
		s.exit()
	}
}

func (s Span) exit() {
	l, a := s.lane, s.account
	gp, t := stamp()
	depth := s.depth
	if gp&l.mask != l.g || depth-1 >= visible-1 || l.depth.get() != depth+1 {
		s.exitSlow(gp, t)
		return
	}
	f := &l.frames[depth]
	if f.start.get() != s.start {
		s.exitSlow(gp, t)
		return
	}
	d := t - s.start
	a.calls.set(a.calls.get() + 1)
	a.self.set(a.self.get() + d - f.child.get())
	if a.outer.get() == depth {
		a.outer.set(0)
		a.total.set(a.total.get() + d)
	}
	// The distribution takes in the duration before this one: it does not hang on the clock just read, so the processor
	// works on it while the clock is read.
	last := a.last.get()
	a.last.set(d)
	if last-a.min.get() > a.width.get() {
		a.stretch(last)
	}
	if h := a.spread.Load(); h != nil {
		if i := cellOf(last) - h.first; i < uint64(len(h.cells)) {
			c := &h.cells[i]
			c.set(c.get() + 1)
		}
	}
	p := &l.frames[depth-1]
	p.child.set(p.child.get() + d)
	l.depth.set(depth)
	if r := l.ring.Load(); r != nil { // after depth: a timeline must not have it both as open and as ended
		r.add(s.start, pack(d, depth, f.zone.get()))
	}
}

// exitSlow ends what Exit does not: deep spans, those of the shared lane, and misuse.
//
//go:noinline
func (s Span) exitSlow(gp, t uint64) {
	l := s.lane
	if s.depth&inTrace != 0 && gp&l.mask == l.g {
		s.depth &^= inTrace
		l.endRegions(s.depth)
	}
	switch {
	case l.shared:
		l.countShared(s.account, t-s.start)
	case gp&l.mask != l.g:
		misuse.elsewhere.Add(1)
	case !l.open(s):
		misuse.twice.Add(1)
	default:
		for l.depth.get() > s.depth+1 { // spans inside that were not ended, or whose Exit a panic passed by
			l.pop(t)
			misuse.early.Add(1)
		}
		l.pop(t)
	}
}
