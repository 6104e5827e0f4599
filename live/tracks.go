// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"cmp"
	"math"
	"slices"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// tracks turns readings of a timeline into consecutive pieces of spans, so that each instant of a span lies in exactly one
// piece. A span that ended may be reported one reading late, and one that is about to end may be missing from a reading. Each
// reading therefore passes on only what lies before the previous one.
type tracks struct {
	at    clock.Instant // of the previous reading
	done  clock.Instant // up to where pieces were passed on
	begun bool
	lanes map[int]*track // by ID, those with something not passed on yet
	order []*track       // the same, in order of arrival
	late  uint64         // spans reported when some of their time had been passed already
	crowd crowd
	paths []profile.Path // of the timeline
}

// A track is a lane.
type track struct {
	id    int
	ended []ended       // ended spans with a part not passed on yet
	open  []running     // open in the latest reading, innermost first
	gone  []running     // open in the reading before, then neither open nor ended: about to end, or lost
	pass  bool          // seen in this reading
	stays bool          // parked: readings leave it out while the open spans last
	moved clock.Instant // when the latest span that was passed on began or ended
}

type ended struct {
	path     int
	start    clock.Instant
	from, to clock.Instant // the part not passed on yet
}

type running struct {
	path  int
	depth int
	start clock.Instant
	from  clock.Instant // the part not passed on yet
	seen  clock.Instant // when it was open
}

// slack is how far the instants of one moment may differ between two readings, which convert ticks separately.
const slack = clock.Instant(200)

// A piece is a part of a span.
type piece struct {
	lane     int
	path     int // of the timeline
	from, to clock.Instant
	start    clock.Instant // of the span
	ended    bool          // the span ended at to
	times    int           // number of spans on lanes of the crowd; 1 if lane is known
}

// reset forgets all spans, because another recording follows.
func (k *tracks) reset() { *k = tracks{late: k.late} }

// read passes on the pieces up to the instant that it returns. joins reports whether a lane that stays in the same spans may
// join the crowd; these are lanes that no viewer has selected.
func (k *tracks) read(t profile.Timeline, pass func(piece), joins func(*track) bool) (upTo clock.Instant) {
	if k.lanes == nil {
		k.lanes = make(map[int]*track)
	}
	k.paths = t.Paths
	upTo = clock.Instant(math.MinInt64)
	if k.begun {
		upTo = k.at
	} else {
		k.done = upTo
	}
	for i := 0; i < len(t.Events); {
		j := i + 1
		for j < len(t.Events) && t.Events[j].Lane == t.Events[i].Lane && t.Events[j].Kind == t.Events[i].Kind {
			j++
		}
		if e := &t.Events[i]; e.Kind == profile.SpanEvent && e.Lane >= 0 && e.Lane < len(t.Lanes) {
			id := t.Lanes[e.Lane].ID
			lane := k.lanes[id]
			if lane == nil {
				lane = k.add(&track{id: id, open: k.crowd.leave(id, k.paths, k.done)})
			}
			lane.pass, lane.stays = true, t.Lanes[e.Lane].Parked
			k.late += lane.take(t.Events[i:j], t.At, k.done)
		}
		i = j
	}
	k.crowd.advance(k.done, upTo, pass)
	left := k.order[:0]
	for _, lane := range k.order {
		rest := lane.stays && !lane.pass
		switch {
		case rest:
			lane.gone = nil
		case !lane.pass:
			lane.take(nil, t.At, k.done)
		}
		lane.pass = false
		lane.advance(upTo, func(p piece) {
			p.lane, p.times = lane.id, 1
			pass(p)
		})
		if len(lane.ended)+len(lane.open)+len(lane.gone) == 0 || rest && len(lane.ended) == 0 && joins(lane) && k.crowd.join(lane, k.paths) {
			delete(k.lanes, lane.id)
		} else {
			left = append(left, lane)
		}
	}
	clear(k.order[len(left):])
	k.order = left
	k.done, k.at, k.begun = upTo, max(t.At, upTo), true
	return upTo
}

func (k *tracks) add(l *track) *track {
	k.lanes[l.id], k.order = l, append(k.order, l)
	return l
}

// single takes a lane out of the crowd.
func (k *tracks) single(id int) {
	if open := k.crowd.leave(id, k.paths, k.done); len(open) > 0 {
		k.add(&track{id: id, open: open, stays: true})
	}
}

// take adds the events of a reading and returns the number of spans that come too late, which all began before done.
func (l *track) take(events []profile.Event, at, done clock.Instant) (late uint64) {
	before, gone := l.open, l.gone
	l.open = nil
	for i := range events {
		e := &events[i]
		from, to := e.Start, e.Start+max(0, clock.Instant(e.Took))
		known, found := match(&before, e)
		if !found {
			known, found = match(&gone, e)
		}
		switch {
		case found:
			from = known.from
		case from < done:
			late++
		}
		if e.Open {
			l.open = append(l.open, running{e.Path, e.Depth, e.Start, from, at})
		} else {
			l.ended = append(l.ended, ended{e.Path, e.Start, from, max(from, to)})
		}
	}
	l.gone = before
	return late
}

// match removes a span from the open ones if it is one of them: it has the same depth, began at the same time and did not end
// before it was seen open. The longer ago a span began, the less exactly its start is known.
func match(open *[]running, e *profile.Event) (running, bool) {
	for i, r := range *open {
		began := max(e.Start-r.start, r.start-e.Start) <= slack+(r.seen-r.start)/4096
		if r.depth == e.Depth && r.path == e.Path && began && e.Start+clock.Instant(max(e.Took, 0))+slack >= r.seen {
			*open = slices.Delete(*open, i, i+1)
			return r, true
		}
	}
	return running{}, false
}

// advance passes on what lies before upTo.
func (l *track) advance(upTo clock.Instant, pass func(piece)) {
	kept := l.ended[:0]
	for _, s := range l.ended {
		if s.to <= upTo {
			pass(piece{path: s.path, from: s.from, to: s.to, start: s.start, ended: true})
			l.moved = max(l.moved, s.to)
			continue
		}
		if s.from < upTo {
			pass(piece{path: s.path, from: s.from, to: upTo, start: s.start})
			l.moved = max(l.moved, s.start)
			s.from = upTo
		}
		kept = append(kept, s)
	}
	l.ended = kept
	for _, open := range [][]running{l.open, l.gone} { // the gone spans were open at upTo, when they were seen
		for i := range open {
			if r := &open[i]; r.from < upTo {
				pass(piece{path: r.path, from: r.from, to: upTo, start: r.start})
				l.moved = max(l.moved, r.start)
				r.from = upTo
			}
		}
	}
}

// openAt appends the spans of a lane that were open at an instant up to which pieces were passed on, the outermost first. Of
// those that have ended since, the end is known.
func (l *track) openAt(at clock.Instant, spans []span) []span {
	first := len(spans)
	add := func(path int, start, end clock.Instant) {
		if start < at {
			spans = append(spans, span{int32(l.id), int32(path), start, end})
		}
	}
	for _, s := range l.ended {
		add(s.path, s.start, s.to)
	}
	for _, open := range [][]running{l.open, l.gone} {
		for _, r := range open {
			add(r.path, r.start, never)
		}
	}
	slices.SortFunc(spans[first:], func(a, b span) int { return cmp.Compare(a.start, b.start) })
	return spans
}
