// SPDX-License-Identifier: BSD-3-Clause

package profile

import (
	"math"
	"time"
)

// Sub returns what happened since earlier, an older snapshot of the same process: calls, times, trees and distributions are
// differences; extremes are those of the difference, to within a histogram cell. Lanes and nodes without activity are kept,
// with zeros, so that indices are the same as in s. Frames, plots and all other fields are copied from s.
//
// Times are subtracted as counter ticks, so that a recalibration between the two snapshots does not distort the result.
func (s Snapshot) Sub(earlier Snapshot) Snapshot {
	d := difference{scale: 1}
	if earlier.NsPerTick > 0 && s.NsPerTick > 0 {
		d.scale = s.NsPerTick / earlier.NsPerTick
	}
	s.Elapsed = s.At.Sub(earlier.At)
	s.EndedTwice -= earlier.EndedTwice
	s.EndedElsewhere -= earlier.EndedElsewhere
	s.EndedEarly -= earlier.EndedEarly
	s.Abandoned -= earlier.Abandoned

	lanes := append([]LaneStats(nil), s.Lanes...)
	before := earlier.Lanes
	for i := range lanes {
		for len(before) > 0 && before[0].ID < lanes[i].ID {
			before = before[1:]
		}
		if len(before) > 0 && before[0].ID == lanes[i].ID {
			lanes[i].Zones = d.zones(lanes[i].Zones, before[0].Zones)
			lanes[i].Nodes = d.nodes(lanes[i].Nodes, before[0].Nodes)
		}
	}
	s.Lanes = lanes
	s.Pooled = d.zones(s.Pooled, earlier.Pooled)
	return s
}

// A difference computes differences, and allocates in large pieces.
type difference struct {
	scale  float64 // factor from ns of the earlier snapshot to ns of the later one
	stats  []ZoneStats
	counts []uint64
	all    []Node
}

// time returns now-before, or 0 if rounding would make the difference negative.
func (d *difference) time(now, before time.Duration) time.Duration {
	return max(0, now-time.Duration(math.Round(float64(before)*d.scale)))
}

func (d *difference) zones(now, before []ZoneStats) []ZoneStats {
	if len(now) > len(d.stats) {
		d.stats = make([]ZoneStats, max(len(now), 256))
	}
	out := d.stats[:copy(d.stats, now):len(now)]
	d.stats = d.stats[len(now):]
	for i := range out {
		for len(before) > 0 && before[0].Zone < out[i].Zone {
			before = before[1:]
		}
		if len(before) > 0 && before[0].Zone == out[i].Zone {
			d.zone(&out[i], &before[0])
		}
	}
	return out
}

func (d *difference) zone(z, o *ZoneStats) {
	z.Calls -= min(z.Calls, o.Calls)
	z.Timed -= min(z.Timed, o.Timed)
	z.Sum = d.time(z.Sum, o.Sum)
	z.Total = d.time(z.Total, o.Total)
	if z.Self = d.time(z.Self, o.Self); z.SelfUnknown {
		z.Self = 0
	}
	if z.Calls == 0 {
		z.Sum = 0
		if z.Open == 0 && o.Open == 0 {
			z.Total, z.Self, z.SelfUnknown = 0, 0, false
		}
	}
	if z.Histogram.Empty() || o.Histogram.Empty() {
		return
	}
	lowest, highest := z.Histogram.sub(o.Histogram, d.alloc)
	if z.Histogram.Empty() {
		z.Min, z.Max = 0, 0
		return
	}
	lo, _ := octaves.Range(uint64(lowest))
	_, hi := octaves.Range(uint64(highest))
	z.Min = max(z.Min, time.Duration(float64(lo)*z.Histogram.NsPerTick))
	z.Max = min(z.Max, time.Duration(float64(hi)*z.Histogram.NsPerTick+1))
}

func (d *difference) alloc(n int) []uint64 {
	if n > len(d.counts) {
		d.counts = make([]uint64, max(n, 1<<12))
	}
	out := d.counts[:n:n]
	d.counts = d.counts[n:]
	return out
}

// nodes subtracts index by index, since nodes are never removed.
func (d *difference) nodes(now, before Tree) Tree {
	if len(now) > len(d.all) {
		d.all = make([]Node, max(len(now), 1<<10))
	}
	out := Tree(d.all[:copy(d.all, now):len(now)])
	d.all = d.all[len(now):]
	for i := range before[:min(len(before), len(out))] {
		n, o := &out[i], &before[i]
		n.Calls -= min(n.Calls, o.Calls)
		n.Total = d.time(n.Total, o.Total)
		n.Self = d.time(n.Self, o.Self)
		if n.Calls == 0 && !n.Open && !o.Open {
			n.Total, n.Self = 0, 0
		}
	}
	return out
}
