// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/race"
	"github.com/strobe-go/strobe/profile"
)

// us is the smallest time in a world, well above the tolerance for instants.
const us = 1000

// A world is what a program did: all spans, with their paths, and the marks of a loop.
type world struct {
	paths []profile.Path
	spans []worldSpan
	marks []clock.Instant
	lanes int
}

type worldSpan struct {
	lane, depth int
	path        int
	from, to    clock.Instant
}

// path returns the number of a path.
func (w *world) path(parent, zone int) int {
	p := profile.Path{Parent: parent, Zone: zone}
	if i := slices.Index(w.paths, p); i >= 0 {
		return i
	}
	w.paths = append(w.paths, p)
	return len(w.paths) - 1
}

// grow fills from..to of a lane with spans at random, nested and recursive.
func (w *world) grow(r *rand.Rand, lane, depth int, parent int, from, to clock.Instant) {
	for at := from; at < to; {
		at += random(r, (to-from)/3)
		end := at + random(r, (to-from)/2)
		if end > to {
			return
		}
		p := w.path(parent, int(r.Int32N(3)))
		if depth < 5 && end-at > 10*us {
			w.grow(r, lane, depth+1, p, at, end)
		}
		w.spans = append(w.spans, worldSpan{lane, depth, p, at, end}) // after the spans inside it: in the order of their ends
		at = end
	}
}

// random returns a time of up to most, in whole µs, and sometimes 0.
func random(r *rand.Rand, most clock.Instant) clock.Instant {
	return clock.Instant(r.Int64N(int64(most/us)+2)) * us
}

func randomWorld(r *rand.Rand, lanes int, length clock.Instant) *world {
	w := &world{lanes: lanes}
	for l := range lanes {
		w.grow(r, l, 0, -1, 0, length)
	}
	for at := random(r, length/10); at < length; at += random(r, length/20) {
		w.marks = append(w.marks, at)
	}
	return w
}

// reading returns what a reader sees of the world at an instant, after a reading at the instant before. delay returns how long
// after its end a span is reported.
func (w *world) reading(before, at clock.Instant, delay func(i int) clock.Instant) profile.Timeline {
	t := profile.Timeline{At: at, Paths: w.paths}
	for l := range w.lanes {
		var open []profile.Event
		any := false
		for i, s := range w.spans {
			if s.lane != l {
				continue
			}
			reported := s.to + delay(i)
			e := profile.Event{Kind: profile.SpanEvent, Lane: len(t.Lanes), Path: s.path, Zone: int(w.paths[s.path].Zone), Depth: s.depth, Start: s.from, Took: time.Duration(s.to - s.from)}
			switch {
			case reported > before && reported <= at:
				t.Events, any = append(t.Events, e), true
			case s.from <= at && s.to > at:
				e.Open, e.Took = true, time.Duration(at-s.from)
				open = append(open, e)
			}
		}
		slices.SortStableFunc(open, func(a, b profile.Event) int { return b.Depth - a.Depth })
		t.Events = append(t.Events, open...)
		if any || len(open) > 0 {
			t.Lanes = append(t.Lanes, profile.TimelineLane{LaneInfo: profile.LaneInfo{ID: 10 + l, Name: fmt.Sprint("g", l)}})
		}
	}
	for _, m := range w.marks {
		if m > before && m <= at {
			t.Events = append(t.Events, profile.Event{Kind: profile.FrameEvent, Lane: -1, Zone: -1, Path: -1, Start: m, Name: "loop"})
		}
	}
	return t
}

// A sum identifies a frame, a lane and a path, whose time in the frame is added up.
type sum struct {
	lane  int
	path  int
	start clock.Instant
}

type figures struct {
	calls uint64
	total time.Duration
}

// oracle adds up the spans frame by frame in the simplest way.
func (w *world) oracle(upTo clock.Instant) map[sum]figures {
	all := make(map[sum]figures)
	for i := 0; i+1 < len(w.marks) && w.marks[i+1] <= upTo; i++ {
		a, b := w.marks[i], w.marks[i+1]
		for _, s := range w.spans {
			f := all[sum{10 + s.lane, s.path, a}]
			if s.to > a && s.to <= b {
				f.calls++
			}
			for x := max(s.from, a); x < min(s.to, b); { // piece by piece
				step := min(min(s.to, b)-x, 7*us)
				f.total += time.Duration(step)
				x += step
			}
			if f != (figures{}) {
				all[sum{10 + s.lane, s.path, a}] = f
			}
		}
	}
	return all
}

// cut passes readings through a model and returns the contents of its frames, and until when they are complete.
func cut(t *testing.T, readings []profile.Timeline) (all map[sum]figures, upTo clock.Instant) {
	t.Helper()
	m := newModel(1 << 30)
	for _, r := range readings {
		upTo = m.tracks.at
		m.read(r)
	}
	return m.framesOf(t, readings[0].Paths, upTo), upTo
}

// framesOf returns the contents of the frames of a model, which are complete up to an instant.
func (m *model) framesOf(t *testing.T, paths []profile.Path, upTo clock.Instant) map[sum]figures {
	t.Helper()
	all := make(map[sum]figures)
	l, last := m.find("loop"), clock.Instant(-1)
	for i, k := range l.latest {
		var f []int64
		if err := json.Unmarshal(k.text, &f); err != nil || len(f)%3 != 0 {
			t.Fatalf("%s: %v", k.text, err)
		}
		start, end := clock.Instant(f[1]), clock.Instant(f[1]+f[2])
		if k.number != l.latest[0].number+uint64(i) || k.number != uint64(f[0]) || int64(k.took) != f[2] || i > 0 && start != last || end > upTo {
			t.Fatalf("frame %d from %d to %d after one up to %d; all is known up to %d", f[0], start, end, last, upTo)
		}
		last = end
		for f = f[3:]; len(f) > 0; f = f[3:] {
			key := sum{m.paths.all[f[0]].lane, original(m, paths, int(f[0])), start}
			if _, found := all[key]; found {
				t.Fatalf("%s: a path twice", k.text)
			}
			all[key] = figures{uint64(f[1]), time.Duration(f[2])}
		}
	}
	return all
}

// original returns the path of the timelines that has a number; -1 for none.
func original(m *model, paths []profile.Path, number int) int {
	if number < 0 {
		return -1
	}
	p := m.paths.all[number]
	return slices.Index(paths, profile.Path{Parent: original(m, paths, int(p.parent)), Zone: int(p.zone)})
}

func compare(t *testing.T, got, want map[sum]figures) {
	t.Helper()
	for k, f := range want {
		if got[k] != f {
			t.Errorf("frame at %d, lane %d, path %d: %+v, want %+v", k.start, k.lane, k.path, got[k], f)
		}
	}
	for k, f := range got {
		if _, found := want[k]; !found && f != (figures{}) {
			t.Errorf("frame at %d, lane %d, path %d: %+v, want nothing", k.start, k.lane, k.path, f)
		}
	}
}

// instants returns ascending instants of readings; only the last two are beyond length.
func instants(r *rand.Rand, length clock.Instant) (all []clock.Instant) {
	for at := random(r, length/4); at < length; at += random(r, length/8) + us { // some coincide with the end of a span or a frame
		all = append(all, at)
	}
	return append(all, length+us, length+2*us, length+3*us)
}

func TestFramesHoldTheSpansClippedToThem(t *testing.T) {
	race.Sequential(t)
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		length := us * clock.Instant(1000+r.Int64N(100_000))
		w := randomWorld(r, 1+r.IntN(4), length)
		var readings []profile.Timeline
		before := clock.Instant(-1)
		for _, at := range instants(r, length) {
			readings = append(readings, w.reading(before, at, func(int) clock.Instant { return 0 }))
			before = at
		}
		got, upTo := cut(t, readings)
		want := w.oracle(upTo)
		if len(want) == 0 && len(w.marks) > 3 && len(w.spans) > 3 {
			t.Logf("seed %d: %d marks, %d spans, nothing to compare", seed, len(w.marks), len(w.spans))
		}
		if compare(t, got, want); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// A span that ends while a reading is taken may be missing from it: neither open nor ended.
func TestSpansMissingFromOneReadingAreCountedInFull(t *testing.T) {
	race.Sequential(t)
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		length := us * clock.Instant(1000+r.Int64N(100_000))
		w := randomWorld(r, 1+r.IntN(4), length)
		at := instants(r, length)
		delays := make([]clock.Instant, len(w.spans))
		for i, s := range w.spans {
			j, _ := slices.BinarySearch(at, s.to)
			if gap := at[min(j, len(at)-1)] - s.to; j+1 < len(at) && r.IntN(3) == 0 {
				delays[i] = gap + 1 // reported with the next reading
			}
		}
		for i := range w.spans { // if a span is reported late, spans that end after it on the same lane are as late
			for j := range i {
				if w.spans[j].lane == w.spans[i].lane {
					delays[i] = max(delays[i], w.spans[j].to+delays[j]-w.spans[i].to)
				}
			}
		}
		var readings []profile.Timeline
		before := clock.Instant(-1)
		for _, a := range at {
			readings = append(readings, w.reading(before, a, func(i int) clock.Instant { return delays[i] }))
			before = a
		}
		got, upTo := cut(t, readings)
		if compare(t, got, w.oracle(upTo)); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
