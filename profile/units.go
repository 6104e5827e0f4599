// SPDX-License-Identifier: BSD-3-Clause

package profile

import (
	"fmt"
	"math"
	"time"

	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/sample"
)

// UnitTotals returns what Units of a snapshot holds: an entry for each root zone, over all lanes. Programs that take snapshots
// need not call it.
func (s Snapshot) UnitTotals() []UnitStats {
	roots := 0
	for i := range s.Zones {
		if s.Zones[i].Root {
			roots++
		}
	}
	if roots == 0 {
		return nil
	}
	all := make([]UnitStats, 0, roots)
	again := s.again()
	for _, z := range s.totals(func(zone int) bool { return s.Zones[zone].Root }) {
		if s.Zones[z.Zone].Root {
			all = append(all, z.units(again[z.Zone], s.Elapsed))
		}
	}
	return all
}

// again returns, for each root zone, the number of calls inside other calls of the same zone that have ended.
func (s Snapshot) again() map[int]uint64 {
	n := make(map[int]uint64)
	for _, l := range s.Lanes {
		for i := range l.Nodes {
			if z := l.Nodes[i].Zone; l.Nodes[i].Calls > 0 && z >= 0 && z < len(s.Zones) && s.Zones[z].Root && l.Nodes.within(i) {
				n[z] += l.Nodes[i].Calls
			}
		}
	}
	return n
}

// within reports whether a node above node i is of the same zone.
func (t Tree) within(i int) bool {
	for above := t.parent(i); above >= 0; above = t.parent(above) {
		if t[above].Zone == t[i].Zone {
			return true
		}
	}
	return false
}

// units makes the entry of a root zone, of whose calls some were inside others.
func (z ZoneStats) units(again uint64, elapsed time.Duration) UnitStats {
	u := UnitStats{Zone: z.Zone, Calls: z.Calls - min(again, z.Calls), Open: z.Open}
	if elapsed > 0 {
		u.Rate = float64(u.Calls) / elapsed.Seconds()
	}
	reason := ""
	switch {
	case again > 0:
		reason = fmt.Sprintf("%d calls inside other calls of the zone are in the same distribution", again)
	case z.Calls == 0:
		reason = "no call has ended"
	case z.Histogram.Empty():
		reason = "there is no distribution"
	default:
		u.Max = z.Max
	}
	quantile := func(q float64) stat.Interval {
		if reason != "" {
			return stat.Unknown(reason)
		}
		return z.quantile(q)
	}
	u.P50, u.P99, u.P999 = quantile(0.5), quantile(0.99), quantile(0.999)
	return u
}

// quantile returns a quantile of the durations with its 95 % interval, which reaches to the bounds of the cells of two order
// statistics.
func (z ZoneStats) quantile(q float64) stat.Interval {
	const level = 0.95
	n := z.Histogram.N()
	low, high, ok := sample.Ranks(n, q, level)
	if !ok {
		return stat.Unknown(fmt.Sprintf("needs %d calls, has %d", fewest(q, level), n))
	}
	center, _ := z.Quantile(q)
	iv := stat.Interval{Center: float64(center), Level: level, Method: "order statistics", N: n, NEff: float64(n),
		Warnings: []string{"assumes that calls are independent of each other"}}
	iv.Lo, _ = z.Histogram.cell(low)
	_, iv.Hi = z.Histogram.cell(high)
	iv.Lo, iv.Hi = max(iv.Lo, float64(z.Min)), min(iv.Hi, float64(z.Max))
	return iv
}

// fewest returns the number of values from which on a quantile of at least one half has an interval.
func fewest(q, level float64) int { return int(math.Ceil(math.Log((1-level)/2) / math.Log(q))) }

// cell returns the bounds of the cell with the duration of a rank, from 1 on, in ns.
func (h Histogram) cell(rank uint64) (lo, hi float64) {
	for i, c := range h.Counts {
		if rank <= c {
			lo, hi := octaves.Range(uint64(h.First + i))
			return float64(lo) * h.NsPerTick, float64(hi+1) * h.NsPerTick
		}
		rank -= c
	}
	return 0, math.Inf(1)
}
