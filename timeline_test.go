// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/race"
	"github.com/strobe-go/strobe/profile"
)

func TestRecordingIsWhatRecordAllows(t *testing.T) {
	amplyBudgeted(t)
	for _, c := range [][2]int64{{1 << 20, 1 << 20}, {8 << 20, 8 << 20}, {0, 0}, {1 << 20, 1 << 20}, {-1, 0}} {
		if Record(c[0]); Recording() != c[1] {
			t.Errorf("after Record(%d): %d", c[0], Recording())
		}
	}
}

func TestZonesAreInTheOrderOfTheSnapshot(t *testing.T) {
	z := NewZone("one of all")
	all, infos := Zones(), TakeSnapshot().Zones
	if len(all) != len(infos) || all[z.id] != z || infos[z.id].Name != "one of all" {
		t.Errorf("%d zones, %d in a snapshot", len(all), len(infos))
	}
	all[z.id] = nil
	if Zones()[z.id] != z {
		t.Error("the caller's list is the profiler's")
	}
}

func TestTimelineHasSpansAndMarks(t *testing.T) {
	amplyBudgeted(t)
	outer, inner := NewZone("outer"), NewZone("inner")
	l := newNamedLane("recorded")
	l.Enter(outer).Exit() // before
	Record(8 << 20)
	defer Record(0)
	late := newNamedLane("late")
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
	spans, marks := 0, map[profile.Kind]profile.Event{}
	var end time.Duration
	for _, e := range tl.Events {
		if e.Kind != profile.SpanEvent {
			marks[e.Kind] = e
			continue
		}
		if e.Lane == l.id || e.Lane == late.id { // lanes of other tests may have open spans
			spans++
		}
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
	if marks[profile.FrameEvent].Name != "loop" || marks[profile.PlotEvent].Value != 42 || marks[profile.MessageEvent].Name != "hello" {
		t.Errorf("%+v", marks)
	}
	Record(0)
	l.Enter(outer).Exit()
	if tl := TakeTimeline(); len(tl.Events) != 0 {
		t.Errorf("%d events after the end", len(tl.Events))
	}
}

// One busy lane may use nearly all of the requested memory, and every span is kept or counted as lost.
func TestOneLaneUsesWhatTheOthersLeave(t *testing.T) {
	race.Sequential(t)
	amplyBudgeted(t)
	for range 100 {
		NewLane("idle")
	}
	z := NewZone("busy")
	l := newNamedLane("busy")
	const bytes = 4 << 20
	Record(bytes)
	defer Record(0)
	n := uint64(0)
	for range 3 * bytes / 16 {
		l.Enter(z).Exit()
		n++
	}
	tl := TakeTimeline()
	kept := uint64(0)
	for _, e := range tl.Events {
		if e.Lane == l.id {
			kept++
		}
	}
	if kept < bytes/16*3/4 {
		t.Errorf("%d spans are kept of %d that fit", kept, bytes/16)
	}
	if kept+tl.Lanes[l.id].Lost != n || tl.Lost != tl.Lanes[l.id].Lost || len(tl.Notes) == 0 {
		t.Errorf("%d kept and %d lost of %d; notes %q", kept, tl.Lanes[l.id].Lost, n, tl.Notes)
	}
	held := memory.Used()
	Record(0)
	if held -= memory.Used(); held > bytes {
		t.Errorf("%d bytes are held of %d", held, bytes)
	}
}

func TestARecordingWithoutRoomCountsWhatItLoses(t *testing.T) {
	if !alone(t) {
		return // memory that other tests have left counts too
	}
	amplyBudgeted(t)
	z := NewZone("z")
	l := newNamedLane("lossy")
	for _, d := range []uint64{1, 1 << 40} { // its histogram has all its cells
		l.count(z, d)
		l.count(z, d)
	}
	used := memory.Used()
	Record(1000)
	defer Record(0)
	for range 1000 {
		l.Enter(z).Exit()
	}
	for range 100_000 {
		Message("a message of some length, which takes memory too")
	}
	tl := TakeTimeline()
	if tl.Lanes[l.id].Lost != 1000 || tl.Lost < 1000+99_000 {
		t.Errorf("%d lost of 1000, %d in all", tl.Lanes[l.id].Lost, tl.Lost)
	}
	if held := memory.Used() - used; held > 1000 {
		t.Errorf("%d bytes are held of 1000", held)
	}
	Record(2000) // counts from zero
	l.Enter(z).Exit()
	if tl := TakeTimeline(); tl.Lanes[l.id].Lost != 1 {
		t.Errorf("%d lost of 1", tl.Lanes[l.id].Lost)
	}
}

func TestTimelineHasOpenSpans(t *testing.T) {
	amplyBudgeted(t)
	outer, inner := NewZone("outer"), NewZone("inner")
	l := newNamedLane("open")
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
	var got []profile.Event
	for _, e := range tl.Events {
		if e.Lane == l.id {
			got = append(got, e)
		}
	}
	if len(got) != 4 {
		t.Fatalf("%d events, want one that has ended and three that are open: %+v", len(got), got)
	}
	for n, want := range []profile.Event{{Zone: int(inner.id), Depth: 2}, {Zone: int(inner.id), Depth: 2, Open: true},
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

// Whatever a lane is doing, a timeline of it is consistent: no event lies in the future or before the recording, and an open span
// began after every span that ended at its depth or further out.
func TestTimelinesOfARunningProgramAreSane(t *testing.T) {
	needThreads(t)
	amplyBudgeted(t)
	zones := []*Zone{NewZone("z0"), NewZone("z1"), NewZone("z2"), NewZone("z3")}
	begin := clock.NowOrdered()
	Record(8 << 20)
	defer Record(0)
	l := newNamedLane("busy")
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
		var ended [32]clock.Instant // the latest at each depth
		last := -1
		tl := TakeTimeline()
		slack := tl.At.Sub(begin)/1000 + time.Microsecond
		for _, e := range tl.Events {
			if e.Lane != l.id {
				continue
			}
			if e.Took < 0 || e.Start < begin.Add(-slack) || e.Start.Add(e.Took) > tl.At.Add(slack) {
				t.Fatalf("%+v in a recording from %d to %d", e, begin, tl.At)
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

func TestFoldedSpansAreInTheTimeline(t *testing.T) {
	amplyBudgeted(t)
	z := NewZone("deep")
	l := newNamedLane("deep")
	Record(4 << 20)
	defer Record(0)
	var spans []Span
	for range maxDepth + 50 {
		spans = append(spans, l.Enter(z))
	}
	for i := range spans {
		spans[len(spans)-1-i].Exit()
	}
	n := 0
	for _, e := range TakeTimeline().Events {
		if e.Lane == l.id {
			n++
			if e.Zone != int(z.id) || e.Depth > maxDepth || e.Took < 0 {
				t.Errorf("%+v", e)
			}
		}
	}
	if n != maxDepth+50 {
		t.Errorf("%d spans, want %d", n, maxDepth+50)
	}
}

func TestFoldedSpansHaveTheirDepth(t *testing.T) {
	amplyBudgeted(t)
	l := newNamedLane("wide")
	for range maxNodes {
		l.Enter(NewZone("wide")).Exit()
	}
	Record(4 << 20)
	defer Record(0)
	first := zones.all[len(zones.all)-1]
	want := map[int]int{int(first.id): 0}
	spans := []Span{l.Enter(first)}
	for depth := range 3 {
		z := NewZone("folded")
		want[int(z.id)] = depth + 1
		spans = append(spans, l.Enter(z))
	}
	for i := range spans {
		spans[len(spans)-1-i].Exit()
	}
	n := 0
	for _, e := range TakeTimeline().Events {
		if e.Lane == l.id {
			n++
			if depth, ok := want[e.Zone]; !ok || e.Depth != depth {
				t.Errorf("%+v, want depth %d", e, depth)
			}
		}
	}
	if n != len(want) {
		t.Errorf("%d spans", n)
	}
}

func TestAKeptRecordingEndsWithItsLastKeeper(t *testing.T) {
	Record(0)
	defer Record(0)
	const size, other = 1 << 20, 2 << 20
	expect := func(when string, want int64) {
		t.Helper()
		if n := Recording(); n != want {
			t.Errorf("%s: %d bytes, want %d", when, n, want)
		}
	}
	first := KeepRecording(size)
	expect("with a keeper", size)
	second := KeepRecording(other)
	expect("with a second, which takes what there is", size)
	first()
	first()
	expect("when the first has released it twice", size)
	second()
	expect("when both have released it", 0)

	release := KeepRecording(size)
	Record(size)
	release()
	expect("when the program began one of the same size", size)
	release = KeepRecording(other)
	release()
	expect("when the program had begun it before", size)
	release = KeepRecording(other)
	Record(0)
	expect("when the program ended it", 0)
	again := KeepRecording(other)
	release()
	expect("when one was begun since", other)
	again()
	expect("then", 0)
	KeepRecording(-1)()
	expect("with less than nothing", 0)
}

func TestARecordingThatIsTooSmallLosesEverySpanAndTheNextOneNone(t *testing.T) {
	amplyBudgeted(t)
	defer Record(0)
	z, l := NewZone(t.Name()), newNamedLane(t.Name())
	for _, bytes := range []int64{8_000, 9_000} {
		want := 0
		if bytes == 9_000 {
			want = 5 // the lane gets the only chunk at once, although it has lost spans
		}
		Record(bytes)
		for range 5 {
			l.Enter(z).Exit()
		}
		line := TakeTimeline()
		spans := slices.DeleteFunc(line.Events, func(e profile.Event) bool { return e.Kind != profile.SpanEvent || e.Zone != int(z.id) })
		if len(spans) != want || line.Lost != uint64(5-want) || (len(line.Notes) > 0) != (line.Lost > 0) {
			t.Errorf("%d bytes: %d spans, %d lost, notes %q", bytes, len(spans), line.Lost, line.Notes)
		}
	}
}
