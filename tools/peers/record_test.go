// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"testing"

	"github.com/strobe-go/strobe"
)

// BenchmarkRecord counts the spans that a recording keeps.
func BenchmarkRecord(b *testing.B) { runRows(b, recordRows()) }

const (
	recordBytes = 64 << 20
	recordSpans = 30 * 60 * 1000 // 30 s of 60 frames with 1000 spans each
)

func recordRows() []row {
	return []row{
		{"one-lane", func(b *testing.B) { once(b, func() map[string]float64 { return recorded(1) }) }},
		{"one-of-1000-lanes", func(b *testing.B) { once(b, func() map[string]float64 { return recorded(1000) }) }},
	}
}

// recorded records on one of several lanes, after a few spans on all others, and returns how many of its spans were kept.
func recorded(lanes int) map[string]float64 {
	zone := strobe.NewZone("recorded")
	strobe.Record(recordBytes)
	defer strobe.Record(0)
	for range lanes - 1 {
		l := strobe.NewLane("recorded")
		for range 10 {
			l.Enter(zone).Exit()
		}
		l.Close()
	}
	busy := strobe.NewLane("busy")
	for range recordSpans {
		busy.Enter(zone).Exit()
	}
	t := strobe.TakeTimeline()
	kept := 0
	for _, e := range t.Events {
		if t.Lanes[e.Lane].Name == "busy" {
			kept++
		}
	}
	busy.Close()
	return map[string]float64{"kept": float64(kept), "lost": float64(t.Lost)}
}
