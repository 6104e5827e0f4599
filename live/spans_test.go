// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/race"
	"github.com/strobe-go/strobe/profile"
)

// contentsOf returns what is kept of a frame.
func contentsOf(t testing.TB, k *kept) contents {
	t.Helper()
	if k == nil || k.spans == nil {
		t.Fatalf("the spans of %+v are not kept", k)
	}
	c, _ := parseContents(k.spans, k.end-clock.Instant(k.took))
	return c
}

// Every span of a frame is in its contents once, whenever readings are taken.
func TestAFrameKeepsItsSpans(t *testing.T) {
	race.Sequential(t)
	compared := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		length := us * clock.Instant(1000+r.Int64N(100_000))
		w := randomWorld(r, 1+r.IntN(4), length)
		m := newModel(1 << 30)
		before := clock.Instant(-1)
		for _, at := range instants(r, length) {
			m.read(w.reading(before, at, func(int) clock.Instant { return 0 }))
			before = at
		}
		for _, k := range m.find("loop").latest {
			a, b := k.end-clock.Instant(k.took), k.end
			var want []span
			for _, s := range w.spans {
				if s.to > a && (s.from < b || s.from == b && s.to == b) {
					want = append(want, span{int32(10 + s.lane), int32(s.path), s.from, s.to})
				}
			}
			c := contentsOf(t, k)
			for i := range c.spans {
				s := &c.spans[i]
				s.path = int32(original(m, w.paths, int(s.path)))
				j := slices.IndexFunc(want, func(x span) bool {
					return x == *s || s.end == never && x.end > b && x == span{s.lane, s.path, s.start, x.end}
				})
				if j < 0 {
					t.Fatalf("seed %d: the frame from %d to %d holds %+v; left of what it should hold: %+v", seed, a, b, *s, want)
				}
				want = slices.Delete(want, j, j+1)
				compared++
			}
			if len(want) > 0 {
				t.Fatalf("seed %d: the frame from %d to %d lacks %+v", seed, a, b, want)
			}
			if c.left+c.lost+uint64(c.still) > 0 {
				t.Fatalf("seed %d: %+v", seed, c)
			}
		}
	}
	if compared < 10_000 {
		t.Errorf("%d spans were compared", compared)
	}
}

// Of a frame with too many spans the longest are kept, and the spans around them.
func TestTheShortestSpansAreLeftOutOfAFrame(t *testing.T) {
	for _, lengths := range []int{1, 7, 5000} { // number of different lengths
		m, r := newModel(1<<30), rand.New(rand.NewPCG(1, uint64(lengths)))
		const groups = 3 * mostSpans / 4
		s := at(10_000*ms).frame("l", 0)
		paths := []profile.Path{{Parent: -1, Zone: 0}, {Parent: 0, Zone: 0}}
		var all []time.Duration
		for g := range clock.Instant(groups) { // a span with three inside
			from, at := g*100_000, g*100_000
			for range 3 {
				took := clock.Instant(1 + r.IntN(lengths))
				s.span(0, at, at+took)
				s.t.Events[len(s.t.Events)-1].Path = 1
				at, all = at+took, append(all, time.Duration(took))
			}
			s.span(0, from, at)
			all = append(all, time.Duration(at-from))
		}
		for _, s := range []*script{s, at(20_000*ms).frame("l", 15_000*ms), at(30_000 * ms), at(40_000 * ms)} {
			s.t.Paths = paths
			m.read(s.t)
		}
		c := contentsOf(t, m.find("l").latest[0])
		if len(c.spans) != mostSpans || c.left != 4*groups-mostSpans {
			t.Fatalf("%d are kept and %d left out, of %d", len(c.spans), c.left, 4*groups)
		}
		slices.Sort(all)
		if want := all[4*groups-mostSpans-1]; c.longest != want {
			t.Errorf("those left out took up to %d, want %d", c.longest, want)
		}
		around := clock.Instant(0) // end of the latest outer span
		slices.SortFunc(c.spans, func(a, b span) int { return int(a.start-b.start)*4 + int(a.path-b.path) })
		for _, s := range c.spans {
			if s.end-s.start < clock.Instant(c.longest) {
				t.Fatalf("%+v is kept, though longer ones are not", s)
			}
			if s.path == 0 {
				around = s.end
			} else if s.end > around {
				t.Fatalf("%+v is kept without the one around it", s)
			}
		}
	}
}

// The memory of a frame is bounded, however long it is.
func TestAFrameThatNeverEndsHoldsFewSpans(t *testing.T) {
	race.Sequential(t)
	m := newModel(1 << 30)
	m.play(at(0).frame("l", 0))
	for i := range clock.Instant(20) {
		s := at((i + 1) * 100 * ms)
		for j := range clock.Instant(10_000) {
			s.span(0, i*100*ms+j*1000, i*100*ms+j*1000+1+j%100)
		}
		m.play(s)
	}
	f := &m.find("l").frames[0]
	if n := uint64(len(f.contents.spans)); n > 2*mostSpans || n+f.contents.left < 190_000 {
		t.Errorf("%d spans are held, %d left out", n, f.contents.left)
	}
}

// Frames that are reused keep little memory for spans, however many they had before.
func TestFramesKeptForReuseHaveLittleRoom(t *testing.T) {
	m := newModel(1 << 30)
	s := at(1000 * ms)
	for i := range clock.Instant(20) { // in one reading
		s.frame("l", i*10*ms)
		for j := range clock.Instant(6000) {
			s.span(0, i*10*ms+j*1000, i*10*ms+j*1000+500)
		}
	}
	m.play(s, at(1010*ms), at(1020*ms))
	room, frames := 0, m.find("l").unused
	for i := range frames {
		room += cap(frames[i].contents.spans)
	}
	if room > mostRoom || room < 6000 {
		t.Errorf("%d frames have room for %d spans, at most %d are allowed", len(frames), room, mostRoom)
	}
}

// Of thousands of lanes on which nothing happens in a frame, few are kept: those that do not wait.
func TestLanesThatStandStillAreCounted(t *testing.T) {
	m := newModel(1 << 30)
	read := func(s *script) {
		s.t.Paths = []profile.Path{{Parent: -1, Zone: 0}, {Parent: -1, Zone: 1}, {Parent: 1, Zone: 0}}
		s.t.Zones = []profile.ZoneInfo{{Name: "work", Every: 1}, {Name: "wait", Every: 1, Wait: true}}
		for i := range s.t.Events { // lanes up to 5 work, the others wait and work inside
			if e := &s.t.Events[i]; e.Kind == profile.SpanEvent && s.t.Lanes[e.Lane].ID > 5 {
				e.Path = 2
			}
		}
		m.read(s.t)
	}
	for i := range clock.Instant(10) {
		s := at((i+1)*ms).frame("l", (i+1)*ms)
		for lane := range 1000 {
			if lane == 700 && i > 0 {
				s.span(lane, i*ms-ms/2, i*ms+ms/4)
				continue
			}
			if lane == 800 && i > 0 { // in a wait
				s.span(lane, i*ms-ms/2, i*ms+ms/4)
			}
			s.open(lane, 0)
		}
		read(s)
	}
	k := m.find("l").latest
	c, names := parseContents(k[len(k)-1].spans, k[len(k)-1].end-clock.Instant(k[len(k)-1].took))
	if c.still != 1000-mostStill-2 || len(names) != mostStill+2 || names[700] != "lane 700" || names[800] != "lane 800" {
		t.Errorf("%d are left out, kept are %v", c.still, names)
	}
	for lane := range int32(6) {
		if names[lane] == "" {
			t.Errorf("lane %d works, and is left out", lane)
		}
	}
}

func TestAFrameNotesThatSpansWereLost(t *testing.T) {
	m := newModel(1 << 20)
	m.play(at(5).frame("l", 0), at(10).frame("l", 10), at(25).frame("l", 20).lost(3, 7, 0), at(35).frame("l", 30), at(45).frame("l", 40), at(50), at(60))
	var got []uint64
	for _, k := range m.find("l").latest {
		got = append(got, contentsOf(t, k).lost)
	}
	if fmt.Sprint(got) != "[0 7 7 0]" { // read at 25, after a reading at 10
		t.Errorf("lost in frames: %v", got)
	}
}

// Spans are given up before frames, the oldest first; those of the longest frames stay.
func TestTheStoreGivesUpSpansFirst(t *testing.T) {
	race.Sequential(t)
	r := rand.New(rand.NewPCG(2, 2))
	const limit = 1 << 20
	s, most := store{limit: limit}, int64(0)
	for i := range 5000 {
		k := &kept{number: uint64(i + 1), took: time.Duration(r.IntN(1e6)), text: make([]byte, r.IntN(100)), spans: make([]byte, r.IntN(2000))}
		if i%1000 == 500 {
			k.took *= 100
		}
		s.add(k)
		held := map[*kept]bool{}
		for _, k := range append(slices.Clone(s.latest), s.worst...) {
			held[k] = true
		}
		bytes, within := int64(0), int64(0)
		for k := range held {
			bytes, within = bytes+k.size(), within+int64(cap(k.spans))
		}
		if bytes != s.bytes || within != s.within || bytes > limit {
			t.Fatalf("%d frames: %d bytes counted, %d of spans; %d and %d held", i+1, s.bytes, s.within, bytes, within)
		}
		most = max(most, within)
		for _, k := range s.worst {
			if k.spans == nil {
				t.Fatalf("%d frames: the spans of frame %d, one of the longest, are gone", i+1, k.number)
			}
		}
		for j, k := range s.latest {
			if worst := slices.Contains(s.worst, k); (k.spans == nil) != (j < s.bare && !worst) {
				t.Fatalf("%d frames: of frame %d, at %d, %d bytes of spans are kept; those from %d on are", i+1, k.number, j, len(k.spans), s.bare)
			}
		}
	}
	if s.within > limit/2 || s.within < limit/3 || most < limit*3/4 || len(s.latest) < 2000 {
		t.Errorf("%d bytes of spans, at most %d, in %d frames", s.within, most, len(s.latest))
	}
	if k := s.frame(1); k != nil {
		t.Errorf("%+v is found, which is not kept", k)
	}
	for _, k := range append(slices.Clone(s.latest), s.worst...) {
		if s.frame(k.number) != k {
			t.Errorf("frame %d is not found", k.number)
		}
	}
}

// If the longest frames have more spans than there is room for, those of the shortest of them go first, and the latest frames keep theirs.
func TestTheSpansOfTheLongestFramesTakeAQuarter(t *testing.T) {
	const limit = 1 << 20
	s := store{limit: limit}
	for i := range 100 {
		k := &kept{number: uint64(i + 1), took: time.Duration(i % 37), spans: make([]byte, 60_000)}
		s.add(k)
		if k.spans == nil || s.bytes > limit {
			t.Fatalf("the latest of %d frames has %d bytes of spans, all have %d", i+1, len(k.spans), s.within)
		}
	}
	kept := 0
	for i, k := range s.worst {
		if k.spans == nil && i > 0 && s.worst[i-1].spans != nil && s.old(s.worst[i-1]) {
			t.Errorf("the spans of frame %d are kept, but not those of %d, which took longer", s.worst[i-1].number, k.number)
		}
		if k.spans != nil {
			kept++
		}
	}
	if len(s.worst) != worstKept || kept < 3 || kept > 8 {
		t.Errorf("%d of the %d longest have spans", kept, len(s.worst))
	}
}
