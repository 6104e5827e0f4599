// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"strconv"
	"sync"
	"testing"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/profile"
)

// BenchmarkSnapshot reads a process with many zones and lanes.
func BenchmarkSnapshot(b *testing.B) { runRows(b, snapshotRows()) }

const (
	manyZones    = 1000
	manyLanes    = 1000
	zonesPerLane = 50 // in use
)

// crowd makes the zones and lanes, each pair with durations spread over a few octaves.
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

// inMs reports the time of run in ms, and its processor time in ms, which depends less on other load.
func inMs(b *testing.B, run func(b *testing.B)) {
	before, ok := cpuTime()
	b.ResetTimer()
	run(b)
	b.StopTimer()
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e6, "ms")
	if after, _ := cpuTime(); ok {
		b.ReportMetric(float64(after-before)/float64(b.N)/1e6, "cpu-ms")
	}
}

// trees makes lanes with 500 paths of nested zones each.
func trees() {
	const parents, children = 20, 24
	strobe.SetBudget(256 << 20)
	var above, below []*strobe.Zone
	for i := range parents {
		above = append(above, strobe.NewZone("parent "+strconv.Itoa(i)))
	}
	for i := range children {
		below = append(below, strobe.NewZone("child "+strconv.Itoa(i)))
	}
	for range manyNodes / (parents * (1 + children)) {
		lane := strobe.NewLane("tree")
		for _, z := range above {
			s := lane.Enter(z)
			for _, z := range below {
				lane.Enter(z).Exit()
			}
			s.Exit()
		}
	}
}

const manyNodes = 500_000

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
			inMs(b, run)
		}
	}
	planted := sync.OnceFunc(trees)
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
		{"nodes/TakeSnapshot", func(b *testing.B) {
			planted()
			nodes := 0
			for _, l := range strobe.TakeSnapshot().Lanes {
				nodes += len(l.Nodes)
			}
			if nodes < manyNodes {
				b.Fatalf("there are %d nodes, not %d", nodes, manyNodes)
			}
			inMs(b, func(b *testing.B) {
				for range b.N {
					keptSnapshot = strobe.TakeSnapshot()
				}
			})
		}},
		{"nodes/Snapshot.Tree", func(b *testing.B) {
			planted()
			now := strobe.TakeSnapshot()
			inMs(b, func(b *testing.B) {
				for range b.N {
					keptTree = now.Tree()
				}
			})
		}},
	}
}

var (
	keptTotals []profile.ZoneStats
	keptTree   profile.Tree
)
