// SPDX-License-Identifier: BSD-3-Clause

package recorder

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unsafe"
	"weak"

	"github.com/strobe-go/strobe/internal/budget"
	"github.com/strobe-go/strobe/profile"
)

// markText sets a mark with a text that nothing else refers to.
//
//go:noinline
func markText(p *Pool) weak.Pointer[byte] {
	text := strings.Repeat("text ", 20)
	p.Mark(Mark{Name: text})
	return weak.Make(unsafe.StringData(text))
}

func TestTextsOfMarksThatAreDroppedAreFreed(t *testing.T) {
	var b budget.Budget
	p := New(8<<14, 0, &b)
	var texts []weak.Pointer[byte]
	for range 200 {
		texts = append(texts, markText(p))
		if len(texts)%10 != 0 {
			continue
		}
		runtime.GC()
		kept, _ := p.Marks(new(Cursor))
		held := 0
		for _, text := range texts {
			if text.Value() != nil {
				held++
			}
		}
		if held != len(kept) {
			t.Fatalf("after %d marks %d are kept, and the texts of %d", len(texts), len(kept), held)
		}
		runtime.KeepAlive(kept)
	}
	runtime.KeepAlive(p)
}

// Readers keep a reference to a pool until they read again.
func TestAClosedPoolHoldsNothing(t *testing.T) {
	var b budget.Budget
	p := New(20*chunkBytes, 0, &b)
	text := markText(p)
	chunk := func() weak.Pointer[Chunk] {
		var c *Chunk
		p.Next(0, nil, func(next *Chunk) { c = next })
		for c.Add(1, 1) {
		}
		p.Next(0, c, func(*Chunk) {})
		return weak.Make(c)
	}()
	p.Close()
	runtime.GC()
	if text.Value() != nil || chunk.Value() != nil {
		t.Error("a text or a chunk is held after Close")
	}
	if b.Used() != 0 {
		t.Errorf("%d bytes of the budget are held after Close", b.Used())
	}
	runtime.KeepAlive(p)
}

// The budget may allow less than the pool's share for marks.
func TestMarksKeepWithinTheBudget(t *testing.T) {
	var b budget.Budget
	b.SetLimit(20_000)
	p := New(8<<20, 0, &b)
	for i := range 1000 {
		p.Mark(Mark{Name: fmt.Sprint(i)})
		if b.Used() > 20_000 {
			t.Fatalf("%d bytes are used of 20000", b.Used())
		}
	}
	if kept, lost := p.Marks(new(Cursor)); len(kept) < 5 || kept[len(kept)-1].Name != "999" || uint64(len(kept))+lost != 1000 {
		t.Errorf("%d kept, %d lost of 1000", len(kept), lost)
	}
}

func TestAQueueTakesTheRoomOfWhatItHolds(t *testing.T) {
	var f fifo[int]
	for i := range 10_000 {
		f.push(i)
		if f.len() > 10 && f.pop() != i-10 {
			t.Fatalf("not in order after %d", i)
		}
	}
	if n := cap(f.items); n > 100 {
		t.Errorf("room for %d where there never were more than eleven", n)
	}
	for i := range 1 << 18 { // moving the remaining marks each time would take minutes
		f.push(i)
	}
	for f.len() > 0 {
		f.pop()
	}
}

func TestAReadingMakesRoomForSpansAtOnce(t *testing.T) {
	var b budget.Budget
	p := New(20*chunkBytes, 0, &b)
	w := &writer{p: p}
	w.c.Store(p.None())
	for range 300 {
		w.add()
	}
	var from Cursor
	p.Read([]int{0}, held([]*writer{w}), &from)
	for range 200 {
		w.add()
	}
	next := Cursor{lanes: make([]position, 1)}
	var read []Lane
	allocs := testing.AllocsPerRun(10, func() {
		copy(next.lanes, from.lanes)
		read = p.Read([]int{0}, held([]*writer{w}), &next)
	})
	if n, room := len(read[0].Spans), cap(read[0].Spans); n != 200 || room > 220 || allocs > 7 {
		t.Errorf("%d spans, room for %d, %v allocations", n, room, allocs)
	}
}

// Readings of more spans than a cursor keeps room for use the same memory again and again, and free it once they find less.
func TestLargeReadingsOneAfterTheOtherDoNotAllocate(t *testing.T) {
	const n = mostKept + mostKept/2
	var b budget.Budget
	w := &writer{p: New(16*n+16*n/4, 0, &b)}
	w.c.Store(w.p.None())
	var from Cursor
	read := func(n int) int {
		for range n {
			w.add()
		}
		found := 0
		for _, l := range w.p.Read([]int{0}, held([]*writer{w}), &from) {
			found += len(l.Spans)
		}
		return found
	}
	if found := read(n); found != n {
		t.Fatalf("%d spans of %d", found, n)
	}
	room := cap(from.spans)
	if allocs := testing.AllocsPerRun(3, func() { read(n) }); allocs > 0 || cap(from.spans) != room || room > n+n/3 {
		t.Errorf("%v allocations, room for %d of %d spans and then for %d", allocs, room, n, cap(from.spans))
	}
	read(100)
	if read(100); cap(from.spans) > mostKept {
		t.Errorf("room for %d spans is kept", cap(from.spans))
	}
}

// Full chunks that are skipped are not copied, and what comes later is complete.
func TestFullChunksAreSkipped(t *testing.T) {
	var b budget.Budget
	w := &writer{p: New(1<<20, 0, &b)}
	w.c.Store(w.p.None())
	add := func(n int) {
		for range n {
			w.add()
		}
	}
	var from Cursor
	add(10 * chunkSpans)
	w.p.Skip(&from)
	if w.p.Read([]int{0}, held([]*writer{w}), &from); cap(from.spans) > 2*chunkSpans {
		t.Errorf("room for %d spans", cap(from.spans))
	}
	add(3*chunkSpans + 7)
	if read := w.p.Read([]int{0}, held([]*writer{w}), &from); len(read[0].Spans) != 3*chunkSpans+7 || read[0].Lost != 0 {
		t.Errorf("%d spans, %d lost", len(read[0].Spans), read[0].Lost)
	}
}

// Refusals of the budget are shown to the user, so there must not be one for each attempt.
func TestThePoolAsksOnceForMoreThanThereIs(t *testing.T) {
	var b budget.Budget
	b.SetLimit(8 * chunkBytes)
	w := &writer{p: New(1<<20, 0, &b)}
	w.c.Store(w.p.None())
	for range 100 * chunkSpans {
		w.add()
	}
	if b.Used() != 6*chunkBytes || b.Refused() != 1 {
		t.Errorf("%d bytes used of %d, %d refusals", b.Used(), b.Limit(), b.Refused())
	}
}

// The allocator's rounding shows in the capacity of a slice of bytes.
func TestMarksCountAsMuchAsTheyTake(t *testing.T) {
	for n := range 129 {
		var b budget.Budget
		p := New(40_000, 0, &b)
		p.Mark(Mark{Name: strings.Repeat("x", n)})
		place := cap(append([]byte(nil), make([]byte, blockBytes)...))
		text := cap(append([]byte(nil), make([]byte, n)...))
		if got := int(b.Used()); got < place+text || got > place+text+16 {
			t.Errorf("a mark with %d bytes of text counts %d bytes, and takes %d", n, got, place+text)
		}
	}
}

// Marks take the place of the oldest spans, up to a quarter of the memory, and spans take all that marks do not use.
func TestMarksTakeThePlaceOfTheOldestSpans(t *testing.T) {
	const chunks, size = 40, 40 * chunkBytes
	var b budget.Budget
	w := &writer{p: New(size, 0, &b)}
	w.c.Store(w.p.None())
	for range 2 * chunks * chunkSpans {
		w.add()
	}
	if w.p.made != chunks {
		t.Errorf("without marks there are %d chunks of %d", w.p.made, chunks)
	}
	for i := range 10_000 {
		w.p.Mark(Mark{Lane: 0, Kind: profile.LinkEvent, Task: uint64(i)})
		w.add()
		if b.Used() > size || int64(w.p.made*chunkBytes+w.p.marks.bytes) != b.Used() || w.p.marks.bytes > size/4 {
			t.Fatalf("after %d marks: %d chunks, %d bytes of marks, %d in all", i, w.p.made, w.p.marks.bytes, b.Used())
		}
	}
	kept, lost := w.p.Marks(new(Cursor))
	if most := size / 4 / int(blockBytes) * len(block{}); len(kept) > most || len(kept) < most-2*len(block{}) || uint64(len(kept))+lost != 10_000 || kept[len(kept)-1].Task != 9999 {
		t.Errorf("%d marks are kept, %d lost, there is room for %d", len(kept), lost, most)
	}
	var from Cursor
	lanes := w.p.Read([]int{0}, held([]*writer{w}), &from)
	if n := len(lanes[0].Spans); n < (chunks*3/4-2)*chunkSpans || uint64(n)+lanes[0].Lost != w.n {
		t.Errorf("%d spans are kept, %d lost of %d", n, lanes[0].Lost, w.n)
	}
	w.p.Close()
	if b.Used() != 0 {
		t.Errorf("%d bytes are held after Close", b.Used())
	}
}

func TestMarksAreKeptWithoutAllocations(t *testing.T) {
	var b budget.Budget
	p := New(1<<20, 0, &b)
	mark := func() { p.Mark(Mark{Kind: profile.LinkEvent}) }
	for range 10_000 {
		mark()
	}
	if n := testing.AllocsPerRun(10_000, mark); n != 0 {
		t.Errorf("%v allocations for each mark", n)
	}
}
