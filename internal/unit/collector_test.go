// SPDX-License-Identifier: BSD-3-Clause

package unit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// same compares units, with all about them.
func same(t *testing.T, what string, got, want []profile.Unit) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d units, want %d", what, len(got), len(want))
	}
	for i := range got {
		g, w := got[i], want[i]
		if g.Zone != w.Zone || g.Lane != w.Lane || g.Goroutine != w.Goroutine || g.Start != w.Start || g.Took != w.Took || g.Open != w.Open || g.Left != w.Left || len(g.Missing) > 0 {
			t.Fatalf("%s: unit %d is\n%+v, want\n%+v", what, i, g, w)
		}
		if !slices.Equal(g.Spans, w.Spans) {
			t.Fatalf("%s: unit %d has the spans\n%v, want\n%v", what, i, g.Spans, w.Spans)
		}
		if !slices.Equal(g.Notes, w.Notes) {
			t.Fatalf("%s: unit %d has the notes\n%v, want\n%v", what, i, g.Notes, w.Notes)
		}
		if a, b := canonical(g), canonical(w); !slices.Equal(a, b) {
			t.Fatalf("%s: unit %d has the tree\n%q, want\n%q", what, i, a, b)
		}
		exact(t, &got[i])
	}
}

// exact checks that the self times on the own lane add up to the duration, and that no time is negative.
func exact(t *testing.T, u *profile.Unit) {
	t.Helper()
	sum := time.Duration(0)
	for i, n := range u.Tree {
		if i < Own(u) {
			sum += n.Self
		}
		if n.Self < 0 || n.Total < 0 || (n.Parent >= i) || (n.Parent < 0) != (i == 0) {
			t.Errorf("node %d of %d is %+v", i, len(u.Tree), n)
		}
	}
	if sum != u.Took {
		t.Errorf("self times add up to %v of %v", sum, u.Took)
	}
}

// Units that need not be whole have the times of those that are, and others are not changed by them.
func TestOnlyUnitsThatAreAskedForAreWhole(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 3))
		p := newProgram(r, 1+int(seed%5), 8)
		var whole, some []profile.Unit
		all, picky := NewCollector(0), NewCollector(0)
		picky.Whole = func(zone int, took time.Duration) bool { return took%2 == 0 }
		for _, reading := range p.readings(r, 10) {
			all.Read(reading, func(u *profile.Unit) { whole = append(whole, Clone(u)) })
			picky.Read(reading, func(u *profile.Unit) { some = append(some, Clone(u)) })
		}
		outlines := 0
		if len(whole) != len(some) {
			t.Fatalf("%d units, want %d", len(some), len(whole))
		}
		for i := range some {
			u, w := some[i], whole[i]
			if len(u.Tree) == 0 && u.Took%2 != 0 {
				outlines++
				w.Tree, w.Spans, w.Notes, w.Missing, w.Left = nil, nil, nil, nil, 0
			}
			if fmt.Sprint(u) != fmt.Sprint(w) {
				t.Fatalf("unit %d of %d is\n%v, want\n%v", i, len(some), u, w)
			}
		}
		if outlines == 0 {
			t.Errorf("seed %d: all units are whole", seed)
		}
		if picky.Read(profile.Timeline{}, nil); picky.Whole == nil {
			t.Error("a recording that is off changes which units are whole")
		}
	}
}

func TestUnitsDoNotDependOnWhenReadingsAreTaken(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := newProgram(r, 1+int(seed%5), 8)
		want := p.want()
		for _, n := range []int{0, 1, 10, 150} {
			c := NewCollector(0)
			got := collect(c, p.readings(r, n))
			same(t, fmt.Sprintf("seed %d, %d readings", seed, n), got, want)
			if len(c.tasks.by) > 0 || c.tasks.bytes != 0 {
				t.Fatalf("seed %d, %d readings: %d tasks of %d bytes are left", seed, n, len(c.tasks.by), c.tasks.bytes)
			}
		}
	}
}

// A lane is read by hand.
type reading struct{ t profile.Timeline }

func at(at clock.Instant) *reading {
	return &reading{profile.Timeline{At: at, Zones: simulatedZones, Paths: []profile.Path{{Parent: -1, Zone: 0}, {Parent: 0, Zone: 2}, {Parent: -1, Zone: 2}, {Parent: 1, Zone: 3}, {Parent: 1, Zone: 1}, {Parent: 4, Zone: 2}}}}
}

func (r *reading) lane(id int) int {
	i := slices.IndexFunc(r.t.Lanes, func(l profile.TimelineLane) bool { return l.ID == id })
	if i < 0 {
		i = len(r.t.Lanes)
		r.t.Lanes = append(r.t.Lanes, profile.TimelineLane{LaneInfo: profile.LaneInfo{ID: id}})
	}
	return i
}

func (r *reading) span(lane, path int, from, to clock.Instant) *reading {
	depth := 0
	for p := r.t.Paths[path].Parent; p >= 0; p = r.t.Paths[p].Parent {
		depth++
	}
	r.t.Events = append(r.t.Events, profile.Event{Kind: profile.SpanEvent, Lane: r.lane(lane), Path: path, Zone: r.t.Paths[path].Zone, Depth: depth, Goroutine: int64(lane) + 100, Start: from, Took: to.Sub(from)})
	return r
}

// by changes whose the latest event is.
func (r *reading) by(goroutine int64) *reading {
	r.t.Events[len(r.t.Events)-1].Goroutine = goroutine
	return r
}

func (r *reading) open(lane, path int, from clock.Instant) *reading {
	r.span(lane, path, from, r.t.At)
	r.t.Events[len(r.t.Events)-1].Open = true
	return r
}

func (r *reading) mark(lane int, e profile.Event) *reading {
	e.Lane = r.lane(lane)
	r.t.Events = append(r.t.Events, e)
	return r
}

func (r *reading) lost(lane int, spans, marks uint64) *reading {
	r.t.Lanes[r.lane(lane)].Lost = spans
	r.t.Lost = spans + marks
	return r
}

func read(c *Collector, readings ...*reading) []profile.Unit {
	var all []profile.Timeline
	for _, r := range readings {
		all = append(all, r.t)
	}
	return collect(c, all)
}

// Goroutines that follow each other have the same lane. Some spans end after the reading that has them, and are processed with the next one.
func TestAUnitIsOfTheGoroutineThatHadTheLane(t *testing.T) {
	link := profile.Event{Kind: profile.LinkEvent, Start: 2150, Task: 9}
	c := NewCollector(0)
	parked := at(2000).span(3, 0, 900, 1500).by(3).span(3, 0, 1900, 2010).by(4).span(3, 0, 2020, 2030).by(5).open(3, 0, 1950).by(6)
	parked.t.Lanes[0].Parked = true
	units := read(c, at(1000).span(3, 0, 100, 500).by(1).span(3, 0, 600, 800).by(2).open(3, 0, 900).by(3), parked, at(2100))
	var got []int64
	for _, u := range units {
		got = append(got, u.Goroutine)
	}
	if open := c.Open(0, 1); !slices.Equal(got, []int64{1, 2, 3, 4, 5}) || len(open) != 1 || open[0].Goroutine != 6 {
		t.Errorf("goroutines %v; open: %+v", got, open)
	}
	c = NewCollector(0)
	units = read(c, at(2200).open(1, 0, 2000).mark(1, profile.Event{Kind: profile.TaskEvent, Start: 2050, Task: 9}).mark(2, link),
		at(2300).span(1, 0, 2000, 2290).span(2, 2, 2150, 2310).by(7).span(2, 2, 2320, 2330).by(8), at(2400))
	if len(units) != 1 || len(units[0].Spans) != 1 || !units[0].Spans[0].Linked || units[0].Spans[0].Goroutine != 7 {
		t.Errorf("%+v", units)
	}
}

func TestAUnitSaysWhatIsMissing(t *testing.T) {
	c := NewCollector(0)
	units := read(c, at(1000).open(3, 0, 900), at(2000).lost(3, 7, 0).open(3, 0, 900), at(3000).span(3, 0, 900, 2500), at(4000).span(3, 0, 3100, 3500), at(5000))
	if len(units) != 2 || len(units[0].Missing) != 1 || len(units[1].Missing) != 0 {
		t.Fatalf("%+v", units)
	}
	if got, want := units[0].Missing[0], fmt.Sprintf(overwritten, 7); got != want {
		t.Errorf("missing is %q, want %q", got, want)
	}
	units = read(c, at(6000).open(3, 0, 5500).lost(3, 0, 4), at(7000).span(3, 0, 5500, 6900), at(8000).span(3, 0, 7100, 7900))
	if len(units) != 2 || len(units[0].Missing) != 1 || len(units[1].Missing) != 0 {
		t.Fatalf("after lost marks: %+v", units)
	}
}

// The spans of a root span that never ends, since its goroutine ended before, are not part of the next unit.
func TestSpansThatNobodyEndedBelongToNoUnit(t *testing.T) {
	units := read(NewCollector(0), at(10_000).span(0, 1, 5000, 8000), at(20_000).span(0, 1, 13_000, 14_000).span(0, 0, 12_000, 15_000), at(30_000))
	if len(units) != 1 || len(units[0].Tree) != 2 || units[0].Tree[1].Calls != 1 || units[0].Tree[0].Self != 2000 {
		t.Fatalf("%+v", units)
	}
}

// Durations are rounded one by one: together, those of inner spans may exceed that of the outer one.
func TestSelfTimesAreExactWhereDurationsWereRounded(t *testing.T) {
	units := read(NewCollector(0), at(20_000).span(0, 3, 1000, 2003).span(0, 1, 1000, 2001).span(0, 1, 2001, 3004).span(0, 0, 1000, 3000), at(30_000))
	if len(units) != 1 {
		t.Fatalf("%+v", units)
	}
	exact(t, &units[0])
	if units[0].Tree[0].Self != 0 {
		t.Errorf("%+v", units[0].Tree)
	}
}

func TestAUnitThatHangsIsSeenBeforeItEnds(t *testing.T) {
	c := NewCollector(0)
	note := profile.Event{Kind: profile.NoteEvent, Start: 150, Name: "route", Text: "/slow"}
	r := at(1000).span(0, 3, 200, 300).open(0, 1, 160).open(0, 0, 100).open(1, 0, 900).mark(0, note)
	r.t.Lanes[0].Parked = true
	if units := read(c, r, at(1_000_100).open(1, 0, 900), at(2_000_100)); len(units) > 0 {
		t.Fatalf("%+v", units)
	}
	units := c.Open(time.Millisecond, 10)
	if len(units) != 1 { // the other one was no longer open
		t.Fatalf("%d units are open", len(units))
	}
	u := units[0]
	if !u.Open || u.Lane != 0 || u.Goroutine != 100 || u.Took != 2_000_000 || len(u.Tree) != 3 || !u.Tree[1].Open || u.Tree[1].Calls != 0 || u.Tree[1].Total != 1_999_940 ||
		u.Tree[2].Calls != 1 || len(u.Notes) != 1 || u.Notes[0].Value != "/slow" {
		t.Errorf("%+v", u)
	}
	exact(t, &u)
	if units := c.Open(time.Millisecond, 0); len(units) != 0 {
		t.Errorf("%d units, although none was asked for", len(units))
	}
	if units := read(c, at(2_100_000).span(0, 1, 160, 2_050_000).span(0, 0, 100, 2_050_100), at(2_200_000)); len(units) != 1 || len(units[0].Notes) != 1 {
		t.Errorf("when it has ended: %+v", units)
	}
	if units := c.Open(0, 10); len(units) != 0 || len(c.lanes) != 0 {
		t.Errorf("%d units and %d lanes are left", len(units), len(c.lanes))
	}
}

func TestOfManySpansTheLongestAreKeptAndAllAreCounted(t *testing.T) {
	c := NewCollector(0)
	const n = 3*mostRecords + 17
	r, sum := at(1<<40), time.Duration(0)
	for i := range clock.Instant(n) {
		took := 10 + i%1000
		from := 1000 + 2000*i
		r.span(0, 3, from+1, from+took-1).span(0, 1, from, from+took)
		sum += time.Duration(took)
	}
	end := clock.Instant(1000 + 2000*n)
	units := read(c, r.span(0, 0, 500, end), at(1<<41))
	u := units[0]
	if len(u.Spans) != mostSpans || u.Left != 2*n-mostSpans || len(u.Tree) != 3 {
		t.Fatalf("%d spans, %d left, %d nodes", len(u.Spans), u.Left, len(u.Tree))
	}
	if u.Tree[1].Calls != n || u.Tree[2].Calls != n || u.Tree[1].Total != sum || u.Tree[2].Total != sum-2*n {
		t.Errorf("%+v, want %v", u.Tree, sum)
	}
	exact(t, &u)
	for _, s := range u.Spans {
		if s.Took < 980 {
			t.Fatalf("a span of %v is kept", s.Took)
		}
	}
}

// Calls of an inner root zone are told apart even where short spans have been added up.
func TestUnitsInAUnitWithManySpansKeepTheirOwn(t *testing.T) {
	const n = mostRecords
	r := at(1 << 40)
	for i := range clock.Instant(n) {
		from := 1000 + 1000*i
		r.span(0, 5, from+10, from+20).span(0, 5, from+30, from+50).span(0, 4, from, from+100)
	}
	end := clock.Instant(2000 + 1000*n)
	units := read(NewCollector(0), r.span(0, 1, 900, end).span(0, 0, 500, end), at(1<<41))
	if len(units) != n+1 {
		t.Fatalf("%d units", len(units))
	}
	for i := range units {
		u := &units[i]
		exact(t, u)
		if u.Zone == 0 {
			if len(u.Tree) != 4 || u.Tree[len(u.Tree)-1].Calls < n {
				t.Errorf("the outer one: %+v", u.Tree)
			}
		} else if len(u.Tree) != 2 || u.Tree[1].Calls != 2 || u.Tree[1].Total != 30 {
			t.Fatalf("an inner one: %+v", u.Tree)
		}
	}
}

func TestMemoryIsBounded(t *testing.T) {
	c := NewCollector(1 << 20)
	now := clock.Instant(1000)
	for range 12 {
		r := at(now + 100_000)
		for lane := range 20 {
			for i := range clock.Instant(2000) {
				r.span(lane, 1+2*int(i%2), now+40*i, now+40*i+30)
			}
			r.open(lane, 0, 500)
		}
		read(c, r)
		if bytes := c.Bytes(); bytes > 1<<20+1<<16 {
			t.Fatalf("%d bytes", bytes)
		}
		now += 100_000
	}
	r := at(now + 1000)
	for lane := range 20 {
		r.span(lane, 0, 500, now)
	}
	units := read(c, r, at(now+2000))
	if len(units) != 20 {
		t.Fatalf("%d units", len(units))
	}
	missing := 0
	for i := range units {
		exact(t, &units[i])
		missing += len(units[i].Missing)
	}
	if missing == 0 {
		t.Error("spans were dropped, and no unit says so")
	}
}

func numbered(at clock.Instant, number uint64) profile.Event {
	return profile.Event{Kind: profile.TaskEvent, Start: at, Task: number}
}

func linked(at clock.Instant, number uint64) profile.Event {
	return profile.Event{Kind: profile.LinkEvent, Start: at, Task: number}
}

// Of linked work with very many spans the first ones are known until it ends, and the unit says so.
func TestAUnitSaysThatLinkedSpansAreMissing(t *testing.T) {
	r := at(1<<40).mark(0, numbered(1500, 5)).mark(1, linked(2000, 5))
	for i := range clock.Instant(2 * mostLinked) {
		r.span(1, 1, 3000+10*i, 3005+10*i)
	}
	units := read(NewCollector(0), r.open(1, 2, 2000).span(0, 0, 1000, 1<<39), at(1<<41))
	if len(units) != 1 || len(units[0].Missing) != 1 || len(units[0].Tree) < 2 {
		t.Fatalf("%+v", units)
	}
	exact(t, &units[0])
	units = read(NewCollector(0), at(3000).mark(0, numbered(1500, 5)).mark(1, linked(2000, 5)).span(0, 0, 1000, 2900), at(4000))
	if len(units) != 1 || len(units[0].Missing) != 1 {
		t.Fatalf("the linked span was never read: %+v", units)
	}
}

// Linked work counts up to the end of its unit.
func TestLinkedWorkIsCutAtTheEndOfItsUnit(t *testing.T) {
	for _, tt := range []struct {
		end   clock.Instant
		calls uint64
		took  time.Duration
	}{{4999, 1, 2999}, {5000, 1, 3000}, {5001, 0, 3000}, {9000, 0, 3000}} {
		units := read(NewCollector(0), at(10_000).mark(0, numbered(1500, 5)).mark(1, linked(2000, 5)).span(1, 2, 2000, tt.end).span(0, 0, 1000, 5000), at(20_000))
		if len(units) != 1 || len(units[0].Tree) != 2 || units[0].Tree[1].Calls != tt.calls || units[0].Tree[1].Total != tt.took || units[0].Tree[0].Self != 4000 || !units[0].Spans[0].Linked {
			t.Errorf("work until %d: %+v", tt.end, units)
		}
	}
}

func TestLossesOfALongUnitAreBounded(t *testing.T) {
	c := NewCollector(0)
	for i := range clock.Instant(50) {
		read(c, at(1000*(i+2)).open(0, 0, 500).lost(0, 1, 0))
	}
	if n := len(c.lanes[0].lost); n == 0 || n > 8 {
		t.Errorf("%d losses are remembered", n)
	}
}

// A link whose span was lost, and tasks whose unit was, are forgotten.
func TestWhatWasLostIsForgotten(t *testing.T) {
	c := NewCollector(0)
	read(c, at(1000).mark(0, numbered(800, 5)).mark(1, linked(900, 5)), at(2000), at(3000), at(4000), at(5000))
	if len(c.lanes) != 0 {
		t.Errorf("%d lanes are left", len(c.lanes))
	}
	for i := range uint64(3 * mostTasks) {
		c.tasks.publish(10 + i)
	}
	if len(c.tasks.by) > mostTasks || len(c.tasks.order) > 3*mostTasks {
		t.Errorf("%d tasks are left, %d in order", len(c.tasks.by), len(c.tasks.order))
	}
}

// A span may be missing from one reading, as open and as ended; the marks in it are kept meanwhile. Those in no unit are not.
func TestNotesWaitForASpanThatIsMissingFromAReading(t *testing.T) {
	note := profile.Event{Kind: profile.NoteEvent, Start: 900, Name: "route", Text: "/"}
	c := NewCollector(0)
	if units := read(c, at(500), at(1000).mark(0, note), at(2000).span(0, 0, 800, 950)); len(units) != 1 || len(units[0].Notes) != 1 {
		t.Errorf("%+v", units)
	}
	c = NewCollector(0)
	read(c, at(500), at(1000).mark(0, note), at(2000), at(3000))
	if len(c.lanes) != 0 {
		t.Error("a note in no unit is kept")
	}
}

func TestShortSpansAreAddedUp(t *testing.T) {
	var all []record
	for i := range mostRecords {
		all = append(all, record{start: clock.Instant(i), took: time.Duration(i), path: int32(i % 3), calls: 1, level: uint8(1 + i%2)})
	}
	kept := fold(all)
	calls, took := 0, time.Duration(0)
	for i, r := range kept {
		calls += int(r.calls)
		took += r.took
		if i > 0 && (kept[i-1].level > r.level || kept[i-1].level == r.level && kept[i-1].start > r.start) {
			t.Fatalf("record %d is not in order", i)
		}
	}
	if len(kept) != whole-1+6 || calls != mostRecords || took != mostRecords*(mostRecords-1)/2 {
		t.Errorf("%d records of %d calls and %v", len(kept), calls, took)
	}
}

func TestTheLatestValueOfANoteCounts(t *testing.T) {
	r := at(1 << 30)
	for i := range mostNotes + 5 {
		r.mark(0, profile.Event{Kind: profile.NoteEvent, Start: clock.Instant(1100 + i), Name: fmt.Sprint("key ", i), Text: "old"})
	}
	r.mark(0, profile.Event{Kind: profile.NoteEvent, Start: 1900, Name: "key 3", Text: "new"})
	units := read(NewCollector(0), r.span(0, 0, 1000, 2000))
	if len(units) != 1 || len(units[0].Notes) != mostNotes || units[0].Notes[mostNotes-1] != (profile.Note{Key: "key 3", Value: "new"}) || len(units[0].Missing) != 1 {
		t.Errorf("%+v", units)
	}
}

func TestNothingIsHeldForLanesWithoutUnits(t *testing.T) {
	c := NewCollector(0)
	r := at(1 << 30)
	for i := range clock.Instant(10_000) {
		r.span(int(i%100), 2, 10*i, 10*i+5)
	}
	if units := read(c, r); len(units) != 0 || len(c.lanes) != 0 || c.Bytes() != 0 {
		t.Errorf("%d units, %d lanes, %d bytes", len(units), len(c.lanes), c.Bytes())
	}
}

func TestARecordingThatIsOffForgetsOpenUnits(t *testing.T) {
	c := NewCollector(0)
	read(c, at(1000).open(0, 0, 500), &reading{}, at(2000))
	if units := c.Open(0, 10); len(units) != 0 {
		t.Errorf("%+v", units)
	}
}
