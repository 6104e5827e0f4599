// SPDX-License-Identifier: BSD-3-Clause

package strobetracy

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

var update = flag.Bool("update", false, "rewrite the golden streams")

// A laneOf runs random spans and passes them to a reader, as strobe does.
type laneOf struct {
	rng   *rand.Rand
	now   clock.Instant
	open  []profile.Event // outermost first
	ended []profile.Event
	all   []profile.Event // in the order of their ends
	exit  bool            // the latest step ended a span
}

// step begins or ends a span. Path and zone are determined by the depth, so that spans of one path follow each other closely.
func (l *laneOf) step() {
	l.now += clock.Instant(10 + l.rng.Int64N(50))
	if l.rng.IntN(1000) == 0 {
		l.now += clock.Instant(l.rng.Int64N(6e9))
	}
	l.exit = false
	if depth := len(l.open); depth == 0 || depth < 6 && l.rng.IntN(2) == 0 {
		l.open = append(l.open, profile.Event{Kind: profile.SpanEvent, Zone: depth % 3, Path: int(depth), Depth: depth, Start: l.now})
		return
	}
	s := l.open[len(l.open)-1]
	l.open = l.open[:len(l.open)-1]
	s.Took = l.now.Sub(s.Start)
	l.ended = append(l.ended, s)
	l.all = append(l.all, s)
	l.exit = true
}

// read returns the new events. A span is in neither list while its Exit is interrupted.
func (l *laneOf) read(lane int) (events []profile.Event) {
	n := len(l.ended)
	if n > 0 && l.exit && l.rng.IntN(2) == 0 {
		n--
	}
	for _, s := range l.ended[:n] {
		s.Lane = lane
		events = append(events, s)
	}
	l.ended = slices.Clone(l.ended[n:])
	for _, s := range slices.Backward(l.open) {
		s.Lane, s.Open = lane, true
		events = append(events, s)
	}
	return events
}

func TestZonesAreTheSpans(t *testing.T) {
	for seed := range uint64(12) {
		for i := range dialects {
			rng := rand.New(rand.NewPCG(seed, 1))
			lanes := []*laneOf{{rng: rng}, {rng: rng, now: 1000}, {rng: rng, now: 1e9}}
			var out bytes.Buffer
			e := &encoder{w: &out, d: &dialects[i]}
			all := newThreads()
			for range 200 {
				reading := profile.Timeline{}
				for id, l := range lanes {
					for range rng.IntN(40) {
						l.step()
					}
					if events := l.read(len(reading.Lanes)); len(events) > 0 {
						reading.Lanes = append(reading.Lanes, profile.TimelineLane{LaneInfo: profile.LaneInfo{ID: id}})
						reading.Events = append(reading.Events, events...)
					}
					reading.At = max(reading.At, l.now)
				}
				all.add(e, &reading)
			}
			e.flush()
			d := newDecoder(t, e.d)
			d.all(out.Bytes())
			for id, l := range lanes {
				told := l.all[:len(l.all)-len(l.ended)-len(all.all[id].held)]
				var want []decoded
				for _, s := range told {
					want = append(want, decoded{location(s.Zone), s.Start, s.Start + clock.Instant(s.Took), s.Depth})
				}
				if got := d.zones[number(id)]; !slices.Equal(got, want) {
					t.Errorf("seed %d, %s, lane %d: %d zones of %d spans, or not as they were", seed, e.d.release, id, len(got), len(want))
				}
			}
		}
	}
}

// A zone whose end was lost ends when the next span at its depth begins, or after a while.
func TestZonesWithLostEndsAreEnded(t *testing.T) {
	var out bytes.Buffer
	e := &encoder{w: &out, d: &dialects[0]}
	all := newThreads()
	lane := []profile.TimelineLane{{LaneInfo: profile.LaneInfo{ID: 4}}}
	open := profile.Event{Kind: profile.SpanEvent, Zone: 1, Path: 1, Start: 100, Open: true}
	all.add(e, &profile.Timeline{At: 200, Lanes: lane, Events: []profile.Event{open}})
	all.add(e, &profile.Timeline{At: 300, Lanes: lane, Events: []profile.Event{{Kind: profile.SpanEvent, Zone: 2, Path: 2, Start: 250, Took: 20}}})
	all.add(e, &profile.Timeline{At: 400, Lanes: lane, Events: []profile.Event{{Kind: profile.SpanEvent, Zone: 1, Path: 1, Start: 350, Open: true}}})
	for i := range grace + 1 {
		all.add(e, &profile.Timeline{At: clock.Instant(500 + i)})
	}
	e.flush()
	d := newDecoder(t, e.d)
	d.all(out.Bytes())
	want := []decoded{{location(1), 100, 250, 0}, {location(2), 250, 270, 0}, {location(1), 350, 600, 0}}
	if !slices.Equal(d.zones[5], want) {
		t.Errorf("%+v, want %+v", d.zones[5], want)
	}
}

// stream returns what a session sends for a hand-written program, and the answers to all of Tracy's queries about it.
func stream(d *dialect) []byte {
	var out bytes.Buffer
	s := &session{e: &encoder{w: &out, d: d}, threads: newThreads(), names: newNames()}
	ms := func(n float64) clock.Instant { return clock.Instant(n * 1e6) }
	zones := []profile.ZoneInfo{{Name: "update", Where: "/src/game/update.go:12"}, {Name: "draw", Where: "/src/game/draw.go:7"}}
	lanes := []profile.TimelineLane{{LaneInfo: profile.LaneInfo{ID: 0, Name: "main"}}, {LaneInfo: profile.LaneInfo{ID: 1, Name: "loader"}}}
	var events, marks []profile.Event
	for i := range 5 {
		at := ms(100 + 16.7*float64(i))
		events = append(events, profile.Event{Kind: profile.SpanEvent, Zone: 1, Path: 1, Depth: 1, Start: at + ms(2), Took: 3 * time.Millisecond},
			profile.Event{Kind: profile.SpanEvent, Zone: 0, Path: 0, Start: at + ms(1), Took: 10 * time.Millisecond})
		marks = append(marks, profile.Event{Kind: profile.FrameEvent, Zone: -1, Path: -1, Start: at, Name: "main"},
			profile.Event{Kind: profile.PlotEvent, Zone: -1, Path: -1, Start: at, Name: "heap", Value: float64(i) * 1.5})
	}
	loader := profile.Event{Kind: profile.SpanEvent, Lane: 1, Zone: 0, Path: 0, Start: ms(101), Took: 60 * time.Millisecond, Open: true}
	marks = append(marks, profile.Event{Kind: profile.MessageEvent, Lane: 1, Zone: -1, Path: -1, Start: ms(150), Name: "level loaded"})
	s.send(&profile.Timeline{At: ms(190), Zones: zones, Lanes: lanes, Events: append(append(events, loader), marks...)})
	loader.Lane, loader.Open, loader.Took = 0, false, 6*time.Second
	s.send(&profile.Timeline{At: ms(7000), Zones: zones, Lanes: lanes[1:], Events: []profile.Event{loader}})
	s.e.code(d.terminate)
	s.e.flush()
	return out.Bytes()
}

func TestStreamsAreTheGoldenOnes(t *testing.T) {
	for i := range dialects {
		d := &dialects[i]
		file := filepath.Join("testdata", fmt.Sprint("protocol", d.version, ".stream"))
		got := stream(d)
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what is sent: see testdata/README.md", file)
		}
		x := newDecoder(t, d)
		x.all(got)
		main := slices.SortedFunc(slices.Values(x.zones[1]), func(a, b decoded) int { return cmp.Compare(a.start, b.start) })
		if len(main) != 10 || main[0].location != location(0) || main[1].location != location(1) || main[1].depth != 1 || len(x.frames[0]) != 5 ||
			len(x.plots) != 1 || len(x.messages) != 1 || x.messages[0] != "2: level loaded" || !x.ended {
			t.Errorf("%+v, %v, %v, %v", main, x.frames, x.plots, x.messages)
		}
		if l := x.zones[2]; len(l) != 1 || l[0].end-l[0].start != 6e9 {
			t.Errorf("the span that was open: %+v", l)
		}
	}
}

// Readings leave out a lane whose spans have been open for long, until something happens on it.
func TestZonesOfAParkedLaneStayOpen(t *testing.T) {
	var out bytes.Buffer
	e := &encoder{w: &out, d: &dialects[0]}
	all := newThreads()
	lane := []profile.TimelineLane{{LaneInfo: profile.LaneInfo{ID: 4}, Parked: true}}
	span := profile.Event{Kind: profile.SpanEvent, Zone: 1, Path: 1, Start: 100, Open: true}
	all.add(e, &profile.Timeline{At: 200, Lanes: lane, Events: []profile.Event{span}})
	for i := range grace + 10 {
		all.add(e, &profile.Timeline{At: clock.Instant(300 + i)})
	}
	span.Open, span.Took = false, 900
	lane[0].Parked = false
	all.add(e, &profile.Timeline{At: 1100, Lanes: lane, Events: []profile.Event{span}})
	e.flush()
	d := newDecoder(t, e.d)
	d.all(out.Bytes())
	if want := []decoded{{location(1), 100, 1000, 0}}; !slices.Equal(d.zones[5], want) {
		t.Errorf("%+v, want %+v", d.zones[5], want)
	}
}
