// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/strobe-go/strobe/profile"
)

var writers = map[string]func(io.Writer, profile.Timeline) error{
	"WriteChrome": WriteChrome, "WritePerfetto": WritePerfetto, "WriteStacks": WriteStacks,
	"WriteProfile": func(w io.Writer, _ profile.Timeline) error { return WriteProfile(w, tree()) },
	"WriteFolded":  func(w io.Writer, _ profile.Timeline) error { return WriteFolded(w, tree()) },
}

func TestTheSameTimelineGivesTheSameBytes(t *testing.T) {
	for name, write := range writers {
		var a, b bytes.Buffer
		if err := errors.Join(write(&a, game()), write(&b, game())); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s differs from itself", name)
		}
	}
}

var errFull = errors.New("no space left")

// full is a writer that accepts a number of bytes, and then fails.
type full int

func (f *full) Write(b []byte) (int, error) {
	if len(b) > int(*f) {
		return int(*f), errFull
	}
	*f -= full(len(b))
	return len(b), nil
}

func TestErrorsOfTheWriterAreReturned(t *testing.T) {
	for name, write := range writers {
		var whole counter
		if err := write(&whole, game()); err != nil {
			t.Error(err)
		}
		for size := 0; size < int(whole); size += 1 + int(whole)/50 {
			if f := full(size); !errors.Is(write(&f, game()), errFull) {
				t.Errorf("%s of %d bytes into %d does not fail", name, whole, size)
			}
		}
	}
}

// many returns a timeline of n spans, on lanes with a full ring each, eight spans inside each outer one, and some marks.
func many(n int) profile.Timeline {
	t := game()
	t.Lanes, t.Events = nil, nil
	for i := range n {
		id := i / 4096
		if id == len(t.Lanes) {
			t.Lanes = append(t.Lanes, lane(id, ""))
		}
		e := profile.Event{Kind: profile.SpanEvent, Lane: id, Zone: 1 + i%3, Depth: 1, Start: at(time.Second + time.Duration(i%4096)*300), Took: 234}
		if i%9 == 8 {
			e.Zone, e.Depth, e.Start, e.Took = 0, 0, e.Start.Add(-2500), 2800
		}
		t.Events = append(t.Events, e)
	}
	for i := range n / 100 {
		e := game().Events[14+i%6]
		e.Start = at(time.Second + time.Duration(i)*1000)
		t.Events = append(t.Events, e)
	}
	return t
}

// The writers hold the spans of one lane and a buffer, so eight times as many lanes take the same memory.
func TestTimelinesAreWrittenWithinTheMemoryOfALane(t *testing.T) {
	for _, name := range []string{"WriteChrome", "WritePerfetto"} {
		used := func(in profile.Timeline) (least uint64) {
			for range 3 { // other code in the test binary may allocate too
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				if err := writers[name](io.Discard, in); err != nil {
					t.Fatal(err)
				}
				runtime.ReadMemStats(&after)
				if n := after.TotalAlloc - before.TotalAlloc; least == 0 || n < least {
					least = n
				}
			}
			return least
		}
		if few, lots := used(many(2*4096)), used(many(16*4096)); lots > few+few/4 {
			t.Errorf("%s allocates %d bytes for 2 lanes and %d for 16", name, few, lots)
		}
	}
}

func BenchmarkWriters(b *testing.B) {
	in := many(16 * 4096)
	for _, name := range []string{"WriteChrome", "WritePerfetto", "WriteStacks"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var n counter
			for b.Loop() {
				n = 0
				if err := writers[name](&n, in); err != nil {
					b.Fatal(err)
				}
			}
			events := float64(len(in.Events))
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/events, "ns/event")
			b.ReportMetric(float64(n)/events, "B/event")
		})
	}
}

// A counter counts bytes.
type counter int64

func (c *counter) Write(b []byte) (int, error) { *c += counter(len(b)); return len(b), nil }
