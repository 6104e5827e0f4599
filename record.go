// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// Record keeps a timeline from now on, in at most so many bytes: each lane a ring of its latest spans. 0 ends it and
// frees the rings. The bytes also count against the budget of SetBudget. Lanes that come too late to have a ring
// are named in Timeline.Notes. Safe for concurrent use.
func Record(bytes int64) {
	lanes.Lock()
	defer lanes.Unlock()
	timeline.stop(lanes.all)
	if bytes <= 0 {
		return
	}
	timeline.left, timeline.without, timeline.since = uint64(bytes), 0, clock.TicksOrdered()
	timeline.on.Store(true)
	for _, l := range lanes.all {
		timeline.give(l, len(lanes.all))
	}
}

var timeline recorder

// A recorder hands out rings. The lock of lanes guards what is not of its own lock.
type recorder struct {
	on      atomic.Bool
	left    uint64 // bytes not yet handed out
	without int    // lanes that got no ring
	since   uint64 // ticks when Record was called

	mu    sync.Mutex
	marks []mark // a ring
	set   uint64 // marks ever set
}

const maxMarks = 1 << 14

type mark struct {
	lane  int
	at    clock.Instant
	kind  string
	name  string
	value float64
}

func (r *recorder) stop(all []*Lane) {
	r.on.Store(false)
	for _, l := range all {
		if old := l.ring.Swap(nil); old != nil {
			memory.give(ringSize(uint64(len(old.data) / 2)))
		}
	}
	r.mu.Lock()
	r.marks, r.set = nil, 0
	r.mu.Unlock()
}

// give hands l a ring: a full one while they last for the lanes known so far and one more, else a smaller one. So
// something is left for lanes that come late.
func (r *recorder) give(l *Lane, of int) {
	if l.shared {
		return
	}
	spans := min(ringSpans, fit(r.left/uint64(max(of-l.id, 1)+1)))
	if spans < ringLeast || ringSize(spans) > r.left || !memory.take(ringSize(spans), detail) {
		r.without++
		return
	}
	r.left -= ringSize(spans)
	l.ring.Store(newRing(spans))
}

// note sets a mark on the calling goroutine's lane.
func (r *recorder) note(kind, name string, value float64) {
	if !r.on.Load() {
		return
	}
	m := mark{lane: -1, at: clock.Now(), kind: kind, name: name, value: value}
	if hasG {
		if l := find(getg()); l != nil {
			m.lane = l.id
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.marks) < maxMarks {
		r.marks = append(r.marks, m)
	} else {
		r.marks[r.set%maxMarks] = m
	}
	r.set++
}

// TakeTimeline returns the spans and marks that are still held. Nobody is stopped for it. It is empty while nothing is
// recorded. Safe for concurrent use.
func TakeTimeline() Timeline {
	lanes.Lock()
	all, without, since := lanes.all, timeline.without, timeline.since
	lanes.Unlock()
	t := Timeline{}
	rate, ticks := nsPerTick(), clock.TicksOrdered()
	t.At = clock.NowOrdered()
	for i, l := range all {
		t.Lanes = append(t.Lanes, describe(l))
		ring := l.ring.Load()
		if ring == nil {
			continue
		}
		event := func(s ringSpan) Event {
			return Event{Lane: i, Zone: s.zone, Depth: s.depth - 1, Took: time.Duration(float64(s.d) * rate),
				Start: t.At - clock.Instant(float64(ticks-s.start)*rate)}
		}
		t.Lost += ring.read(func(s ringSpan) { t.Events = append(t.Events, event(s)) })
		for _, s := range l.unfinished(since, ticks) { // after the ring: what ends in between is missing, not there twice
			e := event(s)
			e.Open = true
			t.Events = append(t.Events, e)
		}
	}
	timeline.read(&t)
	registry.Lock() // after the rings: they name no zone that is not in it
	for _, z := range registry.zones {
		t.Zones = append(t.Zones, z.info())
	}
	registry.Unlock()
	if without > 0 {
		t.Notes = append(t.Notes, "some lanes have no ring: the bytes given to Record, or the budget, are used up")
	}
	return t
}

// unfinished returns the spans that are open at tick now, innermost first, none of them from before since. Frames are read
// twice while the lane goes on: those that have not changed lie around those that have.
func (l *Lane) unfinished(since, now uint64) []ringSpan {
	first := l.readFrames(nil, now)
	second := l.readFrames(nil, now)
	n := 0
	for n < len(first) && n < len(second) && first[n] == second[n] {
		n++
	}
	open := first[:n]
	for i := range open {
		s := &open[i]
		if int64(s.start-since) < 0 {
			s.start = since
		}
		s.d = now - s.start
	}
	slices.Reverse(open)
	return open
}

// readFrames appends the open spans that have begun by tick now, outermost first.
func (l *Lane) readFrames(to []ringSpan, now uint64) []ringSpan {
	for i := uint64(1); i < min(l.depth.read(), visible); i++ {
		f := &l.frames[i]
		s := ringSpan{start: f.start.read(), depth: int(i), zone: int(f.zone.read())}
		if s.start == 0 || int64(now-s.start) < 0 {
			break // it is just being begun, or has been since
		}
		to = append(to, s)
	}
	return to
}

func (r *recorder) read(t *Timeline) {
	r.mu.Lock()
	defer r.mu.Unlock()
	first := r.set - uint64(len(r.marks))
	t.Lost += first
	for n := first; n < r.set; n++ {
		m := r.marks[n%maxMarks]
		t.Events = append(t.Events, Event{Lane: m.lane, Zone: -1, Start: m.at, Mark: m.kind, Name: m.name, Value: m.value})
	}
}
