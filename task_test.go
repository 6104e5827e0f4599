// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/race"
	"github.com/strobe-go/strobe/profile"
)

// A told unit is what a timeline tells of a call of a root zone.
type told struct {
	zone   int
	lane   int
	open   bool
	notes  []string
	linked []string // names of the zones of linked spans, in any order
}

// toldBy finds the units of a timeline in the way that the comment of profile.Event describes, without regard to cost.
func toldBy(tl Timeline) (units []told, unknown int) {
	type holder struct {
		profile.Event
		unit int
	}
	var holders []holder
	end := func(e profile.Event) clock.Instant { return e.Start + clock.Instant(e.Took) }
	within := func(e profile.Event, in profile.Event) bool {
		return e.Lane == in.Lane && e.Start >= in.Start && end(e) <= end(in)
	}
	root := func(e profile.Event) bool { return e.Kind == profile.SpanEvent && e.Zone >= 0 && tl.Zones[e.Zone].Root }
	for _, e := range tl.Events {
		again := slices.ContainsFunc(tl.Events, func(o profile.Event) bool {
			return root(o) && o.Zone == e.Zone && o.Depth < e.Depth && within(e, o)
		})
		if root(e) && !again {
			holders = append(holders, holder{e, len(units)})
			units = append(units, told{zone: e.Zone, lane: tl.Lanes[e.Lane].ID, open: e.Open})
		}
	}
	innermost := func(m profile.Event) int {
		at := -1
		for i, h := range holders {
			if within(m, h.Event) && (at < 0 || h.Depth > holders[at].Depth) {
				at = i
			}
		}
		return at
	}
	numbers := map[uint64]int{}
	for _, e := range tl.Events {
		if i := innermost(e); e.Kind == profile.TaskEvent && i >= 0 {
			numbers[e.Task] = holders[i].unit
		}
	}
	for _, l := range tl.Events {
		if l.Kind != profile.LinkEvent {
			continue
		}
		unit, known := numbers[l.Task]
		i := slices.IndexFunc(tl.Events, func(e profile.Event) bool {
			return e.Kind == profile.SpanEvent && e.Lane == l.Lane && e.Start == l.Start && e.Depth == l.Depth
		})
		if !known || i < 0 {
			unknown++
			continue
		}
		units[unit].linked = append(units[unit].linked, tl.Zones[tl.Events[i].Zone].Name)
		holders = append(holders, holder{tl.Events[i], unit})
	}
	for _, e := range tl.Events {
		if i := innermost(e); e.Kind == profile.NoteEvent && i >= 0 {
			u := &units[holders[i].unit]
			u.notes = append(u.notes, e.Name+"="+e.Text)
		}
	}
	return units, unknown
}

// recorded records what f does, and returns the units of a zone.
func recorded(t *testing.T, z *Zone, f func()) []told {
	t.Helper()
	needGoroutines(t)
	amplyBudgeted(t)
	Record(8 << 20)
	defer Record(0)
	f()
	units, unknown := toldBy(TakeTimeline())
	if unknown > 0 {
		t.Errorf("%d links lead to no unit", unknown)
	}
	return slices.DeleteFunc(units, func(u told) bool { return u.zone != int(z.id) })
}

func TestARootZoneIsOneInSnapshotsAndTimelines(t *testing.T) {
	root, plain := NewRootZone("root"), NewZone("plain")
	s := TakeSnapshot()
	if !s.Zones[root.id].Root || s.Zones[plain.id].Root || s.Zones[root.id].Wait || s.Zones[root.id].Where == "" {
		t.Errorf("%+v, %+v", s.Zones[root.id], s.Zones[plain.id])
	}
}

func TestOverlappingUnitsHaveTheirOwnNotesAndWork(t *testing.T) {
	request, work := NewRootZone("request"), NewZone("work")
	units := recorded(t, request, func() {
		var both, all sync.WaitGroup
		both.Add(2)
		for i := range 2 {
			all.Add(1)
			go func() {
				defer all.Done()
				defer request.Enter().Exit()
				both.Done()
				both.Wait() // both are open
				Note("n", fmt.Sprint(i))
				task, done := CurrentTask(), make(chan bool)
				go func() {
					defer close(done)
					defer task.Enter(work).Exit()
					Note("from", fmt.Sprint("worker ", i))
				}()
				<-done
				Note("last", fmt.Sprint(i))
			}()
		}
		all.Wait()
	})
	slices.SortFunc(units, func(a, b told) int { return strings.Compare(a.notes[0], b.notes[0]) })
	for i, u := range units {
		want := []string{fmt.Sprint("n=", i), fmt.Sprint("last=", i), fmt.Sprint("from=worker ", i)}
		slices.Sort(u.notes)
		slices.Sort(want)
		if !slices.Equal(u.notes, want) || !slices.Equal(u.linked, []string{"work"}) {
			t.Errorf("unit %d: notes %q, linked %q", i, u.notes, u.linked)
		}
	}
	if len(units) != 2 {
		t.Errorf("%d units", len(units))
	}
}

func TestAGoroutineThatServesRequestsInTurnHasATaskForEach(t *testing.T) {
	request, work := NewRootZone("request"), NewZone("work")
	seen := map[Task]bool{}
	units := recorded(t, request, func() {
		for i := range 3 {
			s := request.Enter()
			task := CurrentTask()
			if seen[task] || task == (Task{}) || CurrentTask() != task {
				t.Errorf("request %d has task %v, then %v", i, task, CurrentTask())
			}
			seen[task] = true
			linkedOn(task, work)
			Note("n", fmt.Sprint(i))
			s.Exit()
			if left := CurrentTask(); left != (Task{}) {
				t.Errorf("after request %d its task is still current", i)
			}
		}
	})
	if len(units) != 3 {
		t.Fatalf("%+v", units)
	}
	for i, u := range units {
		if !slices.Equal(u.notes, []string{fmt.Sprint("n=", i)}) || !slices.Equal(u.linked, []string{"work"}) {
			t.Errorf("%+v", u)
		}
	}
}

// linkedOn makes a span with a task on another goroutine.
func linkedOn(task Task, z *Zone) {
	done := make(chan bool)
	go func() {
		defer close(done)
		task.Enter(z).Exit()
	}()
	<-done
}

func TestAWorkerMayOutliveTheUnit(t *testing.T) {
	request, work := NewRootZone("request"), NewZone("work")
	begun, ended, done := make(chan bool), make(chan bool), make(chan bool)
	units := recorded(t, request, func() {
		s := request.Enter()
		task := CurrentTask()
		go func() {
			defer close(done)
			first := task.Enter(work)
			close(begun)
			<-ended
			first.Exit()
			task.Enter(work).Exit() // begins after the unit has ended
		}()
		<-begun
		s.Exit()
		close(ended)
		<-done
	})
	if len(units) != 1 || !slices.Equal(units[0].linked, []string{"work", "work"}) || units[0].open {
		t.Errorf("%+v", units)
	}
	if s := TakeSnapshot().Totals()[work.id]; s.Calls != 2 {
		t.Errorf("%+v", s)
	}
}

func TestAUnitThatIsOpenIsRead(t *testing.T) {
	request, work := NewRootZone("request"), NewZone("work")
	var s Span
	units := recorded(t, request, func() {
		s = request.Enter()
		linkedOn(CurrentTask(), work)
		Note("k", "v")
	})
	s.Exit()
	if len(units) != 1 || !units[0].open || !slices.Equal(units[0].notes, []string{"k=v"}) || !slices.Equal(units[0].linked, []string{"work"}) {
		t.Errorf("%+v", units)
	}
}

func TestUnitsInsideUnitsAreTheirOwn(t *testing.T) {
	outer, inner := NewRootZone("outer"), NewRootZone("inner")
	recorded(t, outer, func() {
		o := outer.Enter()
		first := CurrentTask()
		i := inner.Enter()
		second := CurrentTask()
		Note("in", "inner")
		i.Exit()
		if first == second || CurrentTask() != first {
			t.Errorf("outer %v, inner %v, then %v", first, second, CurrentTask())
		}
		Note("in", "outer")
		o.Exit()
		units, _ := toldBy(TakeTimeline())
		for _, u := range units {
			want := map[int]string{int(outer.id): "in=outer", int(inner.id): "in=inner"}[u.zone]
			if want != "" && !slices.Equal(u.notes, []string{want}) {
				t.Errorf("%+v", u)
			}
		}
	})
}

func TestACallInsideACallOfTheSameRootZoneIsNoUnit(t *testing.T) {
	request, between := NewRootZone("request"), NewZone("between")
	units := recorded(t, request, func() {
		first := request.Enter()
		task := CurrentTask()
		b := between.Enter()
		again := request.Enter()
		if CurrentTask() != task {
			t.Error("the call inside has a task of its own")
		}
		Note("k", "v")
		again.Exit()
		b.Exit()
		first.Exit()
	})
	if len(units) != 1 || !slices.Equal(units[0].notes, []string{"k=v"}) {
		t.Errorf("%+v", units)
	}
}

func TestATaskIsThatOfTheSpansBegunWithIt(t *testing.T) {
	request, work := NewRootZone("request"), NewZone("work")
	units := recorded(t, request, func() {
		defer request.Enter().Exit()
		task := CurrentTask()
		task.Enter(work).Exit() // on the unit's own goroutine: no link is needed
		done := make(chan bool)
		go func() {
			defer close(done)
			before := CurrentTask()
			s := task.Enter(work)
			inside := CurrentTask()
			linkedOn(inside, work)
			s.Exit()
			if before != (Task{}) || inside != task || CurrentTask() != (Task{}) {
				t.Errorf("before %v, inside %v, want %v, after %v", before, inside, task, CurrentTask())
			}
		}()
		<-done
	})
	if len(units) != 1 || len(units[0].linked) != 2 {
		t.Errorf("%+v", units)
	}
}

func TestAUnitThatIsPartOfAnotherHasATaskOfItsOwn(t *testing.T) {
	outer, inner, work := NewRootZone("outer"), NewRootZone("inner"), NewZone("work")
	recorded(t, outer, func() {
		o := outer.Enter()
		task, done := CurrentTask(), make(chan bool)
		go func() {
			defer close(done)
			s := task.Enter(inner)
			own := CurrentTask()
			if own == task || own == (Task{}) {
				t.Errorf("the inner unit has the task %v, the outer one %v", own, task)
			}
			Note("in", "inner")
			linkedOn(own, work)
			s.Exit()
		}()
		<-done
		o.Exit()
		units, _ := toldBy(TakeTimeline())
		for _, u := range units {
			switch u.zone {
			case int(outer.id):
				if !slices.Equal(u.linked, []string{"inner"}) || len(u.notes) != 0 {
					t.Errorf("outer: %+v", u)
				}
			case int(inner.id):
				if !slices.Equal(u.linked, []string{"work"}) || !slices.Equal(u.notes, []string{"in=inner"}) {
					t.Errorf("inner: %+v", u)
				}
			}
		}
	})
}

func TestATaskServesHundredsOfGoroutines(t *testing.T) {
	const goroutines = 300
	request, work := NewRootZone("request"), NewZone("work")
	units := recorded(t, request, func() {
		defer request.Enter().Exit()
		task := CurrentTask()
		var all sync.WaitGroup
		for range goroutines {
			all.Add(1)
			go func() {
				defer all.Done()
				for range 3 {
					s := task.Enter(work)
					if CurrentTask() != task {
						t.Error("another task")
					}
					s.Exit()
				}
			}()
		}
		all.Wait()
	})
	if len(units) != 1 || len(units[0].linked) != 3*goroutines {
		t.Errorf("%d units, %d spans", len(units), len(units[0].linked))
	}
}

func TestATaskIsKnownToARecordingThatBeginsLater(t *testing.T) {
	needGoroutines(t)
	request, work := NewRootZone("request"), NewZone("work")
	s := request.Enter()
	task := CurrentTask()
	if task == (Task{}) {
		t.Error("no task without a recording")
	}
	s2 := recorded(t, request, func() {
		if CurrentTask() != task {
			t.Error("another task")
		}
		linkedOn(task, work)
	})
	s.Exit()
	if len(s2) != 1 || len(s2[0].linked) != 1 {
		t.Errorf("%+v", s2)
	}
}

func TestWithoutAUnitThereIsNoTask(t *testing.T) {
	needGoroutines(t)
	request, plain := NewRootZone("request"), NewZone("plain")
	done := make(chan bool)
	go func() {
		defer close(done)
		if CurrentTask() != (Task{}) { // no lane yet
			t.Error("a task on a new goroutine")
		}
		s := plain.Enter()
		if CurrentTask() != (Task{}) {
			t.Error("a task in a plain zone")
		}
		s.Exit()
		request.SetSampling(-1)
		s = request.Enter()
		if CurrentTask() != (Task{}) {
			t.Error("a task in a zone that is off")
		}
		s.Exit()
		Task{}.Enter(plain).Exit()
		runtime.Goexit() // leaves the record to a later goroutine
	}()
	<-done
	if calls := TakeSnapshot().Totals()[plain.id].Calls; calls != 2 {
		t.Errorf("%d calls", calls)
	}
}

// A goroutine that gets the record of one that left its unit open is not in that unit.
func TestTasksOfGoroutinesThatHaveEndedAreForgotten(t *testing.T) {
	needGoroutines(t)
	request := NewRootZone("request")
	for range 100 {
		done := make(chan bool)
		go func() {
			defer close(done)
			if task := CurrentTask(); task != (Task{}) {
				t.Error("the task of a goroutine that has ended")
			}
			request.Enter()
			CurrentTask()
		}()
		<-done
	}
}

func TestSpansBeyondTheLimitsBelongToTheTask(t *testing.T) {
	request, deep, work := NewRootZone("request"), NewZone("deep"), NewZone("work")
	units := recorded(t, request, func() {
		defer request.Enter().Exit()
		task, done := CurrentTask(), make(chan bool)
		go func() {
			defer close(done)
			var spans []Span
			for range maxDepth {
				spans = append(spans, deep.Enter())
			}
			for _, z := range []*Zone{deep, work} {
				s := task.Enter(z)
				task.Enter(work).Exit()
				s.Exit()
			}
			for _, s := range slices.Backward(spans) {
				s.Exit()
			}
		}()
		<-done
	})
	if len(units) != 1 || len(units[0].linked) != 4 {
		t.Errorf("%+v", units)
	}
}

func TestContextsCarryTasks(t *testing.T) {
	needGoroutines(t)
	request := NewRootZone("request")
	ctx := context.Background()
	if ContextWithTask(ctx, Task{}) != ctx || TaskFromContext(ctx) != (Task{}) {
		t.Error("the zero task is carried")
	}
	defer request.Enter().Exit()
	if task := CurrentTask(); TaskFromContext(ContextWithTask(ctx, task)) != task || task == (Task{}) {
		t.Errorf("%v", task)
	}
}

func TestNotesAreCutAtARune(t *testing.T) {
	request := NewRootZone("request")
	units := recorded(t, request, func() {
		defer request.Enter().Exit()
		Note(strings.Repeat("é", 100), strings.Repeat("€", 1000))
		Note("", "\x1b[31m")
	})
	if len(units) != 1 || len(units[0].notes) != 2 {
		t.Fatalf("%+v", units)
	}
	key, value, _ := strings.Cut(units[0].notes[0], "=")
	if len(key) != 64 || len(value) != 255 || !utf8.ValidString(key) || !utf8.ValidString(value) || units[0].notes[1] != "=\x1b[31m" {
		t.Errorf("%d, %d bytes, %q", len(key), len(value), units[0].notes[1])
	}
}

func TestTasksAllocateNothingAndNotesOneCopy(t *testing.T) {
	race.Sequential(t)
	needGoroutines(t)
	amplyBudgeted(t)
	request, work := NewRootZone("request"), NewZone("work")
	defer request.Enter().Exit()
	task := CurrentTask()
	other := Task{number: task.number + 1<<40}
	other.Enter(work).Exit()
	free := func(what string, most float64, f func()) {
		if n := testing.AllocsPerRun(1000, f); n > most {
			t.Errorf("%s allocates %v times", what, n)
		}
	}
	key, value := "key", strings.Repeat("v", 100)
	free("a note without a recording", 0, func() { Note(key, value) })
	for _, bytes := range []int64{0, 1 << 20} {
		Record(bytes)
		for range 20_000 { // so that the marks no longer grow
			other.Enter(work).Exit()
		}
		free("CurrentTask", 0, func() { CurrentTask() })
		free("Task.Enter", 0, func() { other.Enter(work).Exit() })
		free("a unit", 0, func() { request.Enter().Exit() })
	}
	free("a note", 1, func() { Note(key, value) })
	Record(0)
}

func TestATaskNamesItsUnit(t *testing.T) {
	if name, since, ok := (Task{}).Unit(); ok || name != "" || since != 0 {
		t.Errorf("the zero task is of %q, since %v", name, since)
	}
	needGoroutines(t)
	began := clock.Now() // the system's time may have steps of milliseconds
	span := NewRootZone("named unit").Enter()
	task := CurrentTask()
	entered := clock.Now()
	time.Sleep(2 * time.Millisecond)
	least := clock.Since(entered)
	name, since, ok := task.Unit()
	most := clock.Since(began)
	if !ok || name != "named unit" || since < least-least/100 || since > most+most/100 { // the clock's rate may have been corrected
		t.Errorf("%q, since %v of at most %v, %v", name, since, most, ok)
	}
	span.Exit()
	if _, later, ok := task.Unit(); !ok || later < since {
		t.Errorf("after the end: %v, %v", later, ok)
	}
}
