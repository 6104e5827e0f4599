// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/internal/unit"
	"github.com/strobe-go/strobe/profile"
)

// BenchmarkUnits measures spans that are units, and putting units together.
func BenchmarkUnits(b *testing.B) { runRows(b, unitRows()) }

func unitRows() []row {
	plain, root, inner := strobe.NewZone("units span"), strobe.NewRootZone("units root"), strobe.NewZone("units inner")
	recorded := func(run func(n int)) func(b *testing.B) {
		return func(b *testing.B) {
			defer strobe.KeepRecording(8 << 20)()
			run(1000)
			b.ResetTimer()
			run(b.N)
		}
	}
	return []row{
		{"span", recorded(func(n int) {
			for range n {
				plain.Enter().Exit()
			}
		})},
		{"root-span", recorded(func(n int) {
			for range n {
				root.Enter().Exit()
			}
		})},
		{"root-span-with-note", recorded(func(n int) {
			for range n {
				s := root.Enter()
				strobe.Note("route", "/cart")
				s.Exit()
			}
		})},
		{"reading-a-unit", func(b *testing.B) { readUnits(b, root, inner) }},
	}
}

// readUnits reads units of four spans each, 200 in a reading, as a viewer does that reads 20 times a second.
func readUnits(b *testing.B, root, inner *strobe.Zone) {
	defer strobe.KeepRecording(8 << 20)()
	reader, collector := strobe.NewTimelineReader(), unit.NewCollector(0)
	var t profile.Timeline
	var took time.Duration
	read := 0
	for n := 0; n < b.N; {
		for range 200 {
			s := root.Enter()
			for range 3 {
				inner.Enter().Exit()
			}
			s.Exit()
			n++
		}
		began := time.Now()
		reader.ReadInto(&t)
		collector.Read(t, func(*profile.Unit) { read++ })
		took += time.Since(began)
	}
	b.ReportMetric(float64(took)/float64(max(1, read)), "ns/op")
}
