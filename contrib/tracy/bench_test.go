// SPDX-License-Identifier: BSD-3-Clause

package strobetracy

import (
	"io"
	"testing"

	"github.com/strobe-go/strobe"
)

// What a zone costs the goroutine that sends, from the recording to the bytes: at a million zones a second, 50 ns are 5 % of a
// processor.
func BenchmarkZone(b *testing.B) {
	const zones = 10_000 // in a hundredth of a second
	strobe.Record(16 << 20)
	defer strobe.Record(0)
	zone, inner := strobe.NewZone("outer"), strobe.NewZone("inner")
	lane := strobe.NewLane("bench")
	defer lane.Close()
	var reader strobe.TimelineReader
	reader.Read()
	s := &session{e: &encoder{w: io.Discard, d: &dialects[0]}, read: reader.Read, threads: newThreads(), names: newNames()}
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		for range zones / 10 {
			o := lane.Enter(zone)
			for range 9 {
				lane.Enter(inner).Exit()
			}
			o.Exit()
		}
		b.StartTimer()
		t := s.read()
		s.send(&t)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/zones, "ns/zone")
}
