// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/strobe-go/strobe/profile"
)

func TestStacksOfATimelineAreThoseOfTheProgram(t *testing.T) {
	in := game()
	in.Lost = 0
	p := stacksOf(t, in)
	const us = int64(time.Microsecond)
	for what, c := range map[string]struct{ got, want map[string]int64 }{
		"calls": {p.calls(), map[string]int64{"main|frame": 3, "main|frame;physics": 3, "main|frame;physics;collide": 6, "g21|lock": 2}},
		"self times": {p.selfs(), map[string]int64{"main|frame": 3 * 2500 * us, "main|frame;physics": 3 * (800*us - 5),
			"main|frame;physics;collide": 3 * (700*us + 5), "g21|lock": 4000 * us}},
	} {
		if !maps.Equal(c.got, c.want) {
			t.Errorf("%s: %v, want %v", what, c.got, c.want)
		}
	}
}

func TestSelfTimesAddUpToTheTimeOfTheOutermost(t *testing.T) {
	for seed := range uint64(200) {
		in := profile.Timeline{Zones: make([]profile.ZoneInfo, 3)}
		var want time.Duration
		var calls int64
		for l := range 3 {
			tree := grow(rand.New(rand.NewPCG(seed, uint64(l))), 0, 3000, 4)
			in.Lanes = append(in.Lanes, lane(l, ""))
			in.Events = append(in.Events, record(tree, l, 0)...)
			calls += int64(len(walk(tree, 0)))
			var n nester
			for _, s := range n.nest(record(tree, l, 0)) {
				if s.level == 0 {
					want += s.end.Sub(s.start)
				}
			}
		}
		var self, n int64
		for _, s := range stacksOf(t, in).samples {
			if s.self < 0 {
				t.Fatalf("seed %d: a self time of %d", seed, s.self)
			}
			n, self = n+s.calls, self+s.self
		}
		if n != calls || self != int64(want) {
			t.Fatalf("seed %d: %d calls and %d ns, want %d and %d", seed, n, self, calls, want)
		}
	}
}

// The ring kept the last two of ten spans inside one. The time before them is not self time.
func TestTimeBeforeTheFirstSpanHeldIsNotSelfTimeIfSpansWereLost(t *testing.T) {
	in := profile.Timeline{Zones: []profile.ZoneInfo{{Name: "outer"}, {Name: "inner"}}, Lanes: []profile.TimelineLane{lane(0, "l")},
		Events: []profile.Event{
			{Kind: profile.SpanEvent, Zone: 1, Depth: 1, Start: 80, Took: 9}, {Kind: profile.SpanEvent, Zone: 1, Depth: 1, Start: 90, Took: 9}, {Kind: profile.SpanEvent, Zone: 0, Depth: 0, Start: 0, Took: 100}}}
	for lost, want := range []int64{82, 2} {
		in.Lost, in.Lanes[0].Lost = uint64(lost), uint64(lost)
		if got := stacksOf(t, in).selfs()["l|outer"]; got != want {
			t.Errorf("%d lost: self time %d, want %d", lost, got, want)
		}
	}
}

func TestOpenSpanIsTimeButNoCall(t *testing.T) {
	in := profile.Timeline{Zones: []profile.ZoneInfo{{Name: "outer"}, {Name: "inner"}}, Lanes: []profile.TimelineLane{lane(0, "l")}, At: 100,
		Events: []profile.Event{{Kind: profile.SpanEvent, Zone: 1, Depth: 1, Start: 80, Took: 9}, {Kind: profile.SpanEvent, Zone: 0, Depth: 0, Start: 0, Took: 100, Open: true}}}
	p := stacksOf(t, in)
	if calls, self := p.calls(), p.selfs(); calls["l|outer"] != 0 || calls["l|outer;inner"] != 1 || self["l|outer"] != 91 {
		t.Errorf("calls %v, self times %v", calls, self)
	}
}
