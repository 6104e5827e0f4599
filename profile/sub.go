// SPDX-License-Identifier: BSD-3-Clause

package profile

import (
	"math"
	"time"

	"github.com/strobe-go/strobe/stat"
)

// Sub returns what happened since earlier, an older snapshot of the same process: calls, turns, times, trees and distributions are
// differences; extremes and the quantiles of frames and units are those of the difference, to within a histogram cell. Lanes, nodes and loops
// without activity are kept, with zeros, so that indices are the same as in s. Plots and all other fields are copied from s. The mean
// frame time of a loop that had frames before has no interval.
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
	s.Frames = d.frames(s.Frames, earlier.Frames)
	s.Units = s.UnitTotals()
	s.Looks = s.Looks.sub(earlier.Looks)
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
	z.Min, z.Max = z.Histogram.within(z.Min, z.Max, lowest, highest)
}

// within returns extremes that lie in the cells from lowest to highest.
func (h *Histogram) within(shortest, longest time.Duration, lowest, highest int) (time.Duration, time.Duration) {
	lo, _ := octaves.Range(uint64(lowest))
	_, hi := octaves.Range(uint64(highest))
	return max(shortest, time.Duration(float64(lo)*h.NsPerTick)), min(longest, time.Duration(float64(hi)*h.NsPerTick+1))
}

// frames subtracts loop by loop. A loop keeps its index.
func (d *difference) frames(now, before []FrameStats) []FrameStats {
	out := append([]FrameStats(nil), now...)
	for i := range min(len(out), len(before)) {
		if out[i].Name == before[i].Name {
			d.frame(&out[i], &before[i])
		}
	}
	return out
}

func (d *difference) frame(f, o *FrameStats) {
	f.Turns -= min(f.Turns, o.Turns)
	if o.Histogram.Empty() {
		return // it had no frame time yet
	}
	lowest, highest := f.Histogram.sub(o.Histogram, d.alloc)
	if f.Histogram.Empty() {
		f.Min, f.Max, f.P50, f.P99, f.Sum = 0, 0, 0, 0, 0
		f.Frame = stat.Unknown("no frame time")
		return
	}
	f.Sum = max(0, f.Sum-o.Sum)
	f.Min, f.Max = f.Histogram.within(f.Min, f.Max, lowest, highest)
	p50, _ := f.Histogram.Quantile(0.5)
	p99, _ := f.Histogram.Quantile(0.99)
	f.P50, f.P99 = max(f.Min, min(p50, f.Max)), max(f.Min, min(p99, f.Max))
	n := f.Histogram.N()
	f.Frame = stat.Point(float64(f.Sum)/float64(n), n, "difference", "the frames of a part of the run are known by their distribution only")
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
		n.Untimed -= min(n.Untimed, o.Untimed)
		n.Total = d.time(n.Total, o.Total)
		n.Self = d.time(n.Self, o.Self)
		if n.Calls == 0 && n.Untimed == 0 && !n.Open && !o.Open {
			n.Total, n.Self = 0, 0
		}
	}
	return out
}
