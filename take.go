// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// TakeSnapshot returns what has been measured so far. Nobody is stopped for it: a lane goes on while it is read, so its
// numbers may lie some spans apart, and a span that ends meanwhile shows in the next snapshot. The first call measures
// what a span costs, for some ms. Safe for concurrent use.
func TakeSnapshot() Snapshot {
	recount()
	p := calibration()
	registry.Lock()
	zones := registry.zones // only ever appended to
	registry.Unlock()
	lanes.Lock()
	all, first, overflowed := lanes.all, lanes.first, lanes.shared != nil
	lanes.Unlock()

	ticks := clock.TicksOrdered()
	s := Snapshot{
		At:   clock.NowOrdered(),
		Cost: p.cost, Bias: p.bias,
		Memory: memory.used.Load(), Budget: memory.most(), Refused: memory.refused.Load(),
		EndedTwice: misuse.twice.Load(), EndedElsewhere: misuse.elsewhere.Load(), EndedEarly: misuse.early.Load(),
	}
	if len(all) > 0 {
		s.Span = s.At.Sub(first)
	}
	for _, z := range zones {
		s.Zones = append(s.Zones, z.info())
	}
	s.Lanes = readLanes(all, reader{rate: p.rate, bias: p.bias, now: ticks, zones: len(zones)})
	s.Frames, s.Plots = loops.read(s.At), plots.read()
	s.note(overflowed)
	return s
}

func (s *Snapshot) note(overflowed bool) {
	if !hasG {
		s.Notes = append(s.Notes, "goroutines cannot be told apart on this platform: they share a lane without self times; use NewLane")
	} else if overflowed {
		s.Notes = append(s.Notes, "the table of goroutines is full: some share a lane without self times")
	}
	if s.Refused > 0 {
		s.Notes = append(s.Notes, strconv.FormatUint(s.Refused, 10)+" distributions or timelines were refused: the budget of "+
			strconv.FormatInt(s.Budget>>20, 10)+" MB is used up; calls and totals are exact all the same")
	}
}

// A reader turns lanes into plain data. It allocates in large pieces.
type reader struct {
	rate   float64
	bias   time.Duration
	now    uint64 // ticks at Snapshot.At
	zones  int
	stats  []ZoneStats
	counts []uint64
}

// readLanes reads many lanes on several processors: it waits for memory most of the time.
func readLanes(all []*Lane, r reader) []LaneStats {
	const atLeast = 100 // lanes for one goroutine
	out := make([]LaneStats, len(all))
	n := max(1, min(len(all)/atLeast, runtime.GOMAXPROCS(0), 4))
	share := (len(all) + n - 1) / n
	read := func(r reader, from, to int) {
		for i := from; i < to; i++ {
			out[i] = r.lane(all[i])
		}
	}
	var wg sync.WaitGroup
	for from := share; from < len(all); from += share {
		wg.Go(func() { read(r, from, min(from+share, len(all))) })
	}
	read(r, 0, min(share, len(all)))
	wg.Wait()
	return out
}

func (r *reader) lane(l *Lane) LaneStats {
	out := describe(l)
	table := *l.accounts.Load()
	table = table[:min(len(table), r.zones)]
	used := int(l.held.read())
	if used > len(r.stats) {
		r.stats = make([]ZoneStats, max(used, 1024))
	}
	out.Zones, r.stats = r.stats[:0:used], r.stats[used:]
	for i := range table {
		if len(out.Zones) == used { // an account opened meanwhile waits for the next snapshot
			break
		}
		if a := table[i].Load(); a != nil {
			out.Zones = append(out.Zones, r.account(a, i, l.shared))
		}
	}
	if !l.shared {
		r.open(l, &out)
	}
	return out
}

func describe(l *Lane) LaneStats {
	out := LaneStats{ID: l.id, Name: "shared", Shared: l.shared}
	if label := l.label.Load(); label != nil {
		out.Name, out.Goroutine, out.Thread = label.text(), label.goroutine, label.thread
	}
	return out
}

func (r *reader) account(a *account, zone int, shared bool) ZoneStats {
	timed := a.calls.read()
	skipped := a.drawn.read()
	skipped -= min(a.skip.read(), skipped)
	z := ZoneStats{Zone: zone, Calls: timed + skipped, Timed: timed}
	scale := r.rate
	if timed > 0 && skipped > 0 {
		scale *= float64(timed+skipped) / float64(timed)
	}
	z.Total = time.Duration(float64(a.total.read()) * scale)
	z.Self = time.Duration(float64(a.self.read()) * scale)
	z.ended = z.Total
	z.Mean = z.average(r.bias)
	if shared || timed == 0 {
		return z
	}
	lo, width, last := a.min.read(), a.width.read(), a.last.read()
	hi := lo + width
	if lo == none {
		lo, hi = last, last
	} else if last != none {
		lo, hi = min(lo, last), max(hi, last)
	}
	z.Min, z.Max = time.Duration(float64(lo)*r.rate), time.Duration(float64(hi)*r.rate)
	if h := a.spread.Load(); h != nil {
		z.spread = r.distribution(h, lo, hi)
		if i := cellOf(last) - z.spread.first; last != none && i < uint64(len(z.spread.counts)) {
			z.spread.counts[i]++
		}
	} else if timed == 1 && last != none { // the distribution begins with the second call
		z.spread = distribution{first: cellOf(last), counts: []uint64{1}, rate: r.rate}
	}
	return z
}

// distribution copies the cells from that of lo to that of hi; the others are empty.
func (r *reader) distribution(h *spread, lo, hi uint64) distribution {
	first := max(cellOf(lo), h.first)
	end := max(first, min(cellOf(hi)+1, h.first+uint64(len(h.cells))))
	n := int(end - first)
	if n > len(r.counts) {
		r.counts = make([]uint64, max(n, 1<<14))
	}
	d := distribution{first: first, counts: r.counts[:n:n], rate: r.rate}
	r.counts = r.counts[n:]
	for i := range d.counts {
		d.counts[i] = h.cells[first-h.first+uint64(i)].read()
	}
	return d
}

// open adds the spans that have not ended. Their frames are read while the lane goes on: a span that ends meanwhile may
// be missing, but is not counted twice, since the accounts were read before.
func (r *reader) open(l *Lane, out *LaneStats) {
	now := r.now
	depth := l.depth.read()
	out.Open = int(depth) - 1
	depth = min(depth, visible)
	inner := now
	for i := depth - 1; i >= 1; i-- {
		f := &l.frames[i]
		zone, start, child := int(f.zone.read()), f.start.read(), f.child.read()
		if start == 0 || int64(now-start) < 0 || int64(inner-start) < 0 {
			continue // begun after we looked, or just being begun
		}
		z := zoneIn(out.Zones, zone)
		if z == nil {
			continue
		}
		z.Open++
		z.Self += time.Duration(float64(inner-start-min(child, inner-start)) * r.rate)
		if outermost(l, i, uint64(zone)) {
			z.Total += time.Duration(float64(now-start) * r.rate)
		}
		inner = start
	}
}

// outermost reports whether no frame below i is of the same zone.
func outermost(l *Lane, i uint64, zone uint64) bool {
	for j := uint64(1); j < i; j++ {
		if l.frames[j].zone.read() == zone {
			return false
		}
	}
	return true
}

func zoneIn(zones []ZoneStats, zone int) *ZoneStats {
	for i := range zones {
		if zones[i].Zone == zone {
			return &zones[i]
		}
	}
	return nil
}
