// SPDX-License-Identifier: BSD-3-Clause

package recorder

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/budget"
	"github.com/strobe-go/strobe/profile"
)

// A writer is a lane that records spans whose start determines their other fields.
type writer struct {
	p         *Pool
	lane      int
	anonymous bool // its goroutines are not named, so that its chunks have chunkSpans spans
	c         atomic.Pointer[Chunk]
	n         uint64
}

func (w *writer) add() {
	start := w.n<<8 | uint64(w.lane)
	packed := Pack(start*2654435761%longFlag, uint8(start%200), uint16(start%50000))
	if w.n%goroutineSpans == 0 && !w.anonymous {
		w.c.Load().Own(w.goroutine(start))
	}
	w.n++
	if !w.c.Load().Add(start, packed) {
		w.p.Next(w.lane, w.c.Load(), func(c *Chunk) { w.c.Store(c) })
		if !w.anonymous {
			w.c.Load().Own(w.goroutine(start))
		}
		w.c.Load().Add(start, packed)
	}
}

// goroutineSpans is the number of spans after which another goroutine has the lane.
const goroutineSpans = 77

func (w *writer) goroutine(start uint64) uint64 {
	if w.anonymous {
		return 0
	}
	return start>>8/goroutineSpans + 1
}

func held(ws []*writer) func(int) *Chunk { return func(i int) *Chunk { return ws[i].c.Load() } }

func (w *writer) check(t *testing.T, spans []Span) {
	t.Helper()
	last := uint64(0)
	for i, s := range spans {
		if s.Start&255 != uint64(w.lane) || s.Ticks != s.Start*2654435761%longFlag || s.Depth != int(s.Start%200) || s.Node != int(s.Start%50000) || s.Goroutine != w.goroutine(s.Start) {
			t.Fatalf("torn: %+v on lane %d", s, w.lane)
		}
		if i > 0 && s.Start <= last {
			t.Fatalf("%d follows %d", s.Start, last)
		}
		last = s.Start
	}
}

func TestKeptAndLostAreAllThereWere(t *testing.T) {
	var b budget.Budget
	p := New(20*chunkBytes, 0, &b)
	ws := []*writer{{p: p, lane: 0}, {p: p, lane: 1}, {p: p, lane: 2}}
	for _, w := range ws {
		w.c.Store(p.None())
	}
	for i := range 100_000 {
		ws[0].add()
		if i%10 == 0 {
			ws[1].add()
		}
		if i == 0 {
			ws[2].add()
		}
		if i%9973 != 0 {
			continue
		}
		lanes := p.Read([]int{0, 1, 2}, held(ws), new(Cursor))
		for l, w := range ws {
			ws[l].check(t, lanes[l].Spans)
			if got := uint64(len(lanes[l].Spans)) + lanes[l].Lost; got != w.n {
				t.Fatalf("lane %d: %d kept, %d lost, %d recorded", l, len(lanes[l].Spans), lanes[l].Lost, w.n)
			}
		}
	}
	lanes := p.Read([]int{0, 1, 2}, held(ws), new(Cursor))
	if kept := len(lanes[0].Spans) + len(lanes[1].Spans); kept < 14*chunkSpans || len(lanes[2].Spans) != 1 {
		t.Errorf("%d spans are kept in room for %d; the chunk that is not full has %d", kept, 17*chunkSpans, len(lanes[2].Spans))
	}
	if b.Used() > 20*chunkBytes {
		t.Errorf("%d bytes are used of %d", b.Used(), 20*chunkBytes)
	}
	p.Close()
	p.Close()
	if b.Used() != 0 {
		t.Errorf("%d bytes are held after Close", b.Used())
	}
}

// Writers never wait, and yet a reader gets whole spans.
func TestAReaderNeverSeesATornSpan(t *testing.T) {
	var b budget.Budget
	p := New(12*chunkBytes, 0, &b)
	ws := make([]*writer, 3)
	var stop atomic.Bool
	var wg sync.WaitGroup
	for i := range ws {
		w := &writer{p: p, lane: i}
		w.c.Store(p.None())
		ws[i] = w
		wg.Add(1)
		go func() {
			defer wg.Done()
			for !stop.Load() {
				w.add()
			}
		}()
	}
	read := 0
	for end := time.Now().Add(300 * time.Millisecond); read == 0 || time.Now().Before(end); {
		lanes := p.Read([]int{0, 1, 2}, held(ws), new(Cursor))
		for l := range lanes {
			ws[l].check(t, lanes[l].Spans)
			read += len(lanes[l].Spans)
		}
	}
	stop.Store(true)
	wg.Wait()
	t.Logf("%d spans read", read)
}

// Readers that read often and readers that read too late get each span once, or the number of spans that they missed.
func TestACursorPassesEachSpanOnce(t *testing.T) {
	var b budget.Budget
	p := New(20*chunkBytes, 0, &b)
	ws := []*writer{{p: p, lane: 0}, {p: p, lane: 1}, {p: p, lane: 2}}
	for _, w := range ws {
		w.c.Store(p.None())
	}
	type reader struct {
		every int
		from  Cursor
		got   [3]uint64
		lost  [3]uint64
		last  [3]uint64
	}
	readers := []*reader{{every: 1}, {every: 100}, {every: 2500}, {every: 7000}, {every: 30_000}}
	for i := range 100_000 {
		if i%40_000 < 30_000 {
			ws[0].add()
		}
		if i%10 == 0 {
			ws[1].add()
		}
		if i == 0 {
			ws[2].add()
		}
		for _, r := range readers {
			if i%r.every != 0 {
				continue
			}
			for l, lane := range p.Read([]int{0, 1, 2}, held(ws), &r.from) {
				ws[l].check(t, lane.Spans)
				if len(lane.Spans) > 0 {
					if r.got[l] > 0 && lane.Spans[0].Start <= r.last[l] {
						t.Fatalf("every %d, lane %d: %d comes after %d", r.every, l, lane.Spans[0].Start, r.last[l])
					}
					r.last[l] = lane.Spans[len(lane.Spans)-1].Start
				}
				r.got[l] += uint64(len(lane.Spans))
				r.lost[l] += lane.Lost
				if r.got[l]+r.lost[l] != ws[l].n {
					t.Fatalf("every %d, lane %d: %d read and %d lost of %d", r.every, l, r.got[l], r.lost[l], ws[l].n)
				}
			}
			if r.every < 2500 && r.lost != [3]uint64{} {
				t.Fatalf("every %d: lost %d", r.every, r.lost)
			}
		}
	}
	if r := readers[4]; r.lost[0] == 0 {
		t.Error("a reader who came too late has lost nothing")
	}
}

// As before, while lanes write as fast as they can.
func TestACursorPassesEachSpanOnceWhileLanesWrite(t *testing.T) {
	var b budget.Budget
	p := New(12*chunkBytes, 0, &b)
	ws := make([]*writer, 3)
	var wg sync.WaitGroup
	for i := range ws {
		w := &writer{p: p, lane: i}
		w.c.Store(p.None())
		ws[i] = w
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 300_000 {
				w.add()
			}
		}()
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	var from Cursor
	var got, lost, last [3]uint64
	for end := false; !end; {
		select {
		case <-done:
			end = true
		default:
		}
		for l, lane := range p.Read([]int{0, 1, 2}, held(ws), &from) {
			ws[l].check(t, lane.Spans)
			if n := len(lane.Spans); n > 0 {
				if got[l] > 0 && lane.Spans[0].Start <= last[l] {
					t.Fatalf("lane %d: %d comes after %d", l, lane.Spans[0].Start, last[l])
				}
				last[l] = lane.Spans[n-1].Start
			}
			got[l] += uint64(len(lane.Spans))
			lost[l] += lane.Lost
		}
	}
	for l, w := range ws {
		if got[l]+lost[l] != w.n {
			t.Errorf("lane %d: %d read and %d lost of %d", l, got[l], lost[l], w.n)
		}
	}
	if got == [3]uint64{} {
		t.Error("no span was read")
	}
}

// A chunk that is reused while it is read counts as lost, except for the spans that were read earlier.
func TestAChunkThatChangesHandsWhileItIsRead(t *testing.T) {
	for _, tt := range []struct {
		name      string
		before    [2]int // spans recorded before the reading, by lane
		meanwhile int    // spans recorded on lane 0 while it is under way
		got, lost [2]uint64
	}{
		{"none", [2]int{2*chunkSpans + 1, chunkSpans + 1}, 0, [2]uint64{2*chunkSpans + 1, chunkSpans + 1}, [2]uint64{}},
		{"the oldest", [2]int{2*chunkSpans + 1, chunkSpans + 1}, chunkSpans, [2]uint64{3 * chunkSpans, 1}, [2]uint64{0, chunkSpans}},
		{"all of a lane", [2]int{10*chunkSpans + 100, 0}, 6 * chunkSpans, [2]uint64{0, 0}, [2]uint64{10 * chunkSpans, 0}},
	} {
		var b budget.Budget
		p := New(5*chunkBytes, 0, &b)
		ws := []*writer{{p: p, lane: 0, anonymous: true}, {p: p, lane: 1, anonymous: true}}
		for _, w := range ws {
			w.c.Store(p.None())
		}
		for _, lane := range []int{1, 0} {
			for range tt.before[lane] {
				ws[lane].add()
			}
		}
		var from Cursor
		p.look([]int{0, 1}, held(ws), &from)
		for range tt.meanwhile {
			ws[0].add()
		}
		lanes := from.found()
		for l := range lanes {
			ws[l].check(t, lanes[l].Spans)
			if n := uint64(len(lanes[l].Spans)); n != tt.got[l] || lanes[l].Lost != tt.lost[l] {
				t.Errorf("%s: lane %d: %d read, %d lost, want %d and %d", tt.name, l, n, lanes[l].Lost, tt.got[l], tt.lost[l])
			}
		}
	}
}

func TestAChunkThatIsLostAfterAPartOfItWasRead(t *testing.T) {
	var b budget.Budget
	p := New(6*chunkBytes, 0, &b)
	w := &writer{p: p}
	w.c.Store(p.None())
	var from Cursor
	var got, lost uint64
	for i, meanwhile := range []int{0, 6 * chunkSpans, 0} {
		for range []int{10*chunkSpans + 100, 0, 0}[i] {
			w.add()
		}
		p.look([]int{0}, held([]*writer{w}), &from)
		for range meanwhile {
			w.add()
		}
		read := from.found()[0]
		got += uint64(len(read.Spans))
		lost += read.Lost
		if read.Lost > w.n || got+lost > w.n {
			t.Fatalf("reading %d: %d read, %d lost of %d; this one %d", i, got, lost, w.n, read.Lost)
		}
	}
	if got+lost != w.n || lost == 0 {
		t.Errorf("%d read, %d lost of %d", got, lost, w.n)
	}
}

func TestDurationsOfAnyLength(t *testing.T) {
	for _, d := range []uint64{0, 1, longFlag - 1, longFlag, longFlag * 3, 1 << 48} {
		if s := unpack(7, Pack(d, 255, 65535), 0); s.Ticks > d || d-s.Ticks > 1024 || s.Depth != 255 || s.Node != 65535 || s.Start != 7 {
			t.Errorf("%d ticks came back as %+v", d, s)
		}
	}
}

func TestTheLongestDurationIsKeptAsLong(t *testing.T) {
	for _, d := range []uint64{1 << 63, 1<<64 - 1} {
		if got := unpack(0, Pack(d, 0, 0), 0).Ticks; got != (longFlag-2)<<10 {
			t.Errorf("%d ticks are kept as %d", d, got)
		}
		if Pack(d, 255, 65535) == owner {
			t.Errorf("a span of %d ticks looks like the number of a goroutine", d)
		}
	}
}

func TestAChunkIsUsedToItsEnd(t *testing.T) {
	c, n := new(Chunk), 0
	for c.Add(1, 1) {
		n++
	}
	if n != chunkSpans {
		t.Errorf("a chunk has room for %d spans, want %d", n, chunkSpans)
	}
}

// Lanes may record more after a reader has listed them.
func TestFullChunksOfALaneThatIsNotAskedForAreRead(t *testing.T) {
	var b budget.Budget
	p := New(20*chunkBytes, 0, &b)
	ws := []*writer{{p: p, lane: 0, anonymous: true}, {p: p, lane: 1}, {p: p, lane: 2, anonymous: true}}
	for _, w := range ws {
		w.c.Store(p.None())
	}
	for range 2*chunkSpans + 7 {
		ws[0].add()
		ws[2].add()
	}
	var from Cursor
	for turn, want := range [...][2]int{{2 * chunkSpans, 2*chunkSpans + 7}, {7, 0}} {
		asked := []int{2 - 2*turn}
		read := slices.Clone(p.Read(asked, held(ws), &from))
		got := [3]int{}
		for i, l := range read {
			got[l.ID] = len(l.Spans)
			ws[l.ID].check(t, l.Spans)
			if l.Lost > 0 || i > 0 && l.ID <= read[i-1].ID {
				t.Errorf("lane %d: %d lost; all: %v", l.ID, l.Lost, read)
			}
		}
		if got != [3]int{want[0], 0, want[1]} {
			t.Errorf("lane %v was asked for: %v spans, want %v", asked, got, want)
		}
	}
}

func TestReadingsThatFindLittleDoNotAllocate(t *testing.T) {
	var b budget.Budget
	p := New(20*chunkBytes, 0, &b)
	w := &writer{p: p}
	w.c.Store(p.None())
	var from Cursor
	ids := []int{0}
	read := func() {
		for range 3 * chunkSpans {
			w.add()
		}
		p.Read(ids, held([]*writer{w}), &from)
	}
	for range 10 { // the pool makes its chunks
		read()
	}
	if n := testing.AllocsPerRun(20, read); n > 3 { // those of held, and sometimes one for the queue of chunks
		t.Errorf("%v allocations for each reading", n)
	}
}

func TestLongTextsAreKeptWithinTheirBytes(t *testing.T) {
	var b budget.Budget
	const limit, length = 64 << 10, 1 << 10
	p := New(4*limit, 0, &b)
	for range 1000 {
		p.Mark(Mark{Kind: profile.MessageEvent, Name: strings.Repeat("x", length)})
	}
	kept, lost := p.Marks(new(Cursor))
	if n := len(kept); n < limit/length/2 || n*length > limit || uint64(n)+lost != 1000 {
		t.Errorf("%d texts of %d bytes are kept in %d, %d lost", n, length, limit, lost)
	}
}

func TestWithoutRoomThereIsNone(t *testing.T) {
	var b budget.Budget
	p := New(100, 0, &b)
	p.Next(0, nil, func(c *Chunk) {
		if c != p.None() || c.Add(1, 1) {
			t.Error("a chunk where there is no room for one")
		}
	})
	b.SetLimit(chunkBytes) // of which details may use three quarters
	p = New(1<<20, 0, &b)
	p.Next(0, nil, func(c *Chunk) {
		if c != p.None() {
			t.Error("a chunk beyond the budget")
		}
	})
	p.Close()
	p.Next(0, nil, func(*Chunk) { t.Error("a chunk after Close") })
}

func TestMarksKeepTheLatestWithinTheirBytes(t *testing.T) {
	var b budget.Budget
	p := New(40_000, 0, &b)
	for i := range 5000 {
		p.Mark(Mark{Lane: -1, Kind: profile.MessageEvent, Name: fmt.Sprint("message ", i)})
		kept, lost := p.Marks(new(Cursor))
		if lost+uint64(len(kept)) != uint64(i+1) || kept[len(kept)-1].Name != fmt.Sprint("message ", i) {
			t.Fatalf("after %d: %d kept, %d lost", i+1, len(kept), lost)
		}
		if b.Used() > 10_000 {
			t.Fatalf("%d bytes are used of 10000", b.Used())
		}
	}
	var from Cursor
	if kept, lost := p.Marks(&from); len(kept) == 0 || lost+uint64(len(kept)) != 5000 {
		t.Errorf("%d kept, %d lost of 5000", len(kept), lost)
	}
	p.Mark(Mark{Name: "one more"})
	if kept, lost := p.Marks(&from); len(kept) != 1 || kept[0].Name != "one more" || lost != 0 {
		t.Errorf("after one more: %v, %d lost", kept, lost)
	}
	if kept, lost := p.Marks(&from); len(kept) != 0 || lost != 0 {
		t.Errorf("after none: %v, %d lost", kept, lost)
	}
	p.Mark(Mark{Name: string(make([]byte, 20_000))})
	if kept, lost := p.Marks(new(Cursor)); len(kept) != 0 || lost != 5002 {
		t.Errorf("a mark that is too long for all of the room: %d kept, %d lost", len(kept), lost)
	}
}

func BenchmarkAdd(b *testing.B) {
	var m budget.Budget
	w := &writer{p: New(1<<20, 0, &m)}
	w.c.Store(w.p.None())
	for b.Loop() {
		w.add()
	}
}

// No mark is there twice or missing, whatever is set while marks are read.
func TestMarksAreReadWhileOthersAreSet(t *testing.T) {
	var b budget.Budget
	p := New(1<<18, 0, &b)
	const writers, each = 2, 20_000
	var all sync.WaitGroup
	for w := range writers {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range each {
				p.Mark(Mark{Lane: int32(w), Task: uint64(i) + 1})
			}
		}()
	}
	done := make(chan bool)
	go func() {
		all.Wait()
		close(done)
	}()
	var from Cursor
	var latest [writers]uint64
	read, missing := 0, uint64(0)
	for last := false; ; {
		kept, lost := p.Marks(&from)
		for _, m := range kept {
			if m.Task <= latest[m.Lane] {
				t.Fatalf("mark %d after %d", m.Task, latest[m.Lane])
			}
			latest[m.Lane] = m.Task
		}
		read, missing = read+len(kept), missing+lost
		if last {
			break
		}
		select {
		case <-done:
			last = true
		default:
		}
	}
	if uint64(read)+missing != writers*each || max(latest[0], latest[1]) != each { // the last marks of one may have been overwritten by the other
		t.Errorf("%d read, %d lost of %d; the latest are %v", read, missing, writers*each, latest)
	}
	p.Close()
	if kept, lost := p.Marks(&from); len(kept) != 0 || lost != 0 {
		t.Errorf("after Close: %d marks, %d lost", len(kept), lost)
	}
	if kept, lost := p.Marks(new(Cursor)); len(kept) != 0 || lost != 0 {
		t.Errorf("of a new reader after Close: %d marks, %d lost", len(kept), lost)
	}
}
