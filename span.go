// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"sync/atomic"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/recorder"
	"github.com/strobe-go/strobe/internal/stamp"
)

// A Span is one execution of a Zone: three words on the stack. End it once, with Exit, on the goroutine that began it.
// Ending the zero Span does nothing.
type Span struct {
	lane  *Lane
	node  *node
	start uint64
}

// enterSlow begins the spans that enter cannot: the first of a path, those of sampled zones, those on lanes that are asleep
// or shared, and all spans while spans are regions of the Go execution trace.
//
//go:noinline
//lint:ignore U1000 the assembly jumps here
func enterSlow(z *Zone) (*Lane, *node, uint64) {
	if z == nil {
		panic("strobe: Enter of a nil *Zone")
	}
	mode := z.mode.Load()
	if mode != full && mode != sampled {
		return nil, nil, 0
	}
	since := uint64(0)
	if mode == sampled {
		since = ticks()
	}
	if atomic.LoadUint64(&fast) == 0 && !tracing() && clock.Counting() {
		refresh()
	}
	l := laneOf()
	at, n, t := l.enter(z, mode, since)
	l.release()
	return at, n, t
}

// Enter begins a span of z on the lane. See Zone.Enter.
func (l *Lane) Enter(z *Zone) Span {
	if z.mode.Load() == full && l.key.Load() != 0 && !tracing() {
		if n := nodeAt(l.at.Get()).child(z); n.zone == z {
			t := ticks()
			n.begin(t)
			l.at.Set(addr(n))
			return Span{l, n, t}
		}
	}
	if s := l.recent[z.id%uint32(len(l.recent))]; s != nil && s.zone == z && z.mode.Load() == sampled && s.left.Load().skip() {
		return Span{}
	}
	return l.enterSlow(z)
}

//go:noinline
func (l *Lane) enterSlow(z *Zone) Span {
	mode := z.mode.Load()
	if mode != full && mode != sampled || l.at.Get() == 0 {
		return Span{}
	}
	since := uint64(0)
	if mode == sampled {
		since = ticks()
	}
	if l.key.Load() == 0 && !l.shared {
		l.wake(l.hand)
	}
	at, n, t := l.enter(z, mode, since)
	l.release()
	return Span{at, n, t}
}

// enter begins a span of z, and makes the lane's data for it if they do not exist. If z is sampled, the call began at tick since.
func (l *Lane) enter(z *Zone, mode uint32, since uint64) (*Lane, *node, uint64) {
	if l.shared {
		return l, &z.pooled().node, ticks()
	}
	if mode == full {
		return l.begin(z)
	}
	s := l.sampled(z)
	if l.dissecting() {
		return l.enterDissecting(s, since)
	}
	if s.skip(l) {
		if l.key.Load() == 0 { // as in exit
			l.wake(l.hand | l.number.Get()&l.mask)
		}
		return nil, nil, 0
	}
	return l.time(s, weighted)
}

// Exit ends the span.
//
// Misuse is harmless and counted, see Snapshot.EndedTwice, EndedElsewhere and EndedEarly. Ending a span again, or on
// another goroutine, has no effect. Ending a span before the spans inside it ends those too, as happens when a panic skips
// them. Spans of the same path are distinguished by their start times: if a tick of the counter is longer than a span, as on
// many arm64 machines, a second Exit may end the next span of the same path. A lane that goroutines share does not notice
// misuse: each Exit there counts as a call, on whichever goroutine, and a span without Exit does not count.
func (s Span) Exit() {
	if s.lane != nil {
		s.exit()
	}
}

func (s Span) exit() {
	l, n := s.lane, s.node
	id, t := stamp.Now()
	if l.at.Get() != addr(n) || n.start.Get() != s.start || id&l.mask|l.hand != l.key.Load() || tracing() {
		s.exitSlow(id, t)
		return
	}
	d := t - s.start
	if a := n.acc.Load(); a != nil && !crowded.Load() {
		last := a.last.Get() // accumulator.add, inlined by hand: a call would cost a quarter of a span
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
	n.end(t) // only here, so that the cell's index is not computed in the register of t: BSR waits for the old value of its result
	n.start.Set(0)
	l.at.Set(addr(n.parent))
	if c := l.chunk.Load(); c != nil && !c.Add(s.start, recorder.Pack(d, n.depth, n.id)) { // last, so that a timeline never has it both as open and as ended
		l.recordSlow(s.start, recorder.Pack(d, n.depth, n.id))
	}
	if l.key.Load() == 0 {
		l.wake(id&l.mask | l.hand) // a reader put the lane to sleep while this span ended, and may not have seen it end
	}
}

// misuse counts callers' mistakes.
var misuse struct {
	twice, elsewhere, early, abandoned atomic.Uint64
}

// exitSlow ends the spans that Exit cannot, and counts misuse.
//
//go:noinline
func (s Span) exitSlow(id, t uint64) {
	l, n, start := s.lane, s.node, s.start&^slowly
	if l.shared {
		d := t - start
		p := n.zone.pooled()
		p.count(start>>4, 1, d)
		p.distribute(start>>4, d)
		return
	}
	if id&l.mask|l.hand != l.key.Load() {
		if l.key.Load() != 0 || l.hand == 0 && id != l.number.Get() {
			misuse.elsewhere.Add(1)
			return
		}
		l.wake(id&l.mask | l.hand)
	}
	s.finish(t)
	l.release()
	if l.key.Load() == 0 { // as in exit
		l.wake(id&l.mask | l.hand)
	}
}

// finish ends a span on its lane, and those inside it.
func (s Span) finish(t uint64) {
	l, n, start := s.lane, s.node, s.start&^slowly
	if tracing() {
		atomic.StoreUint64(&fast, 0) // from now on Enter begins regions
	}
	if i := l.foldedAt(n, start); i >= 0 {
		for len(l.folding.spans) > i+1 {
			l.unfold(t)
			misuse.early.Add(1)
		}
		l.unfold(t)
		return
	}
	if n.start.Get() != start || start == 0 {
		misuse.twice.Add(1)
		return
	}
	misuse.early.Add(uint64(l.unfoldAll(t)))
	for at := nodeAt(l.at.Get()); at != n; at = at.parent { // inner spans that were not ended, or whose Exit was skipped by a panic
		l.end(at, t)
		misuse.early.Add(1)
	}
	l.end(n, t)
}

// end ends the span of the innermost open node at tick t.
func (l *Lane) end(n *node, t uint64) {
	start := n.start.Get()
	if n.flags&beside == 0 {
		n.end(t)
	} else {
		n.endBeside(t)
	}
	d := t - start
	took := d
	if n.flags&(weighted|beside) != 0 {
		c := l.timing.pop()
		own := d - (n.inside() - c.inside) + l.movedSelf(n) - c.moved
		took = l.close(c, own, d, standInOn(n, n.parent, n.parent.flags&(weighted|beside) != 0), n.flags&(weighted|beside), n.again)
	}
	if n.flags&beside == 0 { // those were not chosen at random
		l.distribute(n, took)
	}
	if n.flags&inTrace != 0 {
		l.endRegion(n)
	}
	n.flags &^= ofSpan
	n.start.Set(0)
	l.at.Set(addr(n.parent))
	l.record(start, d, int(n.depth), n)
	if l.dissecting() {
		l.leave(t)
	}
}

// endRegion ends the region of the innermost open node, and inner ones left over from an earlier tracer.
func (l *Lane) endRegion(n *node) {
	for i := len(l.regions) - 1; i >= 0; i-- {
		r := l.regions[i]
		l.regions = l.regions[:i]
		r.region.End()
		if r.node == n {
			return
		}
	}
}

// add counts a call of z that took d and is not inside another span.
func (l *Lane) add(z *Zone, d time.Duration) {
	t := uint64(float64(max(d, 0)) / nsPerTick())
	if !l.shared {
		if l.key.Load() == 0 {
			l.wake(l.hand | l.number.Get()&l.mask)
		}
		if n := l.tree.grow(l.tree.root(), z, l.pooled); n != nil {
			n.calls.Set(n.calls.Get() + 1)
			n.total.Set(n.total.Get() + t)
			l.distribute(n, t)
			if l.key.Load() == 0 { // as in exit
				l.wake(l.hand | l.number.Get()&l.mask)
			}
			l.release()
			return
		}
		l.release()
		sharedLane() // where it is shown
	}
	p := z.pooled()
	p.count(uint64(l.id), 1, t)
	p.distribute(uint64(l.id), t)
}

// release comes after everything else that is written of a lane. The goroutine that gets the record next reads l.at before
// anything else, so the race detector knows that it comes later.
func (l *Lane) release() {
	if !l.shared {
		l.at.Set(l.at.Get())
	}
}

// nsPerTick returns the duration of a tick, by the latest calibration of the clock.
func nsPerTick() float64 { return float64(clock.ToDuration(1<<40)) / (1 << 40) }
