// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/strobe-go/strobe/profile"
)

// server returns a timeline of two requests on two lanes, the second of which is inside a span, calls itself and takes its task
// there. A worker makes a span for each, one for a request that was lost, and one before and after.
func server() profile.Timeline {
	span := func(lane, zone, depth int, from, took time.Duration) profile.Event {
		return profile.Event{Kind: profile.SpanEvent, Lane: lane, Zone: zone, Depth: depth, Start: at(from), Took: took}
	}
	mark := func(kind profile.Kind, lane, depth int, from time.Duration, task uint64) profile.Event {
		return profile.Event{Kind: kind, Lane: lane, Zone: -1, Path: -1, Depth: depth, Start: at(from), Task: task}
	}
	t := profile.Timeline{
		At:    at(1000),
		Zones: []profile.ZoneInfo{{Name: "request", Root: true}, {Name: "work"}, {Name: "serve"}},
		Lanes: []profile.TimelineLane{lane(0, "a"), lane(1, "b"), lane(2, "worker")},
		Events: []profile.Event{
			span(0, 0, 0, 10, 5), span(0, 0, 0, 20, 100),
			span(1, 0, 2, 60, 20), span(1, 0, 1, 50, 100), span(1, 2, 0, 40, 200),
			span(2, 1, 0, 10, 10), span(2, 1, 1, 30, 10), span(2, 2, 0, 30, 20), span(2, 1, 0, 70, 10), span(2, 1, 0, 90, 10),
			mark(profile.TaskEvent, 0, 0, 20, 1), mark(profile.LinkEvent, 2, 1, 30, 1),
			mark(profile.TaskEvent, 1, 0, 65, 2), mark(profile.LinkEvent, 2, 0, 70, 2), mark(profile.LinkEvent, 2, 0, 90, 99),
			mark(profile.TaskEvent, 0, 0, 500, 3),
			{Kind: profile.NoteEvent, Lane: 1, Zone: -1, Path: -1, Start: at(61), Name: "route", Text: "/cart?\x1b"},
		},
	}
	return t
}

func TestChromeHasArrowsFromUnitsToLinkedSpans(t *testing.T) {
	var got []string
	for _, e := range readChrome(t, server()) {
		switch {
		case e.Ph == "s" || e.Ph == "f":
			got = append(got, fmt.Sprint(e.ID, e.Ph, " ", e.Tid, " ", e.Ts))
		case e.Cat == "note":
			got = append(got, fmt.Sprint(e.Name, " ", e.Tid, " ", e.Args["value"]))
		case e.Ph == "X" && (e.Cat == "unit") != (e.Name == "request"):
			t.Errorf("%+v", e)
		case e.Ph == "i" && e.Cat != producer:
			t.Errorf("%+v", e)
		}
	}
	slices.Sort(got)
	if want := []string{"1f 3 0.030", "1s 1 0.020", "2f 3 0.070", "2s 2 0.050", "route 2 /cart?\x1b"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Each flow that begins ends once, and is at a span.
func TestArrowsHaveTwoEnds(t *testing.T) {
	for seed := range uint64(2000) {
		in := noise(seed, "a", "b")
		ends := map[uint64][2]int{}
		for at, all := range arrows(in) {
			if !slices.ContainsFunc(in.Events, func(e profile.Event) bool {
				return e.Kind != profile.TaskEvent && spot{e.Lane, e.Depth, e.Start} == at
			}) {
				t.Fatalf("seed %d: an arrow at %+v", seed, at)
			}
			for _, a := range all {
				n := ends[a.id]
				if a.to {
					n[1]++
				} else {
					n[0]++
				}
				ends[a.id] = n
			}
		}
		for id, n := range ends {
			if n != [2]int{1, 1} {
				t.Fatalf("seed %d: arrow %d begins %d times and ends %d times", seed, id, n[0], n[1])
			}
		}
	}
}

func TestPerfettoHasFlows(t *testing.T) {
	var b, without bytes.Buffer
	in := server()
	if err := WritePerfetto(&b, in); err != nil {
		t.Fatal(err)
	}
	in.Events = slices.DeleteFunc(in.Events, func(e profile.Event) bool { return e.Kind == profile.TaskEvent })
	if err := WritePerfetto(&without, in); err != nil {
		t.Fatal(err)
	}
	for id := range uint64(2) {
		for _, field := range []uint64{eventFlow, eventFlowEnd} {
			var m message
			m.fixed(field, id+1)
			if n := bytes.Count(b.Bytes(), m); n != 1 {
				t.Errorf("%d of % x", n, m)
			}
			if n := bytes.Count(without.Bytes(), m); n != 0 {
				t.Errorf("without tasks, %d of % x", n, m)
			}
		}
	}
}
