// SPDX-License-Identifier: BSD-3-Clause

package strobetracy

import (
	"io"
	"testing"

	"github.com/strobe-go/strobe"
)

// A benched is a session that discards its output, with its own lane to record.
type benched struct {
	*session
	lane         *strobe.Lane
	outer, inner *strobe.Zone
}

func newBenched(tb testing.TB) benched {
	strobe.Record(1 << 20)
	tb.Cleanup(func() { strobe.Record(0) })
	lane := strobe.NewLane("bench")
	tb.Cleanup(lane.Close)
	s := &session{e: &encoder{w: io.Discard, d: &dialects[0]}, read: new(strobe.TimelineReader).ReadInto, threads: newThreads(), names: newNames()}
	return benched{s, lane, strobe.NewZone("outer"), strobe.NewZone("inner")}
}

// work runs n zones, a multiple of 10.
func (b *benched) work(n int) {
	for range n / 10 {
		o := b.lane.Enter(b.outer)
		for range 9 {
			b.lane.Enter(b.inner).Exit()
		}
		o.Exit()
	}
}

func TestSendingDoesNotAllocate(t *testing.T) {
	b := newBenched(t)
	around := b.lane.Enter(strobe.NewZone("around")) // open in every reading
	defer around.Exit()
	send := func() {
		b.work(5000)
		b.next()
	}
	for range 50 { // until the recording is full
		send()
	}
	n := testing.AllocsPerRun(20, send)
	for range 5 { // something else in the process may allocate
		n = min(n, testing.AllocsPerRun(20, send))
	}
	if n > 0 {
		t.Errorf("%v allocations for 5000 zones", n)
	}
}

// BenchmarkZone measures the cost of a zone for the sending goroutine, from the recording to the bytes: at a million zones
// per second, 50 ns are 5 % of a processor.
func BenchmarkZone(b *testing.B) {
	const zones = 10_000 // in a hundredth of a second
	s := newBenched(b)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		s.work(zones)
		b.StartTimer()
		s.next()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/zones, "ns/zone")
}
