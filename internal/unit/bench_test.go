// SPDX-License-Identifier: BSD-3-Clause

package unit

import (
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// busy returns a reading of 64 lanes with 20 units each, of 20 spans, or without units.
func busy(path int, notes bool) (t profile.Timeline, spans int) {
	r := at(1 << 30)
	for lane := range 64 {
		now := clock.Instant(1000)
		for range 20 {
			begin := now
			for range 19 {
				if path == 0 {
					r.span(lane, 1, now+10, now+90)
				} else {
					r.span(lane, 2, now+10, now+90)
				}
				now += 100
				spans++
			}
			r.span(lane, path, begin, now)
			if notes {
				r.mark(lane, profile.Event{Kind: profile.NoteEvent, Start: begin + 5, Name: "route", Text: "/cart"})
			}
			spans++
		}
	}
	return r.t, spans
}

// A reading of spans allocates nothing once the collector has room for them.
func TestReadingUnitsAllocatesNothing(t *testing.T) {
	reading, _ := busy(0, false)
	c, n := NewCollector(0), 0
	count := func(*profile.Unit) { n++ }
	c.Read(reading, count)
	if got := testing.AllocsPerRun(5, func() { c.Read(reading, count) }); got > 0 || n < 64*20 {
		t.Errorf("%v allocations in a reading, %d units", got, n)
	}
}

func BenchmarkRead(b *testing.B) {
	for _, bb := range []struct {
		name  string
		path  int
		notes bool
		part  bool
	}{{"units", 0, false, false}, {"notes", 0, true, false}, {"outlines", 0, false, true}, {"nothing", 2, false, false}} {
		b.Run(bb.name, func(b *testing.B) {
			reading, spans := busy(bb.path, bb.notes)
			c := NewCollector(0)
			if bb.part {
				c.Whole = func(int, time.Duration) bool { return false }
			}
			b.ReportAllocs()
			for b.Loop() {
				c.Read(reading, func(*profile.Unit) {})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(spans), "ns/span")
		})
	}
}
