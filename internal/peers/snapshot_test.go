// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"strconv"
	"testing"

	"github.com/strobe-go/strobe"
)

// BenchmarkSnapshot reads a process with many zones and lanes.
func BenchmarkSnapshot(b *testing.B) { runRows(b, snapshotRows()) }

const (
	manyZones    = 1000
	manyLanes    = 1000
	zonesPerLane = 50 // in use
)

// crowd makes the zones and lanes, each pair in use with durations that spread over a few octaves.
func crowd() {
	zones := make([]*strobe.Zone, manyZones)
	for i := range zones {
		zones[i] = strobe.NewZone("zone " + strconv.Itoa(i))
	}
	for l := range manyLanes {
		lane := strobe.NewLane("lane " + strconv.Itoa(l))
		for i := range zonesPerLane {
			for size := range 20 {
				s := lane.Enter(zones[(l+i*manyZones/zonesPerLane)%manyZones])
				keptWork.Store(work(1, 4*size))
				s.Exit()
			}
		}
	}
}

var keptSnapshot strobe.Snapshot

func snapshotRows() []row {
	made := false
	prepared := func(run func(b *testing.B)) func(b *testing.B) {
		return func(b *testing.B) {
			if !made {
				crowd()
				made = true
			}
			pairs := 0
			for _, l := range strobe.TakeSnapshot().Lanes {
				pairs += len(l.Zones)
			}
			if pairs < manyLanes*zonesPerLane {
				b.Fatalf("%d pairs of a lane and a zone are in use, not %d", pairs, manyLanes*zonesPerLane)
			}
			b.ResetTimer()
			run(b)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e6, "ms")
		}
	}
	return []row{
		{"TakeSnapshot", prepared(func(b *testing.B) {
			for range b.N {
				keptSnapshot = strobe.TakeSnapshot()
			}
		})},
		{"Snapshot.Sub", prepared(func(b *testing.B) {
			earlier, now := strobe.TakeSnapshot(), strobe.TakeSnapshot()
			b.ResetTimer()
			for range b.N {
				keptSnapshot = now.Sub(earlier)
			}
		})},
		{"Snapshot.Totals", prepared(func(b *testing.B) {
			now := strobe.TakeSnapshot()
			b.ResetTimer()
			for range b.N {
				keptTotals = now.Totals()
			}
		})},
	}
}

var keptTotals []strobe.ZoneStats
