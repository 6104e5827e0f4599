// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"testing"

	"github.com/strobe-go/strobe/profile"
)

// restless makes lanes rest immediately, until the end of the test.
func restless(t *testing.T) {
	before := restAfter
	restAfter = 0
	t.Cleanup(func() { restAfter = before })
}

// spansOn returns how many spans of a timeline ended on a lane.
func spansOn(tl Timeline, l *Lane) (n int) {
	for _, e := range tl.Events {
		if e.Kind == profile.SpanEvent && !e.Open && tl.Lanes[e.Lane].ID == l.id {
			n++
		}
	}
	return n
}

func TestATimelineReaderDoesNotLookAtIdleLanes(t *testing.T) {
	if !alone(t) { // its lanes would stay for all later readings
		return
	}
	amplyBudgeted(t)
	restless(t)
	z := NewZone("idle lanes")
	Record(8 << 20)
	defer Record(0)
	var idle []*Lane
	for range 500 {
		l := newNamedLane("idle")
		l.Enter(z).Exit()
		idle = append(idle, l)
	}
	var r, late TimelineReader
	var tl Timeline
	looked := func() uint64 {
		before := movements.looked
		r.ReadInto(&tl)
		return movements.looked - before
	}
	if n := looked(); n < 500 {
		t.Fatalf("the first reading looks at %d lanes of 500", n)
	}
	for range 3 { // until all lanes are known to be idle
		r.Read()
	}
	if n := looked(); n > 10 { // lanes of other tests may be busy
		t.Errorf("a reading looks at %d lanes, of which none has moved", n)
	}
	n := testing.AllocsPerRun(10, func() { r.ReadInto(&tl) })
	for range 10 { // something else in the process may allocate
		n = min(n, testing.AllocsPerRun(10, func() { r.ReadInto(&tl) }))
	}
	if n > 0 {
		t.Errorf("a reading that finds nothing allocates %v times", n)
	}
	idle[7].Enter(z).Exit()
	if n := looked(); n == 0 || n > 10 || spansOn(tl, idle[7]) != 1 {
		t.Errorf("one lane moved: %d were looked at, with %d spans on it", n, spansOn(tl, idle[7]))
	}
	if all := late.Read(); spansOn(all, idle[7]) != 2 || spansOn(all, idle[8]) != 1 {
		t.Errorf("a reader that comes late finds %d and %d spans", spansOn(all, idle[7]), spansOn(all, idle[8]))
	}
	for range 3 {
		r.Read()
	}
	idle[9].Enter(z).Exit()
	r.Read()
	for range 3 {
		r.Read() // and the lane rests again
	}
	if n := spansOn(late.Read(), idle[9]); n != 1 {
		t.Errorf("a reader that comes after a lane has gone to rest again finds %d of its spans", n)
	}
}

// Readers of either kind put lanes to sleep that readers of the other kind have not read.
func TestALaneThatOneReaderPutsToSleepIsReadByTheOther(t *testing.T) {
	amplyBudgeted(t)
	restless(t)
	z := NewZone("put to sleep")
	l := newNamedLane("put to sleep")
	Record(8 << 20)
	defer Record(0)
	var timeline TimelineReader
	totals := NewReader()
	timeline.Read()
	calls, spans := uint64(0), 0
	for turn := range 12 {
		l.Enter(z).Exit()
		for range turn % 4 {
			timeline.Read() // until the lane sleeps; only the first finds anything
		}
		for range turn / 4 {
			calls += callsOf(totals.Read(), z)
		}
		l.Enter(z).Exit()
		calls += callsOf(totals.Read(), z)
		spans += spansOn(timeline.Read(), l)
		if calls != 2*uint64(turn+1) {
			t.Fatalf("turn %d: %d calls", turn, calls)
		}
	}
	if spans == 0 {
		t.Error("no spans")
	}
}

func callsOf(s Snapshot, z *Zone) uint64 { return s.Totals()[z.id].Calls }

// Open spans are read before ended ones. A span that ends in between is in both lists, and counts as ended.
func TestASpanThatEndsWithinAReadingIsThere(t *testing.T) {
	amplyBudgeted(t)
	outer, inner := NewZone("around"), NewZone("ends within a reading")
	l := newNamedLane("ends within a reading")
	Record(8 << 20)
	defer Record(0)
	var r TimelineReader
	o, s := l.Enter(outer), Span{}
	for range 3 {
		s = l.Enter(inner)
		r.between = func() { s.Exit() }
		open, ended := 0, 0
		tl := r.Read()
		for _, e := range tl.Events {
			switch {
			case e.Kind != profile.SpanEvent || e.Zone != int(inner.id):
			case e.Open:
				open++
			default:
				ended++
			}
		}
		if ended != 1 || open != 0 {
			t.Errorf("a span that ended between the readings of open and of ended spans is there %d times as open, %d times as ended", open, ended)
		}
	}
	o.Exit()
}

func TestASpanThatBeginsWithinAReadingComesOnce(t *testing.T) {
	amplyBudgeted(t)
	z := NewZone("begins within a reading")
	l := newNamedLane("begins within a reading")
	Record(8 << 20)
	defer Record(0)
	r := TimelineReader{between: func() { l.Enter(z).Exit() }}
	for turn := range 3 {
		if n := spansOn(r.Read(), l); n != 1 {
			t.Errorf("reading %d has %d spans", turn, n)
		}
	}
}

// Goroutines that wait inside spans are read once, and again only when something happens on them.
func TestATimelineReaderDoesNotLookAtParkedLanes(t *testing.T) {
	if !alone(t) { // its lanes would stay for all later readings
		return
	}
	amplyBudgeted(t)
	restless(t)
	outer, inner := NewZone("parked outside"), NewZone("parked inside")
	Record(8 << 20)
	defer Record(0)
	const most = 500
	spans := make(map[*Lane][]Span)
	var all []*Lane
	for range most {
		l := newNamedLane("parked")
		spans[l] = []Span{l.Enter(outer), l.Enter(inner)}
		all = append(all, l)
	}
	var r, late TimelineReader
	var tl Timeline
	looked := func() uint64 {
		before := movements.looked
		r.ReadInto(&tl)
		return movements.looked - before
	}
	open := func(tl Timeline, l *Lane) (n int, listed, parked bool) {
		for _, e := range tl.Events {
			if e.Kind == profile.SpanEvent && e.Open && tl.Lanes[e.Lane].ID == l.id {
				n++
			}
		}
		for _, x := range tl.Lanes {
			if x.ID == l.id {
				listed, parked = true, x.Parked
			}
		}
		return n, listed, parked
	}
	for turn := range 10 {
		if n := looked(); n < most && turn == 0 {
			t.Fatalf("the first reading looks at %d lanes of %d", n, most)
		}
		if n, listed, parked := open(tl, all[3]); !listed {
			t.Fatalf("reading %d leaves out a lane that was not parked before", turn)
		} else if n != 2 {
			t.Fatalf("reading %d has %d open spans", turn, n)
		} else if parked {
			break
		}
	}
	if n := looked(); n > 10 { // lanes of other tests may be busy
		t.Errorf("a reading looks at %d lanes, of which none has moved", n)
	}
	if _, listed, _ := open(tl, all[3]); listed {
		t.Error("a lane is listed again while it is parked")
	}
	n := testing.AllocsPerRun(10, func() { r.ReadInto(&tl) })
	for range 10 { // something else in the process may allocate
		n = min(n, testing.AllocsPerRun(10, func() { r.ReadInto(&tl) }))
	}
	if n > 0 {
		t.Errorf("a reading that finds nothing allocates %v times", n)
	}
	if n, _, parked := open(late.Read(), all[3]); n != 2 || !parked {
		t.Errorf("a reader that comes late finds %d open spans; parked: %t", n, parked)
	}
	if n, listed, parked := open(TakeTimeline(), all[3]); n != 2 || !listed || parked {
		t.Errorf("a timeline has %d open spans; parked: %t", n, parked)
	}
	spans[all[3]][1].Exit()
	if n := looked(); n == 0 || n > 10 || spansOn(tl, all[3]) != 1 {
		t.Errorf("one lane moved: %d were looked at, with %d spans on it", n, spansOn(tl, all[3]))
	}
	if n, _, parked := open(tl, all[3]); n != 1 || parked {
		t.Errorf("it has %d open spans; parked: %t", n, parked)
	}
	for range leisure + 4 {
		looked()
	}
	if n := cap(r.lanes) + cap(r.open.spans); n > most/2 {
		t.Errorf("room for %d lanes and spans is kept", n)
	}
	for _, l := range all {
		for n := len(spans[l]); n > 0; n-- {
			spans[l][n-1].Exit()
		}
	}
	looked()
	if ended := spansOn(tl, all[3]) + spansOn(tl, all[4]); ended != 3 {
		t.Errorf("%d spans ended", ended)
	}
}
