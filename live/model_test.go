// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

const ms = clock.Instant(time.Millisecond)

// A script makes readings by hand.
type script struct{ t profile.Timeline }

func at(at clock.Instant) *script { return &script{t: profile.Timeline{At: at}} }

func (s *script) lane(id int) int {
	i := slices.IndexFunc(s.t.Lanes, func(l profile.TimelineLane) bool { return l.ID == id })
	if i < 0 {
		i = len(s.t.Lanes)
		s.t.Lanes = append(s.t.Lanes, profile.TimelineLane{LaneInfo: profile.LaneInfo{ID: id, Name: fmt.Sprint("lane ", id)}})
	}
	return i
}

// span adds a span of path 0, which consists of zone 0 alone.
func (s *script) span(lane int, from, to clock.Instant) *script {
	s.t.Events = append(s.t.Events, profile.Event{Kind: profile.SpanEvent, Lane: s.lane(lane), Start: from, Took: time.Duration(to - from)})
	return s
}

func (s *script) open(lane int, from clock.Instant) *script {
	s.span(lane, from, s.t.At)
	s.t.Events[len(s.t.Events)-1].Open = true
	return s
}

func (s *script) frame(name string, at ...clock.Instant) *script {
	for _, a := range at {
		s.t.Events = append(s.t.Events, profile.Event{Kind: profile.FrameEvent, Lane: -1, Zone: -1, Path: -1, Start: a, Name: name})
	}
	return s
}

// turn marks a frame on a lane.
func (s *script) turn(name string, lane int, at clock.Instant) *script {
	s.frame(name, at)
	if lane >= 0 {
		s.t.Events[len(s.t.Events)-1].Lane = s.lane(lane)
	}
	return s
}

func (s *script) lost(lane int, spans, marks uint64) *script {
	s.t.Lanes[s.lane(lane)].Lost = spans
	s.t.Lost = spans + marks
	return s
}

func (m *model) play(readings ...*script) {
	for _, r := range readings {
		r.t.Paths = []profile.Path{{Parent: -1, Zone: 0}}
		r.t.Zones = []profile.ZoneInfo{{Name: "zone", Every: 1}}
		m.read(r.t)
	}
}

// texts returns the frames of a loop without their numbers.
func (m *model) frameTexts(name string) (texts []string) {
	for _, k := range m.find(name).latest {
		_, text, _ := strings.Cut(string(k.text), ",")
		texts = append(texts, "["+text)
	}
	return texts
}

func want(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestASpanOverSeveralFramesCountsInEach(t *testing.T) {
	m := newModel(1 << 20)
	m.play(at(5).frame("l", 0), at(10_000).frame("l", 10_000).open(0, 4000), at(20_000).frame("l", 20_000).open(0, 4000),
		at(30_000).frame("l", 30_000).span(0, 4000, 21_000), at(40_000))
	want(t, m.frameTexts("l"), "[0,10000,0,0,6000]", "[10000,10000,0,0,10000]", "[20000,10000,0,1,1000]")
}

func TestFramesWithoutSpansAreFrames(t *testing.T) {
	m := newModel(1 << 20)
	m.play(at(5), at(6).frame("l", 6, 6, 6), at(7).frame("l", 7), at(8))
	want(t, m.frameTexts("l"), "[6,0]", "[6,0]", "[6,1]")
}

func TestASpanThatIsReportedTooLateIsLostToFramesThatHavePassed(t *testing.T) {
	m := newModel(1 << 20)
	m.play(at(0).frame("l", 0), at(10_000).frame("l", 10_000), at(20_000).frame("l", 20_000), at(30_000).span(0, 5000, 12_000), at(40_000), at(50_000))
	want(t, m.frameTexts("l"), "[0,10000]", "[10000,10000,0,1,2000]")
	if m.lost != 1 || len(m.limitsOfFrames()) != 1 || len(m.limitsOfUnits()) != 0 {
		t.Errorf("%d lost, %q", m.lost, m.limitsOfFrames())
	}
}

// Without an overwritten mark, two frames would look like one slow frame.
func TestTheFrameInWhichMarksWereLostIsLeftOut(t *testing.T) {
	m := newModel(1 << 20)
	m.play(at(0).frame("l", 0), at(10).frame("l", 10), at(20).lost(3, 2, 1).frame("l", 19), at(30).lost(3, 5, 0).frame("l", 30), at(40))
	want(t, m.frameTexts("l"), "[0,10]", "[19,11]")
	if a := m.find("l").latest; a[1].number != a[0].number+2 {
		t.Errorf("frames %d and %d: no gap", a[0].number, a[1].number)
	}
	if m.lost != 2+1+5 {
		t.Errorf("%d lost", m.lost)
	}
	c := cursor{lost: 3}
	for _, want := range []string{`"lost":5`, `"lost":0`} {
		if text := string(m.appendFrames(nil, &c, nil, nil, nil, false)); !strings.Contains(text, want) {
			t.Errorf("%s: not %s", text, want)
		}
	}
}

func TestAMarkThatComesTooLateSpoilsTheFramesAroundIt(t *testing.T) {
	m := newModel(1 << 20)
	m.play(at(0).frame("l", 0), at(100).frame("l", 100), at(200), at(300), at(310).frame("l", 150, 290), at(400).frame("l", 400), at(500), at(600))
	want(t, m.frameTexts("l"), "[0,100]", "[290,110]")
}

func TestAProgramWithoutLoopsHasSlices(t *testing.T) {
	m := newModel(1 << 20)
	m.play(at(50*ms), at(250*ms).open(0, 120*ms), at(260*ms).span(0, 120*ms, 255*ms), at(420*ms), at(430*ms))
	want(t, m.frameTexts(""), "[0,100000000]", "[100000000,100000000,0,0,80000000]", "[200000000,100000000,0,1,55000000]", "[300000000,100000000]")
	if m.loops[0].loop != "" {
		t.Error("a loop")
	}
}

func TestTheFirstLoopTakesThePlaceOfTheSlices(t *testing.T) {
	m := newModel(1 << 20)
	m.play(at(50*ms), at(250*ms), at(350*ms))
	slices, version := m.loops[0].latest, m.version
	if len(slices) == 0 {
		t.Fatal("no slices")
	}
	m.play(at(450*ms).frame("l", 400*ms, 410*ms), at(460*ms))
	l := m.find("l")
	if m.version == version || len(m.loops) != 1 || len(l.latest) != 1 || l.latest[0].number <= slices[len(slices)-1].number {
		t.Errorf("version %d, %d loops, frames %v", m.version, len(m.loops), m.frameTexts("l"))
	}
}

func TestLoopsBeyondTheLimitAreNamedButHaveNoFrames(t *testing.T) {
	m := newModel(1 << 20)
	m.play(at(0), at(1))
	for i := range 2 * mostLoops {
		m.play(at(clock.Instant(10+i)).frame(fmt.Sprint("loop ", i), clock.Instant(10+i)))
	}
	m.play(at(100).frame("", 100))
	if len(m.loops) != mostLoops || m.loops[0].loop != "loop 0" || len(m.limitsOfFrames()) != 1 {
		t.Errorf("%d loops, the first %q; %q", len(m.loops), m.loops[0].loop, m.limits())
	}
	for _, l := range m.loops {
		if l.limit != 1<<20/mostLoops {
			t.Errorf("%q has %d bytes", l.loop, l.limit)
		}
	}
	if m.find("loop 5").loop != "loop 5" || m.find("none").loop != "loop 0" {
		t.Error("a loop is not found by its name, or the default is not the first")
	}
}

func TestManyLanesAreSummedUp(t *testing.T) {
	m := newModel(1 << 20)
	r := at(200).frame("l", 0, 100)
	for lane := range mostLanes + 5 {
		r.span(lane, 110, 120)
	}
	m.play(at(0), r, at(300).frame("l", 300), at(310))
	lanes, calls, total := map[int]bool{}, 0, 0
	var f []int
	if err := json.Unmarshal(m.find("l").latest[1].text, &f); err != nil {
		t.Fatal(err)
	}
	for f = f[3:]; len(f) > 0; f = f[3:] {
		lanes[m.paths.all[f[0]].lane] = true
		calls, total = calls+f[1], total+f[2]
	}
	if calls != mostLanes+5 || total != 10*(mostLanes+5) || len(lanes) != mostLanes+1 || !lanes[allLanes] {
		t.Errorf("%d calls, %d ns, on lanes %v", calls, total, lanes)
	}
	lane := func(n int) map[int]int { // to its time
		t.Helper()
		times := map[int]int{}
		json.Unmarshal(m.find("l").latest[n].text, &f)
		for f = f[3:]; len(f) > 0; f = f[3:] {
			times[m.paths.all[f[0]].lane] += f[2]
		}
		return times
	}
	m.play(at(400).span(0, 350, 360).span(99, 350, 360).frame("l", 400), at(410))
	if got := lane(2); !maps.Equal(got, map[int]int{0: 10, allLanes: 10}) {
		t.Errorf("a lane that came first, and one that did not: %v", got)
	}
	m.tellApart(0)
	m.tellApart(99)
	m.play(at(500).span(0, 450, 460).span(98, 450, 460).span(99, 450, 460).frame("l", 500), at(510))
	if got := lane(3); !maps.Equal(got, map[int]int{0: 10, 99: 10, allLanes: 10}) {
		t.Errorf("a lane that is asked for: %v", got)
	}
	for id := range mostAsked {
		m.tellApart(200 + id)
	}
	m.play(at(600).span(99, 550, 560).span(207, 550, 560).frame("l", 600), at(610))
	if got := lane(4); !maps.Equal(got, map[int]int{207: 10, allLanes: 10}) || len(m.asked) != mostAsked {
		t.Errorf("after %d others: %v", mostAsked, got)
	}
	if !slices.ContainsFunc(m.names, func(n laneName) bool { return n.id == allLanes && n.name == "other lanes" }) || len(m.limitsOfFrames()) != 1 || len(m.limits())+len(m.limitsOfUnits()) != 0 {
		t.Errorf("names %v, notes %q", m.names, m.limitsOfFrames())
	}
}

func TestANegativeStoreKeepsTheLatestFrameAndTheLongest(t *testing.T) {
	s := store{limit: Options{StoreBytes: -1}.filled().StoreBytes}
	for number, took := range []time.Duration{2, 9, 3, 4} {
		s.add(&kept{number: uint64(number), took: took, text: make([]byte, 100), spans: make([]byte, 100)})
	}
	if len(s.latest) != 1 || s.latest[0].number != 3 || len(s.worst) != 1 || s.worst[0].number != 1 {
		t.Errorf("%d latest, %d longest frames", len(s.latest), len(s.worst))
	}
}

func TestPathsBeyondTheLimitAreOnePathOfTheirLane(t *testing.T) {
	paths := make([]profile.Path, 100)
	for i := range paths {
		paths[i] = profile.Path{Parent: i - 1, Zone: i}
	}
	p := newPathTable(10)
	for lane := range 3 {
		for i := range paths {
			n := p.of(lane, i, paths)
			if n != p.of(lane, i, paths) || p.all[n].lane != lane || p.all[n].parent >= n {
				t.Fatalf("lane %d, path %d: number %d, %+v", lane, i, n, p.all[n])
			}
			if other := lane > 0 || i >= 10; other != (p.all[n].zone == profile.Other) {
				t.Fatalf("lane %d, path %d: number %d, %+v", lane, i, n, p.all[n])
			}
		}
	}
	if len(p.all) > 10+3 {
		t.Errorf("%d paths", len(p.all))
	}
	if n := p.of(1, 1000, paths); p.all[n].zone != profile.Other {
		t.Errorf("a path that does not exist is %+v", p.all[n])
	}
}

func TestNothingIsCarriedOverFromOneRecordingToAnother(t *testing.T) {
	m := newModel(1 << 20)
	m.play(at(0).frame("l", 0), at(100).frame("l", 100).open(0, 20))
	m.read(profile.Timeline{})
	if !m.off || strobe.Enabled && len(m.limits()) == 0 {
		t.Error("nothing says that nothing is recorded")
	}
	m.play(at(1000).open(0, 900).frame("l", 950), at(2000).span(0, 900, 1500).frame("l", 1960), at(2100))
	want(t, m.frameTexts("l"), "[950,1010,0,1,550]")
}

func TestMessagesAndPlotsAreKeptInBoundedMemory(t *testing.T) {
	m := newModel(1 << 20)
	r := at(10)
	long := strings.Repeat("x", 10*longestTxt)
	for i := range 5 * mostTexts {
		r.t.Events = append(r.t.Events, profile.Event{Kind: profile.MessageEvent, Lane: r.lane(i), Path: -1, Name: fmt.Sprint(i, long), Start: 5})
	}
	m.play(r)
	all, next := m.texts.from(0, 1<<30)
	if len(all) != mostTexts || next != 5*mostTexts || len(all[0].text) > longestTxt+3 || !strings.HasPrefix(all[0].text, fmt.Sprint(4*mostTexts)) {
		t.Errorf("%d of %d, the first %.20q", len(all), next, all[0].text)
	}
	if len(m.texts.items) >= 2*mostTexts || len(m.names) > 5*mostTexts {
		t.Errorf("%d messages and %d names are held", len(m.texts.items), len(m.names))
	}
	if items, next := m.texts.from(next-3, 2); len(items) != 2 || next != 5*mostTexts {
		t.Errorf("%d items", len(items))
	}
	if items, _ := m.texts.from(next+3, 2); len(items) != 0 {
		t.Errorf("%d items that do not exist", len(items))
	}
}

func TestWhatIsKeptBesideFramesIsBoundedAndCounted(t *testing.T) {
	m := newModel(1)
	text, name := strings.Repeat("ä", longestTxt), strings.Repeat("n", 256)
	before := m.memory()
	for k := range 5 {
		r := at(clock.Instant(k) * ms)
		for i := range 2 * mostPlots {
			r.t.Events = append(r.t.Events, profile.Event{Kind: profile.PlotEvent, Name: name, Lane: -1})
			if i < 2*mostTexts {
				lane := r.lane(k*2*mostTexts + i)
				r.t.Lanes[lane].Name = name
				r.t.Events = append(r.t.Events, profile.Event{Kind: profile.MessageEvent, Lane: lane, Name: strings.Clone(text)})
			}
		}
		m.play(r)
	}
	m.history = *gone(20_000)
	var heap runtime.MemStats
	size := func() int64 { runtime.GC(); runtime.ReadMemStats(&heap); return int64(heap.HeapAlloc) }
	said, held := m.memory()-before, size()
	if said > 8<<20 || said < 2<<20 {
		t.Errorf("%d bytes are counted", said)
	}
	if !utf8.ValidString(m.texts.items[0].text) || len(m.texts.items[0].text) > longestTxt+len("…") {
		t.Errorf("a message of %d bytes, cut within a rune: %v", len(m.texts.items[0].text), !utf8.ValidString(m.texts.items[0].text))
	}
	runtime.KeepAlive(m)
	m = nil
	if freed := held - size(); freed > said+said/4 {
		t.Errorf("%d bytes are counted, and %d held", said, freed)
	}
}

func TestTheStoreKeepsTheLatestAndTheLongestInItsBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const limit = 20_000
	s := store{limit: limit}
	var all []*kept
	for i := range 1200 {
		k := &kept{number: uint64(i + 1), took: time.Duration(r.IntN(2000)), text: make([]byte, r.IntN(200))}
		all = append(all, k)
		s.add(k)
		held := map[*kept]bool{}
		for _, k := range append(slices.Clone(s.latest), s.worst...) {
			held[k] = true
		}
		bytes := int64(0)
		for k := range held {
			bytes += k.size()
		}
		if bytes != s.bytes || bytes > limit {
			t.Fatalf("%d frames: %d bytes counted, %d held, %d allowed", i+1, s.bytes, bytes, limit)
		}
		if n := len(s.latest); !slices.Equal(s.latest, all[len(all)-n:]) || n < min(len(all), 50) {
			t.Fatalf("%d frames: the latest %d are not", i+1, n)
		}
		longest := slices.Clone(all)
		slices.SortStableFunc(longest, func(a, b *kept) int { return int(b.took - a.took) })
		longest = longest[:min(len(longest), worstKept)]
		for _, k := range longest {
			if k.took > longest[len(longest)-1].took && !slices.Contains(s.worst, k) { // which of several equal frames are kept does not matter
				t.Fatalf("%d frames: one of %d is missing", i+1, k.took)
			}
		}
		if len(s.worst) != len(longest) {
			t.Fatalf("%d frames: %d are kept", i+1, len(s.worst))
		}
	}
	backlog := s.backlog(50)
	if len(backlog) < 55 || !slices.IsSortedFunc(backlog, func(a, b *kept) int { return int(a.number) - int(b.number) }) {
		t.Errorf("a backlog of %d frames", len(backlog))
	}
	if got := s.from(1190, 100); len(got) != 11 || got[0].number != 1190 {
		t.Errorf("%d frames from 1190 on", len(got))
	}
	if got := s.from(1, 3); len(got) != 3 || got[2].number != 1200 {
		t.Errorf("%d frames, the latest three asked for", len(got))
	}
}

func TestFramesThatAreHugeDoNotPushOutAllOthers(t *testing.T) {
	s := store{limit: 10_000}
	for i := range 100 {
		s.add(&kept{number: uint64(i), took: time.Duration(i), text: make([]byte, 1900)})
		if s.bytes > s.limit || len(s.latest) < min(i+1, 3) {
			t.Fatalf("%d bytes, %d latest", s.bytes, len(s.latest))
		}
	}
	s.add(&kept{number: 100, text: make([]byte, 50_000)})
	if len(s.latest) != 1 {
		t.Errorf("%d frames beside one that is larger than the limit", len(s.latest))
	}
}

func TestTheLongestFramesTakeHalfOfTheBytes(t *testing.T) {
	const size = 1000
	held, short := (&kept{text: make([]byte, size)}).size(), (&kept{text: make([]byte, 10)}).size()
	fitting := func(limit int64) int { return int(max(1, limit/2/held)) }
	for _, limit := range []int64{1000, 2 * held, 4*held - 1, 4 * held, 10_000, 30_000} {
		s := store{limit: limit}
		for i := range 2 * worstKept { // the longest come first
			s.add(&kept{number: uint64(i), took: time.Duration(1000 - i), text: make([]byte, size)})
		}
		if n := len(s.worst); n != fitting(limit) {
			t.Errorf("of %d bytes the longest %d are kept; %d have room", limit, n, fitting(limit))
		}
		for i := range 200 {
			s.add(&kept{number: uint64(100 + i), took: time.Duration(1), text: make([]byte, 10)})
		}
		longest := int64(0)
		for _, k := range s.worst {
			longest += k.size()
		}
		if n := len(s.worst); n > 1 && longest > limit/2 || s.worst[n-1].took != 1000 {
			t.Errorf("of %d bytes the longest %d use %d", limit, n, longest)
		}
		if limit > 2*held && (s.bytes > limit || len(s.latest) < int(limit/2/short)) {
			t.Errorf("of %d bytes %d are used, by %d of the latest", limit, s.bytes, len(s.latest))
		}
	}
}

func TestTheRankOfThePercentileIsRoundedUp(t *testing.T) {
	s := store{limit: 1 << 30}
	for n := 1; n < 400; n++ {
		s.add(&kept{number: uint64(n), took: time.Duration(n)})
		if p99, _, ok := s.figures(); ok && p99 != time.Duration(math.Ceil(float64(n)*99/100)) {
			t.Errorf("of 1 to %d it is %d", n, p99)
		}
	}
}

func TestFiguresOfTheLatestThousandFrames(t *testing.T) {
	s := store{limit: 1 << 30}
	for i := range 3000 {
		took := 10 * time.Millisecond
		if i < 1000 {
			took = time.Second // too long ago
		} else if i%100 == 0 {
			took = 40 * time.Millisecond // ten of the last thousand
		}
		s.add(&kept{number: uint64(i), took: took})
		if _, _, ok := s.figures(); ok != (i >= 99) {
			t.Fatalf("figures of %d frames: %v", i+1, ok)
		}
	}
	p99, low1, _ := s.figures()
	if p99 != 10*time.Millisecond || low1 < 97 || low1 > 98 { // 990 frames are at most that long; all are at least that long
		t.Errorf("p99 %v, low %v", p99, low1)
	}
	s.add(&kept{number: 3000, took: 50 * time.Millisecond})
	s.add(&kept{number: 3001, took: 50 * time.Millisecond})
	if p99, low1, _ := s.figures(); p99 != 40*time.Millisecond || low1 < 23.9 || low1 > 24 { // 11 frames of 460 ms in total
		t.Errorf("p99 %v, low %v", p99, low1)
	}
}

func TestTheLaneOfALoopIsThatOfItsFrames(t *testing.T) {
	m, now := newModel(1<<20), clock.Instant(0)
	turn := func(name string, lanes ...int) int {
		for _, lane := range lanes {
			now += 10
			m.play(at(now).turn(name, lane, now))
		}
		return m.find(name).turns.lane()
	}
	hellos := func() any {
		var h hello
		l := m.find("l")
		if err := json.Unmarshal((&viewer{loop: l, name: "l"}).hello(m), &h); err != nil {
			t.Fatal(err)
		}
		if h.Lane == nil {
			return "absent"
		}
		return *h.Lane
	}
	if got := turn("l", 7); got != 7 || hellos() != 7 {
		t.Errorf("marked on lane 7: %d, %v", got, hellos())
	}
	before := m.version
	if got := turn("l", 7, 7, 7); got != 7 || m.version != before {
		t.Errorf("marked there again: %d, %d hellos", got, m.version-before)
	}
	if got := turn("l", 8, 7, 8, 7, 8, 7); got != -1 || hellos() != "absent" || m.version != before+1 {
		t.Errorf("marked on two lanes: %d, %v, %d hellos", got, hellos(), m.version-before)
	}
	if got := turn("l", slices.Repeat([]int{9}, settled)...); got != 9 {
		t.Errorf("marked on another lane for long: %d", got)
	}
	if got := turn("none", -1, -1); got != -1 {
		t.Errorf("marked on no lane: %d", got)
	}
	if got := turn("later", append([]int{-1}, slices.Repeat([]int{3}, settled)...)...); got != 3 {
		t.Errorf("marked first before the goroutine had a lane: %d", got)
	}
}

func TestTheLaneOfALoopIsToldApart(t *testing.T) {
	m := newModel(1 << 20)
	for lane := range 2 * mostLanes {
		m.play(at(1).span(lane, 0, 1))
	}
	m.play(at(2).turn("l", 20, 2), at(3).span(20, 2, 3))
	if got := m.lane(20); got != 20 {
		t.Errorf("the lane of the loop counts as lane %d", got)
	}
	if got := m.lane(21); got != allLanes {
		t.Errorf("another one beyond the limit counts as lane %d", got)
	}
}
