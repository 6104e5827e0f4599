// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

func TestNestRebuildsTheTreeFromDepths(t *testing.T) {
	var n nester // used again for each, as the writers do
	for seed := range uint64(500) {
		tree := grow(rand.New(rand.NewPCG(seed, 0)), 0, 3000, 4)
		got, want := n.nest(record(tree, 0, 0)), walk(tree, 0)
		if len(got) != len(want) {
			t.Fatalf("seed %d: %d spans, want %d", seed, len(got), len(want))
		}
		for i := range got {
			if got[i].zone != want[i].zone || got[i].level != want[i].level {
				t.Fatalf("seed %d: span %d is zone %d at level %d, want %d at %d", seed, i, got[i].zone, got[i].level, want[i].zone, want[i].level)
			}
		}
	}
}

func TestNestedSpansNeitherStickOutNorOverlap(t *testing.T) {
	check := func(what string, seed uint64, spans []span) {
		var path []span
		for i, s := range spans {
			if s.end < s.start || s.level > len(path) {
				t.Fatalf("%s %d: span %d is %+v, with %d around it", what, seed, i, s, len(path))
			}
			if s.level < len(path) && path[s.level].end > s.start {
				t.Fatalf("%s %d: span %d starts at %d, before its sibling ended at %d", what, seed, i, s.start, path[s.level].end)
			}
			path = path[:s.level]
			if s.level > 0 && (s.start < path[s.level-1].start || s.end > path[s.level-1].end) {
				t.Fatalf("%s %d: span %d, %+v, sticks out of %+v", what, seed, i, s, path[s.level-1])
			}
			path = append(path, s)
		}
	}
	var n nester
	for seed := range uint64(500) {
		check("program", seed, n.nest(record(grow(rand.New(rand.NewPCG(seed, 0)), 0, 3000, 4), 0, 0)))
		n.lanes(noise(seed, "x").Events, func(_ int, spans []span) { check("noise", seed, spans) })
	}
}

func TestRoundingMovesASpanByANanosecondAtMost(t *testing.T) {
	var n nester
	for seed := range uint64(200) {
		events := record(grow(rand.New(rand.NewPCG(seed, 0)), 0, 3000, 3), 0, 0)
		spans := n.nest(events)
		byStart := map[int64]int64{} // remaining number of spans by start
		for _, e := range events {
			byStart[int64(e.Start)]++
		}
		for _, s := range spans {
			if byStart[int64(s.start)] == 0 && byStart[int64(s.start)+1] == 0 {
				t.Fatalf("seed %d: no event starts near %d", seed, s.start)
			}
		}
	}
}

func TestSpansWithinOneThatHasNotEndedAreOutermost(t *testing.T) {
	var n nester
	spans := n.nest([]profile.Event{{Zone: 1, Depth: 3, Start: 5, Took: 1}, {Zone: 2, Depth: 2, Start: 4, Took: 4}, {Zone: 3, Depth: 3, Start: 9, Took: 1}})
	want := []span{{2, 0, 4, 8, false, 2}, {1, 1, 5, 6, false, 3}, {3, 0, 9, 10, false, 3}}
	for i := range want {
		if spans[i] != want[i] {
			t.Errorf("span %d is %+v, want %+v", i, spans[i], want[i])
		}
	}
}

func TestSpansAtTheLargestDepthNest(t *testing.T) {
	var events []profile.Event
	for depth := 255; depth >= 0; depth-- {
		events = append(events, profile.Event{Kind: profile.SpanEvent, Depth: depth, Start: clock.Instant(depth), Took: time.Duration(600 - 2*depth)})
	}
	var n nester
	for i, s := range n.nest(events) {
		if s.level != i || s.start != clock.Instant(i) || s.end != clock.Instant(600-i) {
			t.Fatalf("span %d is %+v", i, s)
		}
	}
}
