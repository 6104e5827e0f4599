// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/capture"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/looks"
	"github.com/strobe-go/strobe/profile"
)

func splitText(number int) string {
	return fmt.Sprintf("[%d,1000000,2000000,27000000,0]", number)
}

var someSplit = profile.Split{Running: 1e6, Ready: 2e6, Waiting: 27e6}

// What a unit did becomes known after viewers have it, or before they connect. Other units, and units of another zone or lane that took
// as long at the same time, stay without.
func TestWhatAUnitDidIsSentToAllViewers(t *testing.T) {
	s, v := unitServer(t)
	text, _ := v.messages(nil)
	if strings.Contains(string(text), `"splits"`) {
		t.Errorf("nobody has looked: %s", text)
	}
	const at = 1 << 40
	stranger := looks.Unit{Zone: 0, Lane: 4, Start: at + ms, Took: 30 * time.Millisecond, Split: someSplit}
	other := looks.Unit{Zone: 1, Lane: 3, Start: at + ms, Took: 30 * time.Millisecond, Split: someSplit}
	half := looks.Unit{Zone: 0, Lane: 3, Start: at + ms, Took: 15 * time.Millisecond, Split: someSplit}
	s.play(func(m *model) { m.divide([]looks.Unit{stranger, other, half}) })
	if text, _ := v.messages(nil); len(text) > 0 {
		t.Errorf("it is another unit: %s", text)
	}
	is := looks.Unit{Zone: 0, Lane: 3, Start: at + ms + 100, Took: 30*time.Millisecond - 100, Split: someSplit}
	s.play(func(m *model) { m.divide([]looks.Unit{stranger, is, is}) })
	text, _ = v.messages(nil)
	number := 0
	s.play(func(m *model) {
		for _, k := range m.units.keeper.Root(0).After(0) {
			if k.Split != nil {
				number = int(k.Number)
			}
		}
	})
	if want := `"splits":[` + splitText(number) + `]`; number == 0 || !strings.Contains(string(text), want) {
		t.Errorf("%s, want %s", text, want)
	}
	if text, _ := v.messages(nil); len(text) > 0 {
		t.Errorf("it is sent twice: %s", text)
	}
	late := &viewer{c: s.collector, run: s.run, zone: anyRoot}
	if text, _ := late.messages(nil); strings.Count(string(text), splitText(number)) != 1 {
		t.Errorf("a later viewer: %s", text)
	}
}

func TestWhatAFrameDidIsSentToAllViewers(t *testing.T) {
	m := newModel(1 << 20)
	m.read(at(0).turn("loop", 1, 0).t)
	m.read(at(40*ms).turn("loop", 1, 30*ms).t)
	m.read(at(80*ms).turn("loop", 1, 60*ms).t)
	m.read(at(120 * ms).t)
	l := m.loops[0]
	if len(l.latest) == 0 {
		t.Fatal("there is no frame")
	}
	var c cursor
	c.fresh = true
	m.divide([]looks.Unit{{Zone: -1, Loop: "other", Start: 0, Took: 30 * time.Millisecond, Split: someSplit}, {Zone: -1, Loop: "loop", Start: ms, Took: 30 * time.Millisecond, Split: someSplit}})
	if text := m.appendExtras(nil, &c, l, nil, nil, nil); len(text) > 0 {
		t.Errorf("these are others: %s", text)
	}
	m.divide([]looks.Unit{{Zone: -1, Loop: "loop", Start: 50, Took: 30 * time.Millisecond, Split: someSplit}})
	want := `,"splits":[` + splitText(int(l.latest[0].number)) + `]`
	if text := string(m.appendExtras(nil, &c, l, nil, nil, nil)); text != want {
		t.Errorf("%s, want %s", text, want)
	}
	if text := string(m.appendExtras(nil, new(cursor), l, nil, l.latest, nil)); text != want {
		t.Errorf("to a new viewer: %s, want %s", text, want)
	}
}

// note adds a note.
func (s *script) note(lane int, at clock.Instant, key, text string) *script {
	s.t.Events = append(s.t.Events, profile.Event{Kind: profile.NoteEvent, Lane: s.lane(lane), Zone: -1, Path: -1, Start: at, Name: key, Text: text})
	return s
}

// The notes of a frame are those of its goroutine: not those of a unit that ran in it, of work for a unit, or of another goroutine.
func TestAFrameHasItsNotes(t *testing.T) {
	m := newModel(1 << 20)
	zones := []profile.ZoneInfo{{Name: "plain"}, {Name: "request", Root: true}}
	paths := []profile.Path{{Parent: -1, Zone: 0}, {Parent: -1, Zone: 1}}
	read := func(s *script) { s.t.Zones, s.t.Paths = zones, paths; m.read(s.t) }
	inUnit := func(s *script, lane int, from, to clock.Instant) *script {
		s.span(lane, from, to)
		s.t.Events[len(s.t.Events)-1].Path, s.t.Events[len(s.t.Events)-1].Zone = 1, 1
		return s
	}
	read(at(ms).turn("loop", 1, 0))
	s := at(80*ms).turn("loop", 1, 30*ms).turn("loop", 1, 60*ms).note(1, 5*ms, "level", "1").note(1, 6*ms, "level", "\"2\"\x1b").note(1, 7*ms, "map", "sea")
	s.note(2, 8*ms, "other", "goroutine").note(1, 12*ms, "route", "/unit").note(1, 22*ms, "job", "of a unit").note(1, 40*ms, "level", "3")
	inUnit(s, 1, 10*ms, 15*ms).span(1, 20*ms, 25*ms)
	s.t.Events = append(s.t.Events, profile.Event{Kind: profile.LinkEvent, Lane: s.lane(1), Zone: -1, Path: -1, Start: 20 * ms, Task: 7})
	read(s)
	read(at(120 * ms))
	read(at(160 * ms))
	l := m.loops[0]
	if len(l.latest) != 2 {
		t.Fatalf("%d frames", len(l.latest))
	}
	text := string(m.appendExtras(nil, new(cursor), l, nil, l.latest, nil))
	if want := `,"notes":[[1,"level","\"2\"\u001b","map","sea"],[2,"level","3"]]`; text != want {
		t.Errorf("%s, want %s", text, want)
	}
	before := l.bytes
	l.store.clear()
	if len(l.said.notes) != 0 || before < int64(len(text)) {
		t.Errorf("%d notes are kept, of frames that ended", len(l.said.notes))
	}
}

func TestNotesOfFramesAreBounded(t *testing.T) {
	m := newModel(1 << 20)
	m.read(at(ms).turn("loop", 1, 0).t)
	s := at(80 * ms)
	for i := range 2 * mostPending {
		s.note(1, clock.Instant(1000+i), fmt.Sprint("key ", i), "x")
	}
	m.read(s.t)
	if n := len(m.loops[0].said.notes); n != mostPending {
		t.Errorf("%d notes are kept", n)
	}
	m.read(at(90*ms).turn("loop", 1, 85*ms).t)
	m.read(at(120 * ms).t)
	m.read(at(160 * ms).t)
	if k := m.loops[0].latest; len(k) != 1 || len(k[0].notes) != mostKeys {
		t.Errorf("%v", k[0].notes)
	}
}

// snapshot.json has the slowest unit of each root zone, with the cause, or why there is none; not what is older than a minute.
func TestTheSlowestUnitOfEachRootZoneIsTold(t *testing.T) {
	s, _ := unitServer(t)
	const at = 1 << 40
	var all []slowestUnit
	s.play(func(m *model) { all = m.slowest(at + 100*ms) })
	if len(all) != 1 || all[0].Took != 30*time.Millisecond || all[0].Zone != 0 || all[0].Cause != "" || !strings.Contains(all[0].Unknown, "is it started?") || len(all[0].Notes) != 1 {
		t.Errorf("%+v", all)
	}
	s.play(func(m *model) {
		r := capture.Numbered{Number: 1, Report: capture.Report{Root: "request", Unit: "span", Took: 30 * time.Millisecond, Cause: capture.Lock,
			Evidence: &capture.Evidence{Unit: profile.Unit{Zone: 0, Lane: 3, Goroutine: 13, Start: at + ms, Took: 30 * time.Millisecond}}}}
		other := r
		other.Number, other.Took = 2, 31*time.Millisecond
		m.reports.read([]capture.Numbered{r, other}, func(*profile.Unit) {})
		all = m.slowest(at + 100*ms)
	})
	if len(all) != 1 || all[0].Cause != "lock" || all[0].Text == "" || all[0].Unknown != "" {
		t.Errorf("%+v", all)
	}
	s.play(func(m *model) { all = m.slowest(at + 100*ms + clock.Instant(slowestFor)) })
	if len(all) != 0 {
		t.Errorf("it is older than a minute: %+v", all)
	}
}
