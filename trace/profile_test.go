// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/strobe-go/strobe"
)

func readProfile(t testing.TB, write func(*bytes.Buffer) error) *profile.Profile {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	p, err := profile.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	return p
}

func stacksOf(t testing.TB, in strobe.Timeline) *profile.Profile {
	return readProfile(t, func(b *bytes.Buffer) error { return WriteStacks(b, in) })
}

// flat adds up samples under "lane|outer;inner".
func flat(p *profile.Profile, value int) map[string]int64 {
	out := map[string]int64{}
	for _, s := range p.Sample {
		var names []string
		for i := len(s.Location) - 1; i >= 0; i-- {
			names = append(names, s.Location[i].Line[0].Function.Name)
		}
		out[s.Label["lane"][0]+"|"+strings.Join(names, ";")] += s.Value[value]
	}
	return out
}

func TestSnapshotBecomesASampleForEachZoneAndLane(t *testing.T) {
	in := strobe.Snapshot{
		Span:  time.Second,
		Zones: []strobe.ZoneInfo{{Name: "load", Where: "game/load.go:12"}, {Name: "lock", Where: "game/lock.go:3", Wait: true}},
		Lanes: []strobe.LaneStats{
			{ID: 0, Name: "main", Zones: []strobe.ZoneStats{{Zone: 0, Calls: 3, Total: 90, Self: 40}, {Zone: 1, Calls: 9, Total: 50, Self: 50}}},
			{ID: 1, Name: "g7", Goroutine: 7, Zones: []strobe.ZoneStats{{Zone: 0, Open: 1, Total: 5, Self: 5}, {Zone: 1}}},
			{ID: 2, Name: "shared", Shared: true, Zones: []strobe.ZoneStats{{Zone: 0, Calls: 1, Total: 2}}},
		},
		Notes: []string{"a note"},
	}
	p := readProfile(t, func(b *bytes.Buffer) error { return WriteProfile(b, in) })
	for i, want := range []map[string]int64{
		{"main|load": 3, "main|lock": 9, "g7|load": 0, "shared|load": 1},
		{"main|load": 90, "main|lock": 50, "g7|load": 5, "shared|load": 2},
		{"main|load": 40, "main|lock": 50, "g7|load": 5, "shared|load": 0},
	} {
		got := flat(p, i)
		if len(got) != len(want) {
			t.Errorf("%s: %v, want %v", p.SampleType[i].Type, got, want)
		}
		for k, v := range want {
			if got[k] != v {
				t.Errorf("%s of %s is %d, want %d", p.SampleType[i].Type, k, got[k], v)
			}
		}
	}
	if p.DurationNanos != int64(time.Second) || len(p.Comments) != 2 || p.Comments[0] != "a note" {
		t.Errorf("duration %d, comments %q", p.DurationNanos, p.Comments)
	}
	for _, f := range p.Function {
		if f.Name == "load" && (f.Filename != "game/load.go" || f.StartLine != 12) {
			t.Errorf("load stands in %s:%d", f.Filename, f.StartLine)
		}
	}
	if kind := p.Sample[1].Label["kind"]; len(kind) != 1 || kind[0] != "wait" {
		t.Errorf("the kind of a wait zone is %q", kind)
	}
}

func TestStacksOfATimelineAreThoseOfTheProgram(t *testing.T) {
	in := game()
	in.Lost = 0
	p := stacksOf(t, in)
	const us = int64(time.Microsecond)
	for i, want := range []map[string]int64{
		{"main|frame": 3, "main|frame;physics": 3, "main|frame;physics;collide": 6, "g21|lock": 2},
		{"main|frame": 3 * 2500 * us, "main|frame;physics": 3 * (800*us - 5), "main|frame;physics;collide": 3 * (700*us + 5), "g21|lock": 4000 * us},
	} {
		got := flat(p, i)
		for k, v := range want {
			if got[k] != v {
				t.Errorf("%s of %s is %d, want %d", p.SampleType[i].Type, k, got[k], v)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %v, want %v", p.SampleType[i].Type, got, want)
		}
	}
}

func TestSelfTimesAddUpToTheTimeOfTheOutermost(t *testing.T) {
	for seed := range uint64(200) {
		in := strobe.Timeline{Zones: make([]strobe.ZoneInfo, 3)}
		var want time.Duration
		var calls int64
		for lane := range 3 {
			tree := grow(rand.New(rand.NewPCG(seed, uint64(lane))), 0, 3000, 4)
			in.Lanes = append(in.Lanes, strobe.LaneStats{ID: lane, Goroutine: int64(lane)})
			in.Events = append(in.Events, record(tree, lane, 0)...)
			calls += int64(len(walk(tree, 0)))
			var n nester
			for _, s := range n.nest(record(tree, lane, 0)) {
				if s.level == 0 {
					want += s.end.Sub(s.start)
				}
			}
		}
		var self, n int64
		for _, s := range stacksOf(t, in).Sample {
			if s.Value[1] < 0 {
				t.Fatalf("seed %d: a self time of %d", seed, s.Value[1])
			}
			n, self = n+s.Value[0], self+s.Value[1]
		}
		if n != calls || self != int64(want) {
			t.Fatalf("seed %d: %d calls and %d ns, want %d and %d", seed, n, self, calls, want)
		}
	}
}

// Of ten spans inside one, the ring kept the last two: what lay before them is not its self time.
func TestTimeBeforeTheFirstSpanHeldIsNotSelfTimeIfSpansWereLost(t *testing.T) {
	in := strobe.Timeline{Zones: []strobe.ZoneInfo{{Name: "outer"}, {Name: "inner"}}, Lanes: []strobe.LaneStats{{Name: "l"}},
		Events: []strobe.Event{
			{Zone: 1, Depth: 1, Start: 80, Took: 9}, {Zone: 1, Depth: 1, Start: 90, Took: 9}, {Zone: 0, Depth: 0, Start: 0, Took: 100}}}
	for lost, want := range []int64{82, 2} {
		in.Lost = uint64(lost)
		if got := flat(stacksOf(t, in), 1)["l|outer"]; got != want {
			t.Errorf("%d lost: self time %d, want %d", lost, got, want)
		}
	}
}

func TestOpenSpanIsTimeButNoCall(t *testing.T) {
	in := strobe.Timeline{Zones: []strobe.ZoneInfo{{Name: "outer"}, {Name: "inner"}}, Lanes: []strobe.LaneStats{{Name: "l"}}, At: 100,
		Events: []strobe.Event{{Zone: 1, Depth: 1, Start: 80, Took: 9}, {Zone: 0, Depth: 0, Start: 0, Took: 100, Open: true}}}
	p := stacksOf(t, in)
	if calls, self := flat(p, 0), flat(p, 1); calls["l|outer"] != 0 || calls["l|outer;inner"] != 1 || self["l|outer"] != 91 {
		t.Errorf("calls %v, self times %v", calls, self)
	}
}

func FuzzProfiles(f *testing.F) {
	f.Add(uint64(1), "plain", "\x00\xff")
	f.Fuzz(func(t *testing.T, seed uint64, a, b string) {
		in := noise(seed, a, b)
		stacksOf(t, in)
		s := strobe.Snapshot{Zones: in.Zones, Lanes: in.Lanes, Notes: in.Notes}
		for i := range s.Lanes {
			s.Lanes[i].Zones = []strobe.ZoneStats{{Zone: i - 1, Calls: in.Lost, Total: time.Duration(in.At)}}
		}
		p := readProfile(t, func(b *bytes.Buffer) error { return WriteProfile(b, s) })
		if in.Lost > 0 && len(p.Sample) != len(s.Lanes) {
			t.Errorf("%d samples of %d lanes", len(p.Sample), len(s.Lanes))
		}
	})
}
