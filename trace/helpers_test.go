// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"math/rand/v2"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// A node is a span of a made-up program, its times in ticks of a third of a nanosecond.
type node struct {
	zone       int
	start, end int64
	inside     []*node
}

// grow makes successive spans within [start, end], some without a pause or a duration.
func grow(r *rand.Rand, start, end int64, depth int) (out []*node) {
	for at := start; at < end && len(out) < 4; {
		n := &node{zone: r.IntN(3), start: at + int64(r.IntN(3)), end: at}
		n.start = min(n.start, end)
		n.end = n.start + r.Int64N(end-n.start+1)
		if depth > 0 {
			n.inside = grow(r, n.start, n.end, depth-1)
		}
		out = append(out, n)
		at = n.end
	}
	return out
}

// record lists the spans as TakeTimeline does: in the order of their ends, with each time rounded separately.
func record(nodes []*node, lane, depth int) (out []profile.Event) {
	for _, n := range nodes {
		out = append(out, record(n.inside, lane, depth+1)...)
		out = append(out, profile.Event{Kind: profile.SpanEvent, Lane: lane, Zone: n.zone, Depth: depth, Start: clock.Instant((n.start + 2) / 3),
			Took: time.Duration((n.end - n.start) / 3)})
	}
	return out
}

// walk lists the spans outermost first.
func walk(nodes []*node, level int) (out []span) {
	for _, n := range nodes {
		out = append(out, span{zone: n.zone, level: level})
		out = append(out, walk(n.inside, level+1)...)
	}
	return out
}

func lane(id int, name string) profile.TimelineLane {
	return profile.TimelineLane{LaneInfo: profile.LaneInfo{ID: id, Name: name}}
}

func at(d time.Duration) clock.Instant { return clock.Instant(d) }

// game returns a timeline with every kind of event: two lanes, one of which waits, frames, a plot and messages.
func game() profile.Timeline {
	const ms, us = time.Millisecond, time.Microsecond
	t := profile.Timeline{
		At: at(20 * ms),
		Zones: []profile.ZoneInfo{
			{Name: "frame", Where: "game/main.go:12", Every: 1},
			{Name: "physics", Where: "game/world.go:40", Every: 1},
			{Name: "collide", Where: "game/world.go:77", Every: 1},
			{Name: "lock", Where: "game/audio.go:9", Wait: true, Every: 1},
		},
		Lanes: []profile.TimelineLane{lane(0, "main"), lane(1, "g21"), lane(2, "idle")},
		Lost:  7,
		Notes: []string{"an example"},
	}
	for i := range time.Duration(3) {
		from := i*5*ms + 500*us
		t.Events = append(t.Events,
			profile.Event{Kind: profile.SpanEvent, Lane: 0, Zone: 2, Depth: 2, Start: at(from + 600*us), Took: 400 * us},
			profile.Event{Kind: profile.SpanEvent, Lane: 0, Zone: 2, Depth: 2, Start: at(from + 1200*us), Took: 300*us + 5},
			profile.Event{Kind: profile.SpanEvent, Lane: 0, Zone: 1, Depth: 1, Start: at(from + 500*us), Took: 1500 * us},
			profile.Event{Kind: profile.SpanEvent, Lane: 0, Zone: 0, Depth: 0, Start: at(from), Took: 4 * ms},
		)
	}
	for i := range time.Duration(2) {
		t.Events = append(t.Events, profile.Event{Kind: profile.SpanEvent, Lane: 1, Zone: 3, Depth: 1, Start: at(2*ms + i*4*ms), Took: 2 * ms})
	}
	for i := range time.Duration(3) {
		t.Events = append(t.Events, profile.Event{Lane: 0, Zone: -1, Start: at(i*5*ms + 400*us), Kind: profile.FrameEvent, Name: "main loop"},
			profile.Event{Lane: 0, Zone: -1, Start: at(i*5*ms + 450*us), Kind: profile.PlotEvent, Name: "heap", Value: float64(1+i) * 1.5})
	}
	t.Events = append(t.Events, profile.Event{Lane: 1, Zone: -1, Start: at(3 * ms), Kind: profile.MessageEvent, Name: "level loaded"},
		profile.Event{Lane: -1, Zone: -1, Start: at(4 * ms), Kind: profile.MessageEvent, Name: "autosave"})
	return t
}

// noise returns a timeline that no program makes: arbitrary bytes in names, indices and times out of range, any order.
func noise(seed uint64, names ...string) profile.Timeline {
	r := rand.New(rand.NewPCG(seed, 1))
	name := func() string { return names[r.IntN(len(names))] }
	wide := func() int64 { return int64(r.Uint64()) >> r.IntN(64) }
	t := profile.Timeline{At: clock.Instant(wide()), Lost: r.Uint64(), Notes: []string{name()}}
	for range r.IntN(4) {
		t.Zones = append(t.Zones, profile.ZoneInfo{Name: name(), Where: name(), Wait: r.IntN(2) == 0, Root: r.IntN(2) == 0})
	}
	for range r.IntN(4) {
		t.Lanes = append(t.Lanes, lane(len(t.Lanes), name()))
	}
	for range r.IntN(50) {
		e := profile.Event{Kind: profile.SpanEvent, Lane: r.IntN(6) - 1, Zone: r.IntN(6) - 1, Depth: r.IntN(5) - 1, Start: clock.Instant(wide()), Took: time.Duration(wide())}
		if r.IntN(3) == 0 {
			e.Kind, e.Name, e.Text, e.Task = profile.Kind(2+r.IntN(8)), name(), name(), r.Uint64N(3)
			e.Value = 1 / float64(r.IntN(3)) * float64(r.IntN(3)-1)
		}
		t.Events = append(t.Events, e)
	}
	return t
}
