// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/profile"
)

func profileOf(t testing.TB, in profile.Snapshot) pprofFile {
	t.Helper()
	return readPprof(t, func(w io.Writer) error { return WriteProfile(w, in) })
}

func stacksOf(t testing.TB, in profile.Timeline) pprofFile {
	t.Helper()
	return readPprof(t, func(w io.Writer) error { return WriteStacks(w, in) })
}

// tree returns a snapshot with every kind of lane: call trees, one with recursion and one beyond its limits, an open span, and a
// lane that goroutines share.
func tree() profile.Snapshot {
	const other = profile.Other
	return profile.Snapshot{
		Elapsed: time.Second,
		Zones: []profile.ZoneInfo{{Name: "load", Where: "game/load.go:12", Every: 1},
			{Name: "lock", Where: "game/lock.go:3", Wait: true, Every: 1}, {Name: "parse; all", Every: 64}},
		Lanes: []profile.LaneStats{
			{LaneInfo: profile.LaneInfo{ID: 0, Name: "main"}, Zones: []profile.ZoneStats{{Zone: 0, Calls: 99, Timed: 99, Total: 99, Self: 99}, {Zone: 2, Calls: 128, Timed: 2}}, Nodes: profile.Tree{
				{Parent: -1, Zone: 0, Calls: 3, Total: 100, Self: 30},
				{Parent: 0, Zone: 1, Calls: 9, Total: 50, Self: 50},
				{Parent: 0, Zone: 0, Calls: 4, Total: 20, Self: 13},
				{Parent: 2, Zone: 1, Calls: 1, Total: 7, Self: 7},
				{Parent: -1, Zone: other},
				{Parent: 4, Zone: 2, Calls: 2, Untimed: 126, Total: 5, Self: 5},
			}},
			{LaneInfo: profile.LaneInfo{ID: 1, Name: "g7", Goroutine: 7}, Nodes: profile.Tree{
				{Parent: -1, Zone: 0, Total: 5, Self: 5, Open: true}, {Parent: -1, Zone: 1}}},
			{LaneInfo: profile.LaneInfo{ID: 2, Name: "shared", Shared: true}, Zones: []profile.ZoneStats{{Zone: 0, Calls: 1, Timed: 1, Total: 2, SelfUnknown: true}, {Zone: 1}}},
		},
		Notes: []string{"a note"},
	}
}

func TestEveryPathIsASampleWithItsCallsAndItsSelfTime(t *testing.T) {
	p := profileOf(t, tree())
	for what, c := range map[string]struct{ got, want map[string]int64 }{
		"calls": {p.calls(), map[string]int64{"main|load": 3, "main|load;lock": 9, "main|load;load": 4, "main|load;load;lock": 1,
			"main|(paths beyond the limits);parse; all": 128, "g7|load": 0, "shared|load": 1}},
		"self times": {p.selfs(), map[string]int64{"main|load": 30, "main|load;lock": 50, "main|load;load": 13, "main|load;load;lock": 7,
			"main|(paths beyond the limits);parse; all": 5, "g7|load": 5, "shared|load": 0}},
	} {
		if !maps.Equal(c.got, c.want) {
			t.Errorf("%s: %v, want %v", what, c.got, c.want)
		}
	}
	if !slices.Equal(p.types, []string{"calls/count", "self/nanoseconds"}) || p.byName != "self" {
		t.Errorf("types %v, %s", p.types, p.byName)
	}
	if p.duration != int64(time.Second) || len(p.comments) != 3 || p.comments[0] != "a note" || !strings.Contains(p.comments[1], "self times of its zones are unknown") ||
		!strings.Contains(p.comments[2], "2 of its 128 calls were timed") {
		t.Errorf("duration %d, comments %q", p.duration, p.comments)
	}
	if got, want := p.samples[0].stack, []pprofPlace{{"load", "game/load.go", 12}}; !slices.Equal(got, want) {
		t.Errorf("the first stack is %v, want %v", got, want)
	}
	if kind, has := p.samples[0].labels["kind"]; p.samples[1].labels["kind"] != "wait" || has {
		t.Errorf("the kind of a wait zone is %q, of another %q", p.samples[1].labels["kind"], kind)
	}
}

// The setting may have changed since, so the number of timed calls decides.
func TestTheCommentOnASampledZoneCountsItsCalls(t *testing.T) {
	s := tree()
	s.Zones[2].Every = 1
	if p := profileOf(t, s); len(p.comments) != 3 || !strings.Contains(p.comments[2], "parse; all is sampled: 2 of its 128 calls") {
		t.Errorf("with a setting changed back: %q", p.comments)
	}
	s = tree()
	s.Lanes[0].Zones[1].Timed = 128
	if p := profileOf(t, s); len(p.comments) != 2 {
		t.Errorf("with a setting changed just now: %q", p.comments)
	}
}

func TestNamesOfAFileAreShortAndMoveNoCursor(t *testing.T) {
	hostile := "\x1b[2J\a\u202e\u2028\u009b" + strings.Repeat("long ", 1<<14)
	s, tl := tree(), game()
	for i := range s.Zones {
		s.Zones[i].Name, s.Zones[i].Where = hostile, "\x1b[2J.go:1"
	}
	s.Lanes[0].Name, s.Lanes[2].Name, s.Notes = hostile, hostile, []string{"\x1b"}
	p := profileOf(t, s)
	texts := slices.Clone(p.comments)
	for _, x := range p.samples {
		texts = append(texts, x.labels["lane"])
		for _, place := range x.stack {
			texts = append(texts, place.name, place.file)
		}
	}
	for i := range tl.Zones {
		tl.Zones[i].Name = hostile
	}
	for i := range tl.Lanes {
		tl.Lanes[i].Name = hostile
	}
	for i := range tl.Events {
		tl.Events[i].Name = hostile
	}
	var chrome, folded bytes.Buffer
	if err := errors.Join(WriteChrome(&chrome, tl), WriteFolded(&folded, s)); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(chrome.String()) {
		if len(line) > 500 && !strings.Contains(line, `"ph":"i"`) && !strings.Contains(line, "thread_name") {
			t.Errorf("an event of %d bytes: %.100q", len(line), line)
		}
	}
	for _, text := range append(texts, strings.ReplaceAll(chrome.String(), "\n", ""), strings.ReplaceAll(folded.String(), "\n", "")) {
		for _, r := range text {
			if !plain.Is(r) {
				t.Fatalf("%q in %.200q", r, text)
			}
		}
	}
}

func TestFoldedStacksHoldTheSelfTimes(t *testing.T) {
	in := tree()
	in.Lanes[1].Name = " g\n7"
	var b bytes.Buffer
	if err := WriteFolded(&b, in); err != nil {
		t.Fatal(err)
	}
	const want = `main;load 30
main;load;lock 50
main;load;load 13
main;load;load;lock 7
main;(paths beyond the limits);parse_ all 5
_g_7;load 5
`
	if b.String() != want {
		t.Errorf("%s", b.String())
	}
}

// Trees from other programs may contain any index.
func TestParentsThatDoNotComeFirstAreNone(t *testing.T) {
	in := profile.Snapshot{Zones: make([]profile.ZoneInfo, 1), Lanes: []profile.LaneStats{{Nodes: profile.Tree{
		{Parent: 1, Calls: 1}, {Parent: 0, Calls: 1}, {Parent: 2, Calls: 1}, {Parent: -7, Zone: 9, Calls: 1}}}}}
	p := profileOf(t, in)
	for i, want := range []int{1, 2, 1, 1} {
		if got := len(p.samples[i].stack); got != want {
			t.Errorf("stack %d is %d deep, want %d", i, got, want)
		}
	}
}

func FuzzProfiles(f *testing.F) {
	f.Add(uint64(1), "plain", "\x00\xff")
	f.Fuzz(func(t *testing.T, seed uint64, a, b string) {
		in := noise(seed, a, b)
		stacksOf(t, in)
		r := rand.New(rand.NewPCG(seed, 2))
		s := profile.Snapshot{Zones: in.Zones, Notes: in.Notes}
		samples := 0
		for _, l := range in.Lanes {
			lane := profile.LaneStats{LaneInfo: l.LaneInfo}
			for range r.IntN(20) {
				lane.Nodes = append(lane.Nodes, profile.Node{Parent: int(r.IntN(24) - 2), Zone: int(r.IntN(6) - 2), Calls: r.Uint64() >> r.IntN(64), Self: time.Duration(r.Uint64())})
			}
			if len(lane.Nodes) == 0 {
				lane.Zones = []profile.ZoneStats{{Zone: r.IntN(5) - 1, Calls: 1}}
				samples++
			}
			samples += len(lane.Nodes)
			s.Lanes = append(s.Lanes, lane)
		}
		if p := profileOf(t, s); len(p.samples) != samples {
			t.Errorf("%d samples, want %d", len(p.samples), samples)
		}
		var text bytes.Buffer
		if err := WriteFolded(&text, s); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(text.String()) {
			if i := strings.LastIndexByte(line, ' '); i < 1 || strings.Trim(line[i+1:], "0123456789") != "\n" {
				t.Errorf("line %q", line)
			}
		}
	})
}
