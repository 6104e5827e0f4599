// SPDX-License-Identifier: BSD-3-Clause

package strobetracy

import (
	"slices"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// A thread is what Tracy knows about a lane: the zones that have begun.
type thread struct {
	open []zone
	rest bool            // its open zones last, and readings leave it out
	held []profile.Event // spans inside one that is neither ended nor open: its Exit was interrupted, and it comes next
	last clock.Instant   // latest time sent: a thread's times must not decrease
}

type zone struct {
	path  int
	depth int
	start clock.Instant
	seen  int // the latest reading in which it was open
}

// is reports whether a span belongs to the zone. The counter's rate may have been recalibrated between readings.
func (z *zone) is(s *profile.Event, at clock.Instant) bool {
	apart := max(z.start-s.Start, s.Start-z.start)
	return z.depth == s.Depth && z.path == s.Path && apart <= 1000+(at-s.Start)/10_000
}

// threads turns readings, in which spans are in the order of their ends, into zones that begin and end in the order of time.
type threads struct {
	all      map[int]*thread // by the lane's ID
	open     map[int]*thread // of these, the ones with open zones
	readings int
	at       clock.Instant    // of the latest reading
	marks    []mark           // of one lane, latest first
	around   []*profile.Event // the next span
}

// A mark is the beginning or the end of a zone.
type mark struct {
	*profile.Event
	begins bool
}

func newThreads() threads { return threads{all: make(map[int]*thread), open: make(map[int]*thread)} }

// add sends the spans of a reading.
func (t *threads) add(e *encoder, reading *profile.Timeline) {
	t.readings++
	t.at = reading.At
	rest := reading.Events
	for i, l := range reading.Lanes {
		n := 0
		for n < len(rest) && rest[n].Kind == profile.SpanEvent && rest[n].Lane == i {
			n++
		}
		if n > 0 {
			t.lane(e, l.ID, rest[:n])
			t.all[l.ID].rest = l.Parked
		}
		rest = rest[n:]
	}
	for id, th := range t.open {
		if th.rest {
			for i := range th.open {
				th.open[i].seen = t.readings
			}
			continue
		}
		n := 0
		for n < len(th.open) && th.open[n].seen+grace >= t.readings {
			n++
		}
		if n < len(th.open) {
			e.on(number(id))
			th.close(e, n, reading.At)
		}
		if n == 0 {
			delete(t.open, id)
		}
	}
}

// grace is the number of readings for which a zone stays open if its span is neither open nor ended. The end comes late if
// its Exit was interrupted; after the grace period it counts as lost.
const grace = 100

// lane sends the spans of one lane: the ended ones in the order of their ends, then the open ones, innermost first.
func (t *threads) lane(e *encoder, id int, spans []profile.Event) {
	th := t.all[id]
	if th == nil {
		th = new(thread)
		t.all[id] = th
	}
	spans = th.hold(spans)
	t.marks, t.around = t.marks[:0], t.around[:0]
	for i := len(spans) - 1; i >= 0; i-- { // from the outermost that ended last: in reverse order, ends come before beginnings
		s := &spans[i]
		t.leave(s.Depth)
		if !s.Open {
			t.marks = append(t.marks, mark{s, false})
		}
		t.around = append(t.around, s)
	}
	t.leave(0)
	e.on(number(id))
	for _, m := range slices.Backward(t.marks) {
		if m.begins {
			th.begin(e, m.Event, t)
		} else {
			th.end(e, m.Event, t)
		}
	}
	if len(th.open) > 0 {
		t.open[id] = th
	}
}

// mostHeld bounds the held spans of a lane.
const mostHeld = 10_000

// hold returns the held spans and those of a reading, except the ones to hold now. Spans are held until another one of the
// lane ends: that is the enclosing one, unless it was lost.
func (th *thread) hold(spans []profile.Event) []profile.Event {
	open := 0
	for open < len(spans) && spans[len(spans)-1-open].Open {
		open++
	}
	if open == len(spans) {
		return spans
	}
	if len(th.held) > 0 {
		spans = slices.Concat(th.held, spans)
	}
	ended := len(spans) - open
	whole := ended
	for whole > 0 && spans[whole-1].Depth > open {
		whole--
	}
	if ended-whole > mostHeld {
		whole = ended
	}
	if th.held = slices.Clone(spans[whole:ended]); whole < ended {
		spans = slices.Concat(spans[:whole], spans[ended:])
	}
	return spans
}

// leave notes the beginnings of the spans from depth on.
func (t *threads) leave(depth int) {
	for n := len(t.around); n > 0 && t.around[n-1].Depth >= depth; n-- {
		t.marks = append(t.marks, mark{t.around[n-1], true})
		t.around = t.around[:n-1]
	}
}

// begin begins a zone, unless it has begun in an earlier reading.
func (th *thread) begin(e *encoder, s *profile.Event, t *threads) {
	n := len(th.open)
	for n > 0 && th.open[n-1].depth >= s.Depth {
		n--
	}
	if n < len(th.open) && th.open[n].is(s, t.at) {
		th.open[n].seen = t.readings
		return
	}
	if n < len(th.open) && s.Start < th.open[n].start {
		return // too late: others have taken its place
	}
	th.close(e, n, s.Start) // zones whose ends were lost or come late
	th.last = max(th.last, s.Start)
	e.begin(th.last, location(s.Zone))
	th.open = append(th.open, zone{s.Path, s.Depth, s.Start, t.readings})
}

// end ends a zone, and inner ones whose end was lost.
func (th *thread) end(e *encoder, s *profile.Event, t *threads) {
	for i := len(th.open) - 1; i >= 0; i-- {
		if th.open[i].is(s, t.at) {
			th.close(e, i, s.Start+clock.Instant(s.Took))
			return
		}
	}
}

// close ends all zones except the n outermost.
func (th *thread) close(e *encoder, n int, at clock.Instant) {
	for len(th.open) > n {
		th.last = max(th.last, at)
		e.end(th.last)
		th.open = th.open[:len(th.open)-1]
	}
}
