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

// A converter makes plain data of what was measured on lanes. It allocates in large pieces.
type converter struct {
	*scratch
	rate float64 // ns per tick
	now  uint64  // ticks at Snapshot.At

	stats  []profile.ZoneStats
	nodes  []profile.Node
	counts []uint64
	piece  int // number of elements allocated last
}

// A scratch is the memory that reading a lane needs meanwhile. Of thousands of paths that is too much to allocate it again for each reading.
type scratch struct {
	shape       []twig // of the lane being read
	tally, then tally
	byZone      []int32   // index+1 in sums, by zone
	sums        []zoneSum // of the lane being read
	since       []count   // by node, what is listed of the tally
	beyond      []int64   // by node: ticks of its self time beyond its total less those of its children
	attribution attribution
	order       []uint64 // of sums, by zone: zone<<32 | index
}

// A zoneSum holds the measurements of a zone, in ticks.
type zoneSum struct {
	zone                    int
	calls, sum, total, self uint64 // of timed calls
	beside                  uint64 // of these, those that calls lacks
	guess                   guess  // of the others
	open                    int
	spread                  spread

	// The times of timed calls as the nodes have them, rounded down one by one, so that zones and nodes add up to the nanosecond.
	rounded       bool
	time, ownTime time.Duration
}

// add adds the sums of another lane.
func (z *zoneSum) add(o *zoneSum) {
	z.calls, z.sum, z.total, z.self, z.open = z.calls+o.calls, z.sum+o.sum, z.total+o.total, z.self+o.self, z.open+o.open
	z.beside += o.beside
	g := &z.guess
	g.calls, g.sum, g.total = g.calls+o.guess.calls, g.sum+o.guess.sum, g.total+o.guess.total
	z.spread.add(&o.spread)
}

// readLanes reads many lanes on several processors, because reading mostly waits for memory.
func readLanes(all []*Lane, r converter) []profile.LaneStats {
	const atLeast = 64 // lanes for one goroutine
	out := make([]profile.LaneStats, len(all))
	n := max(1, min(len(all)/atLeast, runtime.GOMAXPROCS(0), 4))
	share := (len(all) + n - 1) / n
	read := func(work *scratch, from, to int) {
		r := r
		r.scratch = work
		for i := from; i < to; i++ {
			out[i] = r.lane(all[i])
		}
	}
	var wg sync.WaitGroup
	for from := share; from < len(all); from += share {
		wg.Add(1)
		go func() {
			defer wg.Done()
			read(new(scratch), from, min(from+share, len(all)))
		}()
	}
	read(r.scratch, 0, min(share, len(all)))
	wg.Wait()
	return out
}

// lane reads one lane.
func (r *converter) lane(l *Lane) profile.LaneStats {
	if l.shared {
		return profile.LaneStats{LaneInfo: l.info()} // its numbers are in pools
	}
	r.tally.read(l)
	r.shape = grown(r.shape[:0], l, len(r.tally.nodes))
	r.tally.settle(r.shape, r.now, nil)
	return r.list(l, nil)
}

// list lists what was measured on a lane, of which r has the shape and the tally, since an earlier tally; nil means since the
// beginning.
func (r *converter) list(l *Lane, before *tally) profile.LaneStats {
	out := profile.LaneStats{LaneInfo: l.info(), Nodes: r.tree(len(r.tally.nodes))}
	r.sum(before)
	r.beyond = slices.Grow(r.beyond[:0], len(out.Nodes))
	for i := range out.Nodes { // parents come before their children
		n := &r.since[i]
		total, parent := r.duration(n.total), r.shape[i].parent
		out.Nodes[i] = profile.Node{Parent: int(parent), Zone: int(r.shape[i].zone), Calls: n.calls + n.beyond.beside, Untimed: n.beyond.skipped, Total: total, Self: total, Open: n.open}
		r.beyond = append(r.beyond, int64(n.self-n.total))
		if parent >= 0 {
			out.Nodes[parent].Self -= total
			r.beyond[parent] += int64(n.total)
		}
	}
	for i := range out.Nodes {
		n := &out.Nodes[i]
		n.Self = max(0, n.Self+time.Duration(float64(r.beyond[i])*r.rate))
		if z := r.zone(n.Zone); z != nil {
			z.rounded = true
			z.ownTime += n.Self
			if !r.shape[i].again {
				z.time += n.Total
			}
		}
	}
	out.Zones = r.sorted(before != nil)
	for i := range out.Zones {
		out.Open += out.Zones[i].Open
	}
	return out
}

// passed lists a lane in whose open spans d ticks have passed, without any
// other activity; leaf is the innermost of them.
func (r *converter) passed(l *Lane, leaf int, d uint64) profile.LaneStats {
	out := profile.LaneStats{LaneInfo: l.info(), Nodes: r.tree(leaf)}
	r.shape = grown(r.shape[:0], l, leaf)
	for i := range out.Nodes {
		out.Nodes[i] = profile.Node{Parent: int(r.shape[i].parent), Zone: int(r.shape[i].zone)}
	}
	r.none()
	for i := int32(leaf - 1); i >= 0; i = r.shape[i].parent {
		out.Nodes[i].Total, out.Nodes[i].Open = r.duration(d), true
		out.Open++
		z := r.zone(int(r.shape[i].zone))
		z.open++
		if !r.shape[i].again {
			z.total += d
		}
		if i == int32(leaf-1) {
			out.Nodes[i].Self = r.duration(d)
			z.self += d
		}
	}
	out.Zones = r.sorted(true)
	return out
}

func (r *converter) tree(n int) profile.Tree {
	if n == 0 {
		return nil
	}
	if n > len(r.nodes) {
		r.nodes = make([]profile.Node, r.room(n, 1<<12))
	}
	out := profile.Tree(r.nodes[:n:n])
	r.nodes = r.nodes[n:]
	return out
}

// sub leaves of c what happened since an earlier tally of the node.
func (c *count) sub(b *count) {
	c.calls, c.ended, c.movedSum = less(c.calls, b.calls), less(c.ended, b.ended), less(c.movedSum, b.movedSum)
	c.total, c.self = less(c.total, b.total), less(c.self, b.self)
	if b.beyond != (beyondCount{}) {
		c.beyond.sub(&b.beyond)
	}
}

// none empties the sums.
func (r *converter) none() {
	for i := range r.sums {
		r.byZone[r.sums[i].zone] = 0
	}
	r.sums = r.sums[:0]
}

// sum adds up the nodes of each zone, of what happened since an earlier tally.
func (r *converter) sum(before *tally) {
	r.none()
	r.since = append(r.since[:0], r.tally.nodes...)
	if before != nil {
		for i := range before.nodes {
			r.since[i].sub(&before.nodes[i])
		}
	}
	if len(r.tally.guesses) > 0 {
		r.attribution.attribute(r.shape, r.since, r.tally.nodes)
	}
	for i := range r.since {
		n := &r.since[i]
		z := r.zone(int(r.shape[i].zone))
		if z == nil {
			continue
		}
		z.calls += n.calls
		z.beside += n.beyond.beside
		z.sum += n.ended + n.movedSum
		z.self += n.self
		if !r.shape[i].again {
			z.total += n.total
		}
		if n.open {
			z.open++
		}
	}
	for i, g := range r.tally.guesses {
		if z := r.zone(int(g.zone)); z != nil {
			if before != nil && i < len(before.guesses) {
				b := &before.guesses[i]
				g.calls, g.sum, g.total = less(g.calls, b.calls), less(g.sum, b.sum), less(g.total, b.total)
			}
			z.guess = g
		}
	}
	for _, s := range r.tally.spreads {
		if z := r.zone(int(s.zone)); z != nil {
			z.spread = s
			if before != nil {
				z.spread.sub(before.spreadOf(s.zone))
			}
		}
	}
}

// zone returns the sums of a zone on the lane being read; nil for a zone that users do not see.
func (r *converter) zone(id int) *zoneSum {
	if id < 0 {
		return nil
	}
	for len(r.byZone) <= id {
		r.byZone = append(r.byZone, 0)
	}
	if r.byZone[id] == 0 {
		r.sums = append(r.sums, zoneSum{zone: id})
		r.byZone[id] = int32(len(r.sums))
	}
	return &r.sums[r.byZone[id]-1]
}

// sorted returns the sums by zone; of a difference, without the zones in which nothing happened.
func (r *converter) sorted(difference bool) []profile.ZoneStats {
	r.order = r.order[:0]
	for i := range r.sums {
		z := &r.sums[i]
		if !difference || z.calls+z.beside+z.guess.calls+z.total+z.self > 0 || z.open > 0 || len(z.spread.counts) > 0 {
			r.order = append(r.order, uint64(z.zone)<<32|uint64(i))
		}
	}
	slices.Sort(r.order)
	n := len(r.order)
	if n > len(r.stats) {
		r.stats = make([]profile.ZoneStats, r.room(n, 1<<10))
	}
	out := r.stats[:n:n]
	r.stats = r.stats[n:]
	for i, k := range r.order {
		out[i] = r.convert(&r.sums[uint32(k)])
		if !difference { // nodes are read one after another and may differ by a few spans
			out[i].Self = min(out[i].Self, out[i].Total)
		}
	}
	return out
}

func (r *converter) convert(z *zoneSum) profile.ZoneStats {
	g := &z.guess
	out := profile.ZoneStats{Zone: z.zone, Calls: z.calls + z.beside + g.calls, Timed: z.calls, Open: z.open,
		Total: r.duration(z.total + g.total), Self: r.duration(z.self), Sum: r.duration(z.sum + g.sum)}
	if z.rounded {
		out.Total, out.Self = z.time+r.duration(g.total), z.ownTime
		if z.sum+g.sum == z.total+g.total {
			out.Sum = out.Total // rounded in the same way: it is more if the zone is recursive, and only then
		}
	}
	if s := &z.spread; len(s.counts) > 0 {
		out.Min, out.Max = r.duration(s.lo), r.duration(s.hi)
		counts := r.cells(len(s.counts))
		copy(counts, s.counts)
		out.Histogram = profile.Histogram{First: int(s.first), Counts: counts, NsPerTick: r.rate}
	}
	return out
}

func (r *converter) duration(t uint64) time.Duration {
	return time.Duration(min(float64(t)*r.rate, math.MaxInt64/2))
}

// room returns how many elements to allocate if n are needed: more each time, up to most.
func (r *converter) room(n, most int) int {
	r.piece = max(16, 2*r.piece)
	return max(n, min(r.piece, most))
}

func (r *converter) cells(n int) []uint64 {
	if n > len(r.counts) {
		r.counts = make([]uint64, r.room(n, 1<<12))
	}
	out := r.counts[:n:n]
	r.counts = r.counts[n:]
	return out
}

// pools reads the pools of all zones: distributions, and the calls and times of the shared lane.
func (r *converter) pools(zones []*Zone) (pooled, shared []profile.ZoneStats) {
	for id, z := range zones {
		p := z.pool.Load()
		if p == nil {
			continue
		}
		s := profile.ZoneStats{Zone: id}
		d := profile.ZoneStats{Zone: id}
		var total uint64
		lo, hi := uint64(none), uint64(0)
		var counts [61 * 16]uint64
		for i := range p.stripes {
			t := &p.stripes[i]
			s.Calls += t.calls.Load()
			total += t.total.Load()
			lo, hi = min(lo, ^t.min.Load()), max(hi, t.max.Load())
			d.Timed += t.counts(&counts)
		}
		if s.Calls > 0 || total > 0 {
			s.Timed, s.SelfUnknown = s.Calls, true
			s.Total, s.Sum = time.Duration(float64(total)*r.rate), time.Duration(float64(total)*r.rate)
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
