// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import "runtime/trace"

// A Lap measures phases that follow one another without a gap: one clock reading ends a phase and begins the next, half
// the cost of spans. Like a span it belongs to the goroutine that began it; spans may lie inside its phases.
//
//	p := strobe.StartLap(zInput)
//	input()
//	p.Next(zLogic)
//	logic()
//	p.End()
type Lap struct{ span Span }

// StartLap begins the phase z on the calling goroutine.
func StartLap(z *Zone) Lap { return Lap{z.Enter()} }

// Lap begins the phase z on the lane.
func (l *Lane) Lap(z *Zone) Lap { return Lap{l.Enter(z)} }

// Next ends the phase and begins the phase z. If the first phase was off, so are all that follow.
func (p *Lap) Next(z *Zone) {
	t := tick()
	l, a, depth := p.span.lane, p.span.account, p.span.depth
	if l == nil || depth-1 >= visible-1 || trace.IsEnabled() || l.depth.get() != depth+1 {
		p.nextSlow(z)
		return
	}
	table := *l.accounts.Load()
	if uint(z.id) >= uint(len(table)) {
		p.nextSlow(z)
		return
	}
	n, f := table[z.id].Load(), &l.frames[depth]
	if n == nil || f.start.get() != p.span.start {
		p.nextSlow(z)
		return
	}
	d := t - p.span.start
	a.calls.set(a.calls.get() + 1)
	a.self.set(a.self.get() + d - f.child.get())
	if a.outer.get() == depth {
		a.outer.set(0)
		a.total.set(a.total.get() + d)
	}
	if n.outer.get() == 0 {
		n.outer.set(depth)
	}
	last := a.last.get() // as in Span.Exit
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
	b := &l.frames[depth-1]
	b.child.set(b.child.get() + d)
	ended := f.zone.get()
	f.start.set(0) // as in Lane.Enter
	f.child.set(0)
	f.zone.set(uint64(z.id))
	f.start.set(t)
	if r := l.ring.Load(); r != nil { // after the frame, as in Span.exit
		r.add(p.span.start, pack(d, depth, ended))
	}
	p.span.account, p.span.start = n, t
}

//go:noinline
func (p *Lap) nextSlow(z *Zone) {
	l := p.span.lane
	if l == nil {
		return
	}
	p.span.Exit()
	if l.shared {
		p.span = Span{lane: l, account: l.account(z), start: tick(), depth: 1}
	} else {
		p.span = l.begin(z)
	}
}

// End ends the last phase.
func (p *Lap) End() {
	p.span.Exit()
	p.span = Span{}
}
