// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
)

func TestRingKeepsTheLatestAndCountsTheLost(t *testing.T) {
	r := newRing(64)
	for i := range uint64(1000) {
		r.add(i, pack(i*3, 2, i%7))
		n, first := 0, uint64(0)
		lost := r.read(func(s ringSpan) {
			if n == 0 {
				first = s.start
			}
			if s.d != s.start*3 || s.depth != 2 || s.zone != int(s.start%7) || s.start != first+uint64(n) {
				t.Fatalf("after %d: %+v", i+1, s)
			}
			n++
		})
		if lost+uint64(n) != i+1 || n < 63 && lost > 0 {
			t.Fatalf("after %d spans: %d read, %d lost", i+1, n, lost)
		}
	}
}

func TestRingHoldsDurationsOfAnyLength(t *testing.T) {
	r := newRing(64)
	long := []uint64{0, 1, longFlag - 1, longFlag, longFlag * 3, 1 << 48}
	for _, d := range long {
		r.add(0, pack(d, 1, 1))
	}
	i := 0
	r.read(func(s ringSpan) {
		if d := long[i]; s.d > d || d-s.d > 1024 {
			t.Errorf("%d ticks came back as %d", d, s.d)
		}
		i++
	})
}

// The writer never waits; what the reader gets must be whole all the same. A span here tells by its start what its
// duration must be.
func TestReaderNeverSeesATornSpan(t *testing.T) {
	r := newRing(256)
	var stop atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := uint64(0); !stop.Load(); i++ {
			r.add(i, pack(i*2654435761%longFlag, i%30, i%1000))
		}
	}()
	end := time.Now().Add(300 * time.Millisecond)
	reads, last := 0, uint64(0)
	for time.Now().Before(end) {
		lost := r.read(func(s ringSpan) {
			reads++
			if s.d != s.start*2654435761%longFlag || s.zone != int(s.start%1000) || s.depth != int(s.start%30) {
				t.Fatalf("torn: %+v", s)
			}
		})
		if lost < last {
			t.Fatal("the count of the lost went back")
		}
		last = lost
	}
	stop.Store(true)
	<-done
	if reads == 0 {
		t.Skip("the writer was never overtaken: nothing was read whole on this machine")
	}
	t.Logf("%d spans read whole, %d lost", reads, last)
}

func TestTimelineHasSpansAndMarks(t *testing.T) {
	amplyBudgeted(t)
	outer, inner := NewZone("outer"), NewZone("inner")
	l := NewLane("recorded")
	l.Enter(outer).Exit() // before
	Record(8 << 20)       // other tests have left lanes behind
	defer Record(0)
	late := NewLane("late")
	for range 10 {
		o := l.Enter(outer)
		x := l.Enter(inner)
		spin(100)
		x.Exit()
		o.Exit()
	}
	late.Enter(outer).Exit()
	Frame("loop")
	Plot("heap", 42)
	Message("hello")
	tl := TakeTimeline()
	spans, marks := 0, map[string]Event{}
	var end time.Duration
	for _, e := range tl.Events {
		if e.Zone < 0 {
			marks[e.Mark] = e
			continue
		}
		spans++
		if e.Lane == l.id {
			if at := time.Duration(e.Start) + e.Took; at < end-1 {
				t.Errorf("a span ended %v before the one listed before it", end-at)
			} else {
				end = at
			}
			if want := map[int]int{int(outer.id): 0, int(inner.id): 1}[e.Zone]; e.Depth != want {
				t.Errorf("%s at depth %d", tl.Zones[e.Zone].Name, e.Depth)
			}
		}
		if e.Start > tl.At || e.Took < 0 {
			t.Errorf("%+v at %d", e, tl.At)
		}
	}
	if spans != 21 || tl.Lost != 0 || tl.Lanes[late.id].Name != "late" {
		t.Errorf("%d spans, %d lost, want 21 and 0", spans, tl.Lost)
	}
	if marks["frame"].Name != "loop" || marks["plot"].Value != 42 || marks["message"].Name != "hello" {
		t.Errorf("%+v", marks)
	}
	Record(0)
	l.Enter(outer).Exit()
	if tl := TakeTimeline(); len(tl.Events) != 0 {
		t.Errorf("%d events after the end", len(tl.Events))
	}
}

func TestRecordKeepsToItsBytes(t *testing.T) {
	amplyBudgeted(t)
	NewLane("first")
	used := memory.used.Load()
	const bytes = 100 << 10
	Record(bytes)
	if held := memory.used.Load() - used; held > bytes || held <= 0 {
		t.Errorf("%d bytes of %d are held", held, bytes)
	}
	var rings int
	for range 50 {
		if NewLane("more").ring.Load() != nil {
			rings++
		}
	}
	if tl := TakeTimeline(); rings == 50 || len(tl.Notes) == 0 {
		t.Errorf("%d of 50 lanes got a ring; notes %q", rings, tl.Notes)
	}
	Record(0)
	if held := memory.used.Load() - used; held > 50*int64(laneBytes) {
		t.Errorf("%d bytes are still held", held)
	}
}

// amplyBudgeted sees to it that what other tests hold does not count against this one.
func amplyBudgeted(t *testing.T) {
	SetBudget(memory.used.Load() + DefaultBudget)
	t.Cleanup(func() { SetBudget(0) })
}

func TestRecordLeavesSomethingForLateLanes(t *testing.T) {
	amplyBudgeted(t)
	for range 200 {
		NewLane("early")
	}
	Record(8 << 20)
	defer Record(0)
	late := NewLane("late")
	late.Enter(NewZone("recorded late")).Exit()
	for _, e := range TakeTimeline().Events {
		if e.Lane == late.id {
			return
		}
	}
	t.Error("the span of a lane that came late is not in the timeline")
}

func TestTimelineHasOpenSpans(t *testing.T) {
	amplyBudgeted(t)
	outer, inner := NewZone("outer"), NewZone("inner")
	l := NewLane("open")
	before := l.Enter(outer)
	spin(1000)
	early := clock.NowOrdered()
	Record(8 << 20)
	defer Record(0)
	late := clock.NowOrdered()
	o := l.Enter(outer)
	l.Enter(inner).Exit()
	i := l.Enter(inner)
	spin(1000)
	tl := TakeTimeline()
	i.Exit()
	o.Exit()
	before.Exit()
	var got []Event
	for _, e := range tl.Events {
		if e.Lane == l.id {
			got = append(got, e)
		}
	}
	if len(got) != 4 {
		t.Fatalf("%d events, want one that has ended and three that are open: %+v", len(got), got)
	}
	for n, want := range []Event{{Zone: int(inner.id), Depth: 2}, {Zone: int(inner.id), Depth: 2, Open: true},
		{Zone: int(outer.id), Depth: 1, Open: true}, {Zone: int(outer.id), Depth: 0, Open: true}} {
		e := got[n]
		if e.Zone != want.Zone || e.Depth != want.Depth || e.Open != want.Open {
			t.Errorf("event %d is %+v, want %+v", n, e, want)
		}
		if end := e.Start.Add(e.Took); e.Open && (end.Sub(tl.At) < -2 || end.Sub(tl.At) > 2) {
			t.Errorf("event %d ends %v after the timeline was taken", n, end.Sub(tl.At))
		}
	}
	slack := tl.At.Sub(early)/1000 + time.Microsecond // the rate of the ticks is being refined
	if start := got[3].Start; start < early.Add(-slack) || start > late.Add(slack) {
		t.Errorf("the span begun before Record starts at %d, not within Record, %d to %d", start, early, late)
	}
}

// Whatever a lane is doing, what a timeline has of it is nested: an open span began after every span that ended at its depth
// or further out.
func TestOpenSpansFitThoseThatEnded(t *testing.T) {
	amplyBudgeted(t)
	zones := []*Zone{NewZone("z0"), NewZone("z1"), NewZone("z2"), NewZone("z3")}
	Record(8 << 20)
	defer Record(0)
	l := NewLane("busy")
	var stop atomic.Bool
	done := make(chan struct{})
	var dig func(depth, n int)
	dig = func(depth, n int) {
		s := l.Enter(zones[(depth+n)%len(zones)])
		for k := range n >> depth & 3 {
			spin(100)
			if depth < 6 {
				dig(depth+1, n+k)
			}
		}
		s.Exit()
	}
	go func() {
		defer close(done)
		for n := 0; !stop.Load(); n++ {
			dig(0, n)
		}
	}()
	defer func() {
		stop.Store(true)
		<-done
	}()
	seen := 0
	for end := time.Now().Add(200 * time.Millisecond); time.Now().Before(end); {
		var ended [visible]clock.Instant // the latest at each depth
		last := -1
		for _, e := range TakeTimeline().Events {
			if e.Lane != l.id {
				continue
			}
			if !e.Open {
				ended[e.Depth] = e.Start.Add(e.Took)
				continue
			}
			seen++
			if last >= 0 && e.Depth != last-1 {
				t.Fatalf("an open span at depth %d follows one at %d", e.Depth, last)
			}
			last = e.Depth
			for d := range e.Depth + 1 {
				if e.Start < ended[d]-2 {
					t.Fatalf("a span open at depth %d began %v before one at depth %d ended", e.Depth, ended[d].Sub(e.Start), d)
				}
			}
		}
	}
	t.Logf("%d open spans seen", seen)
}
