// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/strobe-go/strobe/profile"
)

// A reader converts lanes to plain data while they are in use. It allocates in large pieces, or exactly what it needs if the
// data of one lane is kept longer than that of others.
type reader struct {
	exact bool

	rate float64 // ns per tick
	now  uint64  // ticks at Snapshot.At

	byZone []int32             // index+1 in sums
	sums   []profile.ZoneStats // of the lane being read
	stats  []profile.ZoneStats
	nodes  []profile.Node
	counts []uint64
	order  []uint64 // of sums, by zone: zone<<32 | index
}

// readLanes reads many lanes on several processors, because reading mostly waits for memory.
func readLanes(all []*Lane, r reader, zones int) []profile.LaneStats {
	const atLeast = 64 // lanes for one goroutine
	out := make([]profile.LaneStats, len(all))
	n := max(1, min(len(all)/atLeast, runtime.GOMAXPROCS(0), 4))
	share := (len(all) + n - 1) / n
	read := func(r reader, from, to int) {
		r.byZone = make([]int32, zones)
		for i := from; i < to; i++ {
			out[i] = r.lane(all[i])
		}
	}
	var wg sync.WaitGroup
	for from := share; from < len(all); from += share {
		wg.Add(1)
		go func() {
			defer wg.Done()
			read(r, from, min(from+share, len(all)))
		}()
	}
	read(r, 0, min(share, len(all)))
	wg.Wait()
	return out
}

// lane reads one lane. Zones that were made after byZone are left out, for the next snapshot.
func (r *reader) lane(l *Lane) profile.LaneStats {
	out := profile.LaneStats{LaneInfo: l.info()}
	if l.shared {
		return out // its numbers are in pools
	}
	count := l.tree.count.Read() - 1 // without the root
	if count == 0 && l.samplings.Load() == nil {
		return out
	}
	if int(count) > len(r.nodes) {
		r.nodes = make([]profile.Node, r.piece(int(count), 1<<12))
	}
	out.Nodes, r.nodes = profile.Tree(r.nodes[:count:count]), r.nodes[count:]
	slabs := *l.tree.slabs.Load()
	r.sums = r.sums[:0]
	for i := range out.Nodes {
		id := i + 1
		r.node(&slabs[id/len(slab{})][id%len(slab{})], out.Nodes, i)
	}
	r.folded(l, out.Nodes)
	for i := range out.Nodes { // the node for all other paths has no calls of its own
		if n := &out.Nodes[i]; n.Parent >= 0 && out.Nodes[n.Parent].Zone == profile.Other {
			out.Nodes[n.Parent].Total += n.Total
			out.Nodes[n.Parent].Self += n.Total
		}
	}
	r.samplings(l)
	for i := range out.Nodes {
		n := &out.Nodes[i]
		n.Self = max(0, n.Self)
		if z := r.zone(int(n.Zone)); z != nil {
			z.Self += n.Self
		}
	}
	r.estimates(l)
	out.Zones = r.sorted()
	for i := range out.Zones {
		z := &out.Zones[i]
		z.Self = min(z.Self, z.Total) // nodes are read one after another and may differ by a few spans
		out.Open += out.Zones[i].Open
		r.byZone[out.Zones[i].Zone] = 0
	}
	return out
}

// sorted returns the sums by zone.
func (r *reader) sorted() []profile.ZoneStats {
	n := len(r.sums)
	if n > len(r.stats) {
		r.stats = make([]profile.ZoneStats, r.piece(n, 1<<10))
	}
	r.order = r.order[:0]
	for i := range r.sums {
		r.order = append(r.order, uint64(r.sums[i].Zone)<<32|uint64(i))
	}
	slices.Sort(r.order)
	for i, k := range r.order {
		r.stats[i] = r.sums[uint32(k)]
	}
	out := r.stats[:n:n]
	r.stats = r.stats[n:]
	return out
}

// zone returns the sums of a zone on the lane being read; nil for a zone that users do not see.
func (r *reader) zone(id int) *profile.ZoneStats {
	if id < 0 || id >= len(r.byZone) {
		return nil
	}
	if r.byZone[id] == 0 {
		r.sums = append(r.sums, profile.ZoneStats{Zone: id})
		r.byZone[id] = int32(len(r.sums))
	}
	return &r.sums[r.byZone[id]-1]
}

// node reads a node.
func (r *reader) node(n *node, nodes profile.Tree, i int) {
	calls, total, start := n.read()
	out := &nodes[i]
	out.Parent = int32(n.parent.id) - 1
	out.Zone = profile.Other
	if n.zone != &otherZone && int(n.zone.id) < len(r.byZone) {
		out.Zone = int32(n.zone.id)
	}
	out.Calls = calls
	ended := time.Duration(float64(total) * r.rate)
	out.Total = ended
	if d := int64(r.now - start); start != 0 && d >= 0 {
		out.Total += time.Duration(float64(d) * r.rate)
		out.Open = true
	}
	out.Self += out.Total
	if out.Parent >= 0 {
		nodes[out.Parent].Self -= out.Total
	}
	z := r.zone(int(out.Zone))
	if z == nil {
		return
	}
	z.Calls += calls
	z.Sum += ended
	if out.Open {
		z.Open++
	}
	if !n.again {
		z.Total += out.Total
	}
	if n.acc != nil && z.Histogram.Empty() {
		r.distribution(n.acc, z)
	}
}

// folded adds what folded spans moved between nodes.
func (r *reader) folded(l *Lane, nodes profile.Tree) {
	f := l.folds.Load()
	if f == nil || f.moved.Load() == nil {
		return
	}
	all := *f.moved.Load()
	for id := 1; id < len(all) && id <= len(nodes); id++ {
		nodes[id-1].Self += time.Duration(float64(int64(all[id].self.Read())) * r.rate)
		if z := r.zone(int(nodes[id-1].Zone)); z != nil {
			z.Sum += time.Duration(float64(all[id].sum.Read()) * r.rate)
		}
	}
}

// samplings adds the zones whose calls were all skipped so far.
func (r *reader) samplings(l *Lane) {
	if all := l.samplings.Load(); all != nil {
		for _, s := range *all {
			r.zone(int(s.zone.id))
		}
	}
}

// estimates adds the calls of sampled zones that were not timed.
func (r *reader) estimates(l *Lane) {
	for i := range r.sums {
		r.sums[i].Timed = r.sums[i].Calls
	}
	all := l.samplings.Load()
	if all == nil {
		return
	}
	for _, s := range *all {
		if z := r.zone(int(s.zone.id)); z != nil {
			r.estimate(s, z)
		}
	}
}

func (r *reader) estimate(s *sampling, z *profile.ZoneStats) {
	gap := s.gap.Read()
	since := gap - min(s.left.Load().left.Read(), gap)
	z.Calls += s.calls.Read() + since
	sum := float64(s.sum.Read()+since*s.lastSum.Read()) * r.rate
	total := float64(s.total.Read()+since*s.lastTotal.Read()) * r.rate
	if z.Total > 0 {
		z.Self += time.Duration(float64(z.Self) * total / float64(z.Total)) // the same share as for the timed calls
	}
	z.Sum += time.Duration(sum)
	z.Total += time.Duration(total)
}

// distribution reads extremes and histogram of a zone on a lane.
func (r *reader) distribution(a *accumulator, z *profile.ZoneStats) {
	lo, width, last := a.min.Read(), a.width.Read(), a.last.Read()
	hi := lo + width
	switch {
	case lo == none && last == none:
		return // no call has ended
	case lo == none:
		lo, hi = last, last
	case last != none:
		lo, hi = min(lo, last), max(hi, last)
	}
	h := a.hist.Load()
	if h == nil {
		if a.min.Read() != none { // the budget did not allow one
			return
		}
		z.Histogram = profile.Histogram{First: int(octaves.Index(last)), Counts: []uint64{1}, NsPerTick: r.rate}
	} else {
		first := max(octaves.Index(lo), h.first)
		end := max(first, min(octaves.Index(hi)+1, h.first+uint64(len(h.cells))))
		counts := r.cells(int(end - first))
		from := h.cells[first-h.first:][:len(counts)]
		for i := range from {
			counts[i] = from[i].Read()
		}
		if i := octaves.Index(last) - first; last != none && i < uint64(len(counts)) {
			counts[i]++ // the latest is not in the histogram yet
		}
		z.Histogram = profile.Histogram{First: int(first), Counts: counts, NsPerTick: r.rate}
	}
	z.Min, z.Max = r.duration(lo), r.duration(hi)
}

func (r *reader) duration(t uint64) time.Duration {
	return time.Duration(min(float64(t)*r.rate, math.MaxInt64/2))
}

// piece returns how many elements to allocate if n are needed.
func (r *reader) piece(n, large int) int {
	if r.exact {
		return n
	}
	return max(n, large)
}

func (r *reader) cells(n int) []uint64 {
	if n > len(r.counts) {
		r.counts = make([]uint64, r.piece(n, 1<<12))
	}
	out := r.counts[:n:n]
	r.counts = r.counts[n:]
	return out
}

// pools reads the pools of all zones: distributions, and the calls and times of the shared lane.
func (r *reader) pools(zones []*Zone) (pooled, shared []profile.ZoneStats) {
	for id, z := range zones {
		p := z.pool.Load()
		if p == nil {
			continue
		}
		s := profile.ZoneStats{Zone: id}
		d := profile.ZoneStats{Zone: id}
		var total, self uint64
		lo, hi := uint64(none), uint64(0)
		var counts [61 * 16]uint64
		for i := range p.stripes {
			t := &p.stripes[i]
			s.Calls += t.calls.Load()
			total += t.total.Load()
			self += t.self.Load()
			lo, hi = min(lo, ^t.min.Load()), max(hi, t.max.Load())
			d.Timed += t.counts(&counts)
		}
		if s.Calls > 0 || total > 0 || int64(self) > 0 {
			s.Timed = s.Calls
			s.Total, s.Sum = time.Duration(float64(total)*r.rate), time.Duration(float64(total)*r.rate)
			s.Self = max(0, time.Duration(float64(int64(self))*r.rate))
			shared = append(shared, s)
		}
		if d.Timed > 0 {
			d.Calls = d.Timed
			from, to := 0, len(counts)
			for counts[from] == 0 {
				from++
			}
			for counts[to-1] == 0 {
				to--
			}
			d.Histogram = profile.Histogram{First: from, Counts: append([]uint64(nil), counts[from:to]...), NsPerTick: r.rate}
			d.Min, d.Max = r.duration(lo), r.duration(hi)
			pooled = append(pooled, d)
		}
	}
	return pooled, shared
}

// counts adds the cells of the stripe to those of all, and returns how many durations they hold.
func (s *stripe) counts(all *[61 * 16]uint64) (sum uint64) {
	table := s.octaves.Load()
	if table == nil {
		return 0
	}
	for i := range table {
		if o := table[i].Load(); o != nil {
			for k := range o {
				n := o[k].Load()
				all[i*16+k] += n
				sum += n
			}
		}
	}
	return sum
}
