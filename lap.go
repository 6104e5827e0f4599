// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"github.com/strobe-go/strobe/internal/recorder"
	"github.com/strobe-go/strobe/internal/stamp"
)

// A Lap measures consecutive phases without gaps: one clock reading ends a phase and begins the next, so a phase costs half
// as much as a span. Like a span, a Lap belongs to the goroutine that began it; its phases may contain spans. Phases whose
// zone is off, or sampled and not timed this time, are skipped. The zero Lap begins with its first Next.
//
//	p := strobe.StartLap(zInput)
//	input()
//	p.Next(zLogic)
//	logic()
//	p.End()
type Lap struct {
	lane  *Lane  // nil if it is the goroutine's lane and no phase is open
	node  uint64 // address of the phase's node: storing a pointer costs more while the garbage collector marks
	start uint64
}

// StartLap begins the phase z on the calling goroutine.
func StartLap(z *Zone) Lap {
	s := z.Enter()
	return Lap{s.lane, addr(s.node), s.start}
}

// Lap begins the phase z on the lane.
func (l *Lane) Lap(z *Zone) Lap {
	s := l.Enter(z)
	return Lap{l, addr(s.node), s.start}
}

// Next ends the phase and begins the phase z.
func (p *Lap) Next(z *Zone) {
	id, t := stamp.Now()
	l := p.lane
	if l == nil || p.node == 0 || l.at.Get() != p.node || z.mode.Load() != full || id&l.mask|l.hand != l.key.Load() || tracing() {
		p.nextSlow(z)
		return
	}
	n := nodeAt(p.node)
	c := n.parent.child(z)
	if c.zone != z || n.start.Get() != p.start {
		p.nextSlow(z)
		return
	}
	n.end(t)
	d := t - p.start
	if a := n.acc.Load(); a != nil && !crowded.Load() {
		last := a.last.Get() // accumulator.add, written out as in Span.exit
		a.last.Set(d)
		if last-a.min.Get() > a.width.Get() {
			a.widen(last)
		}
		if i := octaves.Index(last) - uint64(a.first); i < uint64(a.count) {
			c := a.cell(i)
			c.Set(c.Get() + 1)
		}
	} else {
		l.enqueue(n, d)
	}
	n.start.Set(0)
	c.begin(t)
	l.at.Set(addr(c))
	if k := l.chunk.Load(); k != nil && !k.Add(p.start, recorder.Pack(d, n.depth, n.id)) {
		l.recordSlow(p.start, recorder.Pack(d, n.depth, n.id))
	}
	if l.key.Load() == 0 { // as in Span.exit
		l.wake(id&l.mask | l.hand)
	}
	p.node, p.start = addr(c), t
}

// nextSlow ends the phase, if one is open, and begins the next like a span.
//
//go:noinline
func (p *Lap) nextSlow(z *Zone) {
	l := p.lane
	p.close()
	if l != nil && (l.hand != 0 || l.at.Get() == 0) {
		*p = l.Lap(z)
	} else {
		*p = StartLap(z)
	}
}

// End ends the last phase.
func (p *Lap) End() {
	p.close()
	*p = Lap{}
}

func (p *Lap) close() {
	if p.lane != nil && p.node != 0 {
		Span{p.lane, nodeAt(p.node), p.start}.Exit()
	}
}
