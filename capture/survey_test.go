// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.25 && (linux || darwin || freebsd) && !strobe_off

package capture

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/child"
	"github.com/strobe-go/strobe/internal/looks"
	"github.com/strobe-go/strobe/profile"
)

// zoneOf returns the index of a zone.
func zoneOf(t *testing.T, z *strobe.Zone) int {
	t.Helper()
	for i, other := range strobe.Zones() {
		if other == z {
			return i
		}
	}
	t.Fatal("the zone is unknown")
	return -1
}

// seen returns what was seen of a zone since a snapshot, as its own time and as units.
func seenOf(zone int, since profile.Snapshot) (own, units profile.Split) {
	l := strobe.TakeSnapshot().Sub(since).Looks
	if l == nil {
		return own, units
	}
	for _, z := range l.Zones {
		if z.Zone == zone {
			own = z.Split
		}
	}
	for _, z := range l.Units {
		if z.Zone == zone {
			units = z.Split
		}
	}
	return own, units
}

// Units of which none is slow, and so none is explained. Each waits for a child that sleeps, then sleeps, then computes.
func TestAllUnitsAreLookedAt(t *testing.T) {
	outer, inner, work := strobe.NewRootZone("surveyed"), strobe.NewZone("surveyed child"), strobe.NewZone("surveyed work")
	_, after := looks.Units(0)
	since := strobe.TakeSnapshot()
	c := Start(Options{Budget: time.Hour, Cost: -1, Log: silent().Log})
	defer c.Stop()
	root, child, busy := zoneOf(t, outer), zoneOf(t, inner), zoneOf(t, work)
	type known struct{ from, to clock.Instant }
	var mine []known
	turn := func() {
		from := clock.Now()
		outer.Do(func() {
			task := strobe.CurrentTask()
			var all sync.WaitGroup
			all.Add(1)
			go func() {
				defer all.Done()
				defer task.Enter(inner).Exit()
				time.Sleep(5 * time.Millisecond)
			}()
			all.Wait()
			work.Do(func() { spin(100_000) })
		})
		mine = append(mine, known{from, clock.Now()})
	}
	var units []looks.Unit
	eventually(t, "no unit was looked at", func() bool {
		turn()
		fresh, next := looks.Units(after)
		after = next
		for _, u := range fresh {
			if u.Zone == root {
				units = append(units, u)
			}
		}
		return len(units) > 20
	})
	waited := 0
	for _, u := range units {
		if u.Split.Total() != u.Took {
			t.Errorf("%+v takes %v, its parts %v", u.Split, u.Took, u.Split.Total())
		}
		if u.Split.Running == 0 {
			t.Errorf("%+v: it did not run", u.Split)
		}
		if u.Split.Waiting+u.Split.Unknown >= 4*time.Millisecond {
			waited++
		}
	}
	if waited <= len(units)/2 { // not all: a child can sleep while its parent is still ready
		t.Errorf("%d of %d units waited for a child that slept: %+v", waited, len(units), units)
	}
	own, all := seenOf(root, since)
	if inChild, _ := seenOf(child, since); inChild.Waiting <= inChild.Running || inChild.Total() == 0 {
		t.Errorf("the child slept: %+v", inChild)
	}
	if inWork, _ := seenOf(busy, since); inWork.Running == 0 || inWork.Waiting > inWork.Total()/2 {
		t.Errorf("the work ran: %+v", inWork)
	}
	if all.Total() <= own.Total() || own.Waiting == 0 {
		t.Errorf("units %+v, their own zone %+v", all, own)
	}
	l := strobe.TakeSnapshot().Sub(since).Looks
	if wall := mine[len(mine)-1].to.Sub(mine[0].from); l.Covered <= 0 || l.Covered > wall+time.Second {
		t.Errorf("%v of %v were looked at", l.Covered, wall)
	}
}

// A unit that began long before what the flight recorder keeps has sums, cut at the border, but no split of its own.
func TestAUnitThatIsOnlyHalfSeenHasNoSplitOfItsOwn(t *testing.T) {
	z := strobe.NewRootZone("long unit")
	_, after := looks.Units(0)
	since := strobe.TakeSnapshot()
	began := make(chan bool)
	finish := make(chan bool)
	go func() {
		defer close(finish)
		z.Do(func() { close(began); time.Sleep(100 * time.Millisecond); <-finish })
	}()
	<-began
	zone := zoneOf(t, z)
	c := Start(Options{Budget: time.Hour, Cost: -1, Log: silent().Log})
	defer c.Stop()
	eventually(t, "an open unit was not looked at", func() bool { _, units := seenOf(zone, since); return units.Total() > 0 })
	finish <- true
	<-finish
	_, sum := seenOf(zone, since)
	if l := strobe.TakeSnapshot().Sub(since).Looks; sum.Total() > l.Covered {
		t.Errorf("%v of one unit in %v", sum.Total(), l.Covered)
	}
	time.Sleep(100 * time.Millisecond)
	units, _ := looks.Units(after)
	for _, u := range units {
		if u.Zone == zone {
			t.Errorf("%+v", u)
		}
	}
}

// Two Capturers look at the same time only once, and the second goes on when the first ends.
func TestTheSameTimeIsNotCountedTwice(t *testing.T) {
	since, from := strobe.TakeSnapshot(), time.Now()
	a, b := Start(Options{Cost: -1, Log: silent().Log}), Start(Options{Cost: -1, Log: silent().Log})
	covered := func() time.Duration {
		if l := strobe.TakeSnapshot().Sub(since).Looks; l != nil { // nil until the Capturers have begun, if no test ran before
			return l.Covered
		}
		return 0
	}
	eventually(t, "nothing was looked at", func() bool { return covered() > 0 })
	if l := covered(); l > time.Since(from) {
		t.Errorf("%v of %v", l, time.Since(from))
	}
	a.Stop()
	stopped := covered()
	eventually(t, "the second does not look", func() bool { return covered() > stopped })
	b.Stop()
	if reason := strobe.TakeSnapshot().Looks.Reason; reason == "" {
		t.Error("nobody looks, without a reason")
	}
}

// Without the flight recorder there is a reason, and no time.
func TestWithoutARecorderNothingIsSplit(t *testing.T) {
	since := strobe.TakeSnapshot()
	o := silent()
	o.without.recorder = true
	c := Start(o)
	defer c.Stop()
	eventually(t, "there is no reason", func() bool {
		l := strobe.TakeSnapshot().Sub(since).Looks
		return l != nil && l.Covered == 0 && len(l.Zones) == 0 && strings.Contains(l.Reason, "flight recorder is missing")
	})
}

// Of a program with many events, shorter stretches are looked at.
func TestManyEventsMakeStretchesShorter(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a million events")
	}
	to, back, end := make(chan int), make(chan int), make(chan bool)
	go func() {
		for n := range to {
			back <- n
		}
	}()
	go func() {
		defer close(to)
		for {
			select {
			case <-end:
				return
			case to <- 1:
				<-back
			}
		}
	}()
	defer close(end)
	since := strobe.TakeSnapshot()
	w := newWatch(Options{Budget: time.Hour, Cost: -1, Log: silent().Log}.withDefaults())
	defer w.release()
	w.degrees = openSources(w.options.MemoryBytes/2, 1<<20, blind{switches: true})
	defer closeSources()
	w.open()
	defer func() {
		if w.looking.looks {
			looks.End()
		}
	}()
	strobe.NewRootZone("of many events").Do(func() {})
	covered := func() time.Duration {
		if l := strobe.TakeSnapshot().Sub(since).Looks; l != nil {
			return l.Covered
		}
		return 0
	}
	length := w.looking.length
	look := func() {
		length = w.looking.length
		time.Sleep(5 * time.Millisecond)
		w.lookNow()
	}
	eventually(t, "no stretch was over", func() bool { look(); return w.looking.sized })
	if w.looking.length > stretch/2 || covered() > 0 {
		t.Errorf("the next stretch takes %v, and %v were read", w.looking.length, covered())
	}
	eventually(t, "nothing was looked at", func() bool { look(); return covered() > 0 })
	if covered() > 2*length {
		t.Errorf("%v are looked at, in stretches of %v", covered(), length)
	}
}

// A program without units is read only while zones are looked at. Its first unit ends that.
func TestWithoutUnitsSpansAreReadOnlyWhileTheyAreLookedAt(t *testing.T) {
	if !child.Process(t) {
		return
	}
	if looks.Expected() {
		t.Fatal("there is a root zone")
	}
	z := strobe.NewZone("of no unit")
	o := silent()
	o.Cost = -1
	w := newWatch(o.withDefaults())
	defer w.release()
	w.degrees = openSources(w.options.MemoryBytes/2, 1<<20, blind{switches: true})
	defer closeSources()
	w.open()
	look := func() (events int) {
		for range 100 {
			z.Enter().Exit()
		}
		w.timeline.Events = w.timeline.Events[:0]
		w.lookNow()
		return len(w.timeline.Events)
	}
	covered := func() time.Duration { return strobe.TakeSnapshot().Looks.Covered }
	inside, outside, read := 0, 0, 0
	eventually(t, "zones were not looked at", func() bool {
		n, in := look(), w.looking.from != 0
		switch {
		case in:
			inside++
		case n > 0:
			read++ // at the end of a stretch
		default:
			outside++
		}
		time.Sleep(5 * time.Millisecond)
		return covered() > 0 && outside > 10
	})
	if inside == 0 || read > 2 {
		t.Errorf("%d looks inside a stretch, %d outside of one that read spans", inside, read)
	}
	for w.looking.from != 0 {
		look()
		time.Sleep(5 * time.Millisecond)
	}
	w.looking.next = time.Now().Add(time.Hour)
	if n := look(); n != 0 {
		t.Errorf("%d events were read", n)
	}
	strobe.NewRootZone("first unit").Do(func() {})
	if look(); w.seen != 1 {
		t.Errorf("%d units were seen", w.seen)
	}
}

// A stretch with more spans than are looked at ends, and the next one is shorter.
func TestTooManySpansEndAStretch(t *testing.T) {
	s := survey{began: 10, from: 10, until: 1e9, length: stretch}
	var tl profile.Timeline
	tl.Lanes = []profile.TimelineLane{{LaneInfo: profile.LaneInfo{ID: 1, Goroutine: 1}}}
	for i := range mostRead + 3*mostGained {
		tl.Events = append(tl.Events, profile.Event{Kind: profile.SpanEvent, Start: clock.Instant(20 + i), Took: 1})
		if i == mostGained/2 {
			if s.read(&tl, time.Now()); s.crowded() {
				t.Error("there is room for more")
			}
			s.spans = s.spans[:0]
		}
	}
	s.read(&tl, time.Now())
	if want := clock.Instant(20 + mostRead + 2*mostGained); !s.crowded() || s.from != want || len(s.spans) != mostGained || s.spans[0].from != want {
		t.Errorf("%d spans from %d on, want %d", len(s.spans), s.from, want)
	}
}

// Surveys keep within their share, whatever one takes, and explanations within the rest.
func TestSurveysKeepWithinTheirShare(t *testing.T) {
	now := time.Unix(1000, 0)
	const cost = 0.01
	w := newWatch(Options{Cost: cost, Log: silent().Log}.withDefaults())
	defer w.release()
	if sum := w.budget.share + w.looking.budget.share; sum > cost*1.0001 || w.looking.budget.share <= 0 {
		t.Errorf("%v and %v of %v", w.budget.share, w.looking.budget.share, cost)
	}
	for _, each := range []time.Duration{2 * time.Millisecond, 15 * time.Millisecond, 90 * time.Millisecond} {
		s := newSurvey(cost, now)
		s.last = each
		spent, begin := time.Duration(0), now
		for ; now.Sub(begin) < 10*time.Minute; now = now.Add(50 * time.Millisecond) {
			if s.budget.allows(now) && s.budget.saved >= min(purse, s.last) {
				s.budget.spend(each)
				spent += each
			}
		}
		if share := spent.Seconds() / now.Sub(begin).Seconds(); share > 1.1*cost*surveyShare || share < 0.7*cost*surveyShare {
			t.Errorf("surveys of %v take %v of a processor", each, share)
		}
	}
}

// Of more spans than are looked at, the latest are kept, and the stretch begins where none is missing.
func TestAStretchBeginsWhereNoSpanIsMissing(t *testing.T) {
	s := survey{from: 10}
	var tl profile.Timeline
	tl.Lanes = []profile.TimelineLane{{LaneInfo: profile.LaneInfo{ID: 1, Goroutine: 1}}}
	for i := range 2 * mostGained {
		tl.Events = append(tl.Events, profile.Event{Kind: profile.SpanEvent, Start: clock.Instant(20 + i), Took: 1})
	}
	s.read(&tl, time.Now())
	if len(s.spans) != mostGained || s.from != clock.Instant(20+mostGained) {
		t.Errorf("%d spans from %d on", len(s.spans), s.from)
	}
	tl.Lost = 1
	s.read(&tl, time.Now())
	if s.from != 0 || len(s.spans) != 0 {
		t.Error("a stretch of which spans are missing counts")
	}
}

// What ended last is kept, in its order, and nothing that ended since is missing.
func TestTheLatestAreKept(t *testing.T) {
	var ends []clock.Instant
	all := make([]span, mostGained+1000)
	for i := range all {
		all[i] = span{from: clock.Instant(i * 7919 % len(all) / 2), took: 10, zone: i} // two end at a time
	}
	end := func(o *span) clock.Instant { return o.from + clock.Instant(o.took) }
	kept := all[:mostGained:mostGained]
	if from := latest(&kept, 5, &ends, end); from != 5 || len(kept) != mostGained {
		t.Errorf("%d kept since %d", len(kept), from)
	}
	kept = append([]span(nil), all...)
	from := latest(&kept, 5, &ends, end)
	var want []int
	for _, o := range all {
		if end(&o) > from {
			want = append(want, o.zone)
		}
	}
	if from <= 5 || len(want) != len(kept) || len(kept) > mostGained || len(kept) < mostGained-2 {
		t.Fatalf("%d kept since %d, %d ended since", len(kept), from, len(want))
	}
	for i := range kept {
		if kept[i].zone != want[i] {
			t.Fatalf("span %d is that of zone %d, want %d", i, kept[i].zone, want[i])
		}
	}
	if latest(&kept, from, &ends, end) != from {
		t.Error("the same spans end later the second time")
	}
}
