// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// pathOf returns the names of the zones of an event's path.
func pathOf(t *testing.T, tl Timeline, e profile.Event) (names []string) {
	t.Helper()
	for p := e.Path; p >= 0; p = tl.Paths[p].Parent {
		if tl.Paths[p].Parent >= p {
			t.Fatalf("path %d lies inside path %d", p, tl.Paths[p].Parent)
		}
		names = append([]string{tl.Zones[tl.Paths[p].Zone].Name}, names...)
	}
	return names
}

func TestATimelineReaderReturnsEachSpanOnce(t *testing.T) {
	amplyBudgeted(t)
	tick, step := NewZone("tick of reader"), NewZone("step of reader")
	l := newNamedLane("read in steps")
	l.Enter(tick).Exit() // before
	Record(8 << 20)
	defer Record(0)
	var r TimelineReader
	ended, marks := 0, 0
	var last clock.Instant
	read := func() (open [][]string) {
		tl := r.Read()
		for _, e := range tl.Events {
			if e.Kind == profile.FrameEvent && e.Name == "loop of reader" {
				marks++
			}
			if e.Kind != profile.SpanEvent || tl.Lanes[e.Lane].ID != l.id {
				continue
			}
			names := pathOf(t, tl, e)
			if len(names) != e.Depth+1 || names[e.Depth] != tl.Zones[e.Zone].Name {
				t.Errorf("%+v has the path %v", e, names)
			}
			if e.Open {
				open = append(open, names)
				continue
			}
			if end := e.Start + clock.Instant(e.Took); end < last-1 {
				t.Errorf("a span ended %d ns before one that came earlier", last-end)
			} else {
				last = end
			}
			ended++
		}
		return open
	}
	for i := range 50 {
		Frame("loop of reader")
		s := l.Enter(tick)
		for range i * 20 {
			l.Enter(step).Exit()
		}
		if open := read(); len(open) != 1 || !slices.Equal(open[0], []string{"tick of reader"}) {
			t.Fatalf("open in turn %d: %v", i, open)
		}
		if want := i*(i+1)/2*20 + i; ended != want || marks != i+1 {
			t.Fatalf("turn %d: %d spans ended, want %d; %d marks", i, ended, want, marks)
		}
		s.Exit()
	}
	if open := read(); len(open) != 0 || ended != 50*49/2*20+50 {
		t.Errorf("at the end %d spans ended; open: %v", ended, open)
	}
	if tl := r.Read(); slices.ContainsFunc(tl.Lanes, func(x profile.TimelineLane) bool { return x.ID == l.id }) {
		t.Error("a lane without anything new is listed")
	}
	Record(8 << 20) // another recording
	l.Enter(tick).Exit()
	ended = 0
	if read(); ended != 1 {
		t.Errorf("%d spans of a new recording", ended)
	}
	Record(0)
	if tl := r.Read(); len(tl.Events)+len(tl.Lanes) != 0 {
		t.Errorf("while nothing is recorded: %+v", tl)
	}
}

// A reader that comes too late learns once how much it missed.
func TestATimelineReaderCountsWhatItMissed(t *testing.T) {
	amplyBudgeted(t)
	z := NewZone("missed")
	l := newNamedLane("missed")
	Record(64 << 10)
	defer Record(0)
	var r TimelineReader
	got, lost := uint64(0), uint64(0)
	for turn := range uint64(4) {
		for range 20_000 {
			l.Enter(z).Exit()
		}
		tl := r.Read()
		for _, x := range tl.Lanes {
			if x.ID == l.id {
				lost += x.Lost
			}
		}
		for _, e := range tl.Events {
			if e.Kind == profile.SpanEvent && tl.Lanes[e.Lane].ID == l.id {
				got++
			}
		}
		if got+lost != (turn+1)*20_000 || got == 0 || lost == 0 {
			t.Fatalf("%d read and %d lost of %d", got, lost, (turn+1)*20_000)
		}
	}
}

// A span that is open in one reading is open or ended in the next, or, if its Exit was interrupted, ends in a later one.
// A new reader has none of the spans that are kept, and all that follow.
func TestANewTimelineReaderBeginsNow(t *testing.T) {
	amplyBudgeted(t)
	z := NewZone("step before the reader")
	l, other := newNamedLane("read from now on"), newNamedLane("rests meanwhile")
	Record(8 << 20)
	defer Record(0)
	for range 10_000 {
		l.Enter(z).Exit()
		other.Enter(z).Exit()
	}
	r := NewTimelineReader()
	for i := range 2000 {
		l.Enter(z).Exit()
		if i < 3 {
			other.Enter(z).Exit()
		}
	}
	tl := r.Read()
	ended := map[int]int{}
	for _, e := range tl.Events {
		if e.Kind == profile.SpanEvent && !e.Open {
			ended[tl.Lanes[e.Lane].ID]++
		}
	}
	if ended[l.id] != 2000 || ended[other.id] != 3 || tl.Lost != 0 {
		t.Errorf("%v ended in lanes %d and %d, %d lost", ended, l.id, other.id, tl.Lost)
	}
	if tl = r.Read(); tl.Lost != 0 {
		t.Errorf("%d lost later", tl.Lost)
	}
}

func TestOpenSpansDoNotVanishBetweenReadings(t *testing.T) {
	needThreads(t)
	amplyBudgeted(t)
	outer, inner := NewZone("outer of reader"), NewZone("inner of reader")
	l := newNamedLane("while read")
	Record(16 << 20)
	defer Record(0)
	var r TimelineReader
	stop, done := make(chan bool), make(chan uint64)
	go func() {
		n := uint64(0)
		for end := false; !end; n++ {
			s := l.Enter(outer)
			for range n % 7 {
				l.Enter(inner).Exit()
				n++
			}
			for began := clock.Now(); clock.Since(began) < 5*time.Microsecond; { // so that most readings find it open
			}
			s.Exit()
			select {
			case end = <-stop:
			default:
			}
		}
		done <- n
	}()
	type key struct {
		path  int
		start clock.Instant
	}
	open, late := make(map[key]bool), make(map[key]bool)
	ended, lost, readings, missed := uint64(0), uint64(0), 0, 0
	take := func(from map[key]bool, e profile.Event, ago time.Duration) {
		for k := range from { // while the clock is being calibrated, instants shift, earlier ones more
			if k.path == e.Path && max(k.start-e.Start, e.Start-k.start) < 2000+clock.Instant(ago)/1000 {
				delete(from, k)
			}
		}
	}
	read := func() {
		tl := r.Read()
		readings++
		now := make(map[key]bool)
		for _, x := range tl.Lanes {
			if x.ID == l.id {
				lost += x.Lost
			}
		}
		for _, e := range tl.Events {
			if e.Kind != profile.SpanEvent || tl.Lanes[e.Lane].ID != l.id {
				continue
			}
			ago := tl.At.Sub(e.Start)
			take(open, e, ago)
			take(late, e, ago)
			if e.Open {
				now[key{e.Path, e.Start}] = true
			} else {
				ended++
			}
		}
		missed += len(open)
		maps.Copy(late, open)
		open = now
	}
	for end := time.Now().Add(200 * time.Millisecond); time.Now().Before(end); {
		read()
	}
	stop <- true
	n := <-done
	read()
	if ended+lost != n || len(open) != 0 || lost == 0 && len(late) > 0 {
		t.Errorf("%d ended and %d were lost of %d; %d are open, and %d were", ended, lost, n, len(open), len(late))
	}
	t.Logf("%d spans, %d lost, %d readings, %d ends came late", n, lost, readings, missed)
}

func BenchmarkTimelineReader(b *testing.B) {
	amplyBudgeted(b)
	z := NewZone("read")
	l := newNamedLane("read")
	Record(64 << 20)
	defer Record(0)
	for range 3_000_000 {
		l.Enter(z).Exit()
	}
	var r TimelineReader
	r.Read()
	b.ReportAllocs()
	for b.Loop() {
		for range 1000 {
			l.Enter(z).Exit()
		}
		r.Read()
	}
}
