// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// unitReading is a reading in which a request on lane 3 took 30 ms and one on lane 4 took 5 ms; of the former, 20 ms were work of
// lane 5.
func unitReading(at clock.Instant) profile.Timeline {
	lane := func(id int) profile.TimelineLane {
		return profile.TimelineLane{LaneInfo: profile.LaneInfo{ID: id, Name: "g" + string(rune('0'+id))}}
	}
	span := func(lane, path, depth int, from, to clock.Instant) profile.Event {
		return profile.Event{Kind: profile.SpanEvent, Lane: lane, Path: path, Zone: path, Depth: depth, Goroutine: int64(lane) + 13, Start: at + from, Took: time.Duration(to - from)}
	}
	mark := func(e profile.Event, lane int, after clock.Instant) profile.Event {
		e.Lane, e.Start, e.Zone, e.Path = lane, at+after, -1, -1
		return e
	}
	return profile.Timeline{At: at + 100*ms, Lanes: []profile.TimelineLane{lane(3), lane(4), lane(5)},
		Zones: []profile.ZoneInfo{{Name: "request", Root: true, Every: 1}, {Name: "query", Every: 1}, {Name: "resize", Every: 1}},
		Paths: []profile.Path{{Parent: -1, Zone: 0}, {Parent: 0, Zone: 1}, {Parent: -1, Zone: 2}},
		Events: []profile.Event{span(0, 1, 1, 2*ms, 12*ms), span(0, 0, 0, ms, 31*ms), span(1, 1, 1, 2*ms, 3*ms), span(1, 0, 0, ms, 6*ms), span(2, 2, 0, 8*ms, 28*ms),
			mark(profile.Event{Kind: profile.NoteEvent, Name: "route", Text: "/\x1b[31m"}, 0, 3*ms), mark(profile.Event{Kind: profile.TaskEvent, Task: 9}, 0, 4*ms),
			mark(profile.Event{Kind: profile.LinkEvent, Task: 9}, 2, 8*ms)}}
}

// unitServer returns a server whose program had the units of a reading, and a viewer of these.
func unitServer(t *testing.T) (*Server, *viewer) {
	t.Helper()
	s := New(Options{RecordBytes: -1})
	t.Cleanup(func() { s.Close() })
	s.play(func(m *model) { m.read(unitReading(1 << 40)) })
	return s, &viewer{c: s.collector, run: s.run, zone: anyRoot}
}

// play changes the model of a server, which also reads by itself.
func (s *Server) play(change func(*model)) {
	s.collector.mu.Lock()
	defer s.collector.mu.Unlock()
	change(s.collector.model)
}

func TestAViewerOfARootZoneGetsItsUnits(t *testing.T) {
	s, v := unitServer(t)
	text, more := v.messages(nil)
	if more {
		t.Error("there is more")
	}
	var h hello
	_, data, _ := strings.Cut(string(text), "data: ")
	data, _, _ = strings.Cut(data, "\n")
	if err := json.Unmarshal([]byte(data), &h); err != nil || h.Root == nil || *h.Root != 0 || !slices.Equal(h.Roots, []int{0}) || h.Slice != 0 || h.Lane == nil || *h.Lane != ownLane {
		t.Errorf("%s: %v", data, err)
	}
	all := framesIn(t, text)
	if len(all) != 1 || !all[0].Reset || len(all[0].Units) != 2 || len(all[0].Frames) != 0 || len(all[0].Columns) == 0 || !all[0].Backlog {
		t.Fatalf("%+v", all)
	}
	if strings.Contains(string(text), "\x1b") {
		t.Error("a note controls the terminal")
	}
	paths := map[int32][4]int32{}
	for _, p := range all[0].Paths {
		paths[p[0]] = p
	}
	u := all[0].Units[slices.IndexFunc(all[0].Units, func(u []any) bool { return u[2] == 30e6 })]
	if u[3] != 3.0 || u[4] != 13.0 || u[5] != 1.0 || u[6] != 1.0 {
		t.Errorf("%v", u)
	}
	if notes, ok := u[7].([]any); !ok || len(notes) != 2 || notes[0] != "route" {
		t.Errorf("notes %v", u[7])
	}
	got := map[[2]int32]float64{} // lane and zone to time
	for k := 8; k < len(u); k += 3 {
		p := paths[int32(u[k].(float64))]
		got[[2]int32{p[1], p[3]}] += u[k+2].(float64)
	}
	if len(got) != 3 || got[[2]int32{ownLane, 0}] != 30e6 || got[[2]int32{ownLane, 1}] != 10e6 || got[[2]int32{linkedLane, 2}] != 20e6 {
		t.Errorf("%v", got)
	}
	cells := int64(0)
	for _, c := range all[0].Columns {
		for k := 3; k < len(c); k += 2 {
			cells += c[k]
		}
	}
	if cells != 2 {
		t.Errorf("%d units are counted", cells)
	}
	if text, _ := v.messages(nil); len(text) > 0 {
		t.Errorf("although nothing is new: %s", text)
	}
	s.play(func(m *model) { m.read(unitReading(2 << 40)) })
	text, _ = v.messages(nil)
	if all := framesIn(t, text); len(all) != 1 || all[0].Reset || len(all[0].Units) != 2 || all[0].Units[0][0] != 3.0 || all[0].Backlog {
		t.Errorf("the next units: %s", text)
	}
	s.collector.forget()
	text, _ = v.messages(nil)
	if all := framesIn(t, text); len(all) != 1 || !all[0].Reset || len(all[0].Units) != 0 {
		t.Errorf("after a reset: %s", text)
	}
}

// Frames and units together use the memory that frames use alone.
func TestUnitsAndFramesShareTheMemory(t *testing.T) {
	const limit = 200_000
	m := newModel(limit)
	for i := range clock.Instant(400) {
		r := unitReading((i + 1) * 1000 * ms)
		r.Events = append(r.Events, profile.Event{Kind: profile.FrameEvent, Lane: -1, Zone: -1, Path: -1, Name: "l", Start: r.At})
		m.read(r)
		frames := int64(0)
		for _, l := range m.loops {
			frames += l.bytes
		}
		if r := m.units.keeper.Root(0); frames > limit/2 || len(r.Longest()) == 0 {
			t.Fatalf("frames use %d bytes, %d units are kept", frames, len(r.Longest()))
		}
	}
	if m.loops[0].limit != limit/2 || m.memory() < m.units.keeper.Bytes() {
		t.Errorf("frames may use %d bytes; memory %d", m.loops[0].limit, m.memory())
	}
}

// A viewer that has not heard of root zones gets slices, and one that names a loop gets that.
func TestFramesAreSentUnlessARootZoneIsAskedFor(t *testing.T) {
	s, _ := unitServer(t)
	for _, v := range []*viewer{{c: s.collector, run: s.run}, {c: s.collector, run: s.run, zone: anyRoot, want: "l"}} {
		text, _ := v.messages(nil)
		if all := framesIn(t, text); len(all) == 0 || all[0].Reset || len(all[0].Units) > 0 || strings.Contains(string(text), `"root":0`) {
			t.Errorf("%s", text)
		}
	}
	v := &viewer{c: s.collector, run: s.run, zone: anyRoot}
	v.messages(nil)
	s.play(func(m *model) { m.read(at(3<<40).frame("l", 3<<40).t) })
	text, _ := v.messages(nil)
	if !strings.Contains(string(text), `"loop":"l"`) || strings.Contains(string(text), `"root":0`) {
		t.Errorf("when a loop has begun: %s", text)
	}
}

// A page that was opened shows the same units all the time, whatever others do.
func TestTheRootZoneWithMostTimeInUnitsIsShown(t *testing.T) {
	s := New(Options{RecordBytes: -1})
	defer s.Close()
	calls := func(at clock.Instant, zone, ms int) profile.Timeline {
		return profile.Timeline{At: at + clock.Instant(time.Second), Lanes: []profile.TimelineLane{{LaneInfo: profile.LaneInfo{ID: 0, Name: "g1"}}},
			Zones:  []profile.ZoneInfo{{Name: "tick", Root: true, Every: 1}, {Name: "request", Root: true, Every: 1}},
			Paths:  []profile.Path{{Parent: -1, Zone: 0}, {Parent: -1, Zone: 1}},
			Events: []profile.Event{{Kind: profile.SpanEvent, Start: at, Took: time.Duration(ms) * time.Millisecond, Path: zone, Zone: zone}}}
	}
	s.play(func(m *model) {
		m.read(calls(1<<40, 0, 5))
		m.read(calls(2<<40, 1, 7))
	})
	shows := func(v *viewer, zone string) {
		t.Helper()
		if text, _ := v.messages(nil); len(text) > 0 && !strings.Contains(string(text), `"root":`+zone) {
			t.Errorf("%s", text)
		}
		if v.root == nil || strconv.Itoa(v.root.Zone) != zone {
			t.Errorf("%+v is shown, want %s", v.root, zone)
		}
	}
	first := &viewer{c: s.collector, run: s.run, zone: anyRoot}
	shows(first, "1")
	s.play(func(m *model) {
		r := calls(3<<40, 0, 5)
		r.Zones = append(r.Zones, profile.ZoneInfo{Name: "job", Root: true, Every: 1}) // so that there is something to choose anew
		m.read(r)
	})
	text, _ := first.messages(nil)
	if first.root.Zone != 1 || strings.Contains(string(text), `"root":0`) {
		t.Errorf("%s", text)
	}
	shows(&viewer{c: s.collector, run: s.run, zone: anyRoot}, "0")
}

func TestAUnitThatHasNotEndedIsTold(t *testing.T) {
	s := New(Options{RecordBytes: -1})
	defer s.Close()
	r := unitReading(1 << 40)
	r.Events = r.Events[1:2]
	r.Events[0].Open = true
	r.At = 1<<40 + clock.Instant(5*time.Second)
	s.play(func(m *model) {
		m.read(r)
		open := m.openUnits(0)
		if len(m.units.keeper.Roots()) != 1 || len(open) != 1 || !strings.HasPrefix(string(open[0]), "[0,") {
			t.Errorf("%s", open)
		}
		if open := m.openUnits(1); len(open) > 0 {
			t.Errorf("of another zone: %s", open)
		}
	})
}

func TestTheSpansOfAUnitAreThoseOfItsLanes(t *testing.T) {
	s, _ := unitServer(t)
	number := uint64(0)
	s.play(func(m *model) {
		for _, k := range m.units.keeper.Root(0).After(0) {
			if k.Unit.Took == 30*time.Millisecond {
				number = k.Number
			}
		}
	})
	m := s.timelineOfUnit(0, number)
	if m.timelineOf == nil || len(m.Lanes) != 2 || !m.Lanes[0].Own || m.Lanes[0].ID != 3 || m.Lanes[0].Name != "g3" || m.Lanes[1].Own || m.Lanes[1].ID != 5 {
		t.Fatalf("%+v", m)
	}
	var all []pathNode
	s.play(func(m *model) { all = m.paths.all })
	var own, other []int64
	json.Unmarshal(m.Lanes[0].Spans, &own)
	json.Unmarshal(m.Lanes[1].Spans, &other)
	if len(own) != 6 || own[1] != 0 || own[2] != 30e6 || own[4] != 1e6 || own[5] != 10e6 || all[own[3]] != (pathNode{ownLane, int32(own[0]), 1}) {
		t.Errorf("its own spans: %v", own)
	}
	if len(other) != 3 || other[1] != 7e6 || other[2] != 20e6 || all[other[0]] != (pathNode{linkedLane, -1, 2}) {
		t.Errorf("linked spans: %v", other)
	}
	for _, m := range []timelineMessage{s.timelineOfUnit(0, 77), s.timelineOfUnit(1, 1)} {
		if m.timelineOf != nil || m.Reason == "" {
			t.Errorf("%+v", m)
		}
	}
}

func TestSlowUnitsAreTheSlowest(t *testing.T) {
	s, _ := unitServer(t)
	got := s.SlowUnits()
	if len(got) != 2 || got[1].Took != 30*time.Millisecond || got[0].Took != 5*time.Millisecond || got[1].Root != "request" || got[1].Run != s.run || len(got[1].Notes) != 1 || got[1].Number == 0 {
		t.Errorf("%+v", got)
	}
}

func TestAWrongRequestForUnitsIsRefused(t *testing.T) {
	s := serve(t, Options{RecordBytes: -1})
	for _, path := range []string{"unit", "unit?root=x&unit=1", "unit?root=1&unit=-1", "events?root=-2", "events?root=first"} {
		if a, text := request(t, s, "GET", path, ""); a.StatusCode != 400 || strings.Count(text, "\n") != 1 {
			t.Errorf("%s: %s, %q", path, a.Status, text)
		}
	}
	if a, text := request(t, s, "GET", "unit?root=1&unit=5", ""); a.StatusCode != 200 || !strings.Contains(text, `"reason":`) || !strings.Contains(text, `"root":1`) {
		t.Errorf("%s, %s", a.Status, text)
	}
}
