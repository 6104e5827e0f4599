// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"slices"
	"sync"
	"time"

	"github.com/strobe-go/strobe/profile"
)

// A Reader returns what has happened since its previous reading. Unlike the difference of two snapshots, a reading costs
// nothing for idle lanes, so it suits continuous monitoring. Any number of Readers may be used at the same time; each is safe
// for concurrent use. The first reading of the zero value covers everything measured so far.
type Reader struct {
	mu   sync.Mutex
	last Snapshot
	seen []*profile.LaneStats // by lane: the state at the previous reading
	pass uint64
}

// NewReader returns a reader whose first reading covers the time from now on.
func NewReader() *Reader {
	r := new(Reader)
	r.Read()
	return r
}

// Read returns what has happened since the last call, or since NewReader. Only lanes on which spans ended or are open are
// included; node indices are the same as in snapshots. For zones inside a span that is still open, times may be wrong by a
// nanosecond.
func (r *Reader) Read() Snapshot {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, lr, zones := begin()
	changed, pass := watched.read(lr, len(zones), r.pass)
	before := Snapshot{At: r.last.At, NsPerTick: r.last.NsPerTick, Pooled: r.last.Pooled, EndedTwice: r.last.EndedTwice,
		EndedElsewhere: r.last.EndedElsewhere, EndedEarly: r.last.EndedEarly, Abandoned: r.last.Abandoned}
	for _, l := range changed {
		s.Lanes = append(s.Lanes, *l)
		if l.ID < len(r.seen) && r.seen[l.ID] != nil {
			before.Lanes = append(before.Lanes, *r.seen[l.ID])
		}
	}
	finish(&s, &lr, zones)
	for _, l := range s.Lanes {
		for l.ID >= len(r.seen) {
			r.seen = append(r.seen, nil)
		}
		r.seen[l.ID] = &l
	}
	r.last, r.pass = s, pass
	return s.Sub(before)
}

// watched is what all Readers share about lanes.
var watched watch

// A watch holds the latest state of each lane and puts idle lanes to sleep.
type watch struct {
	mu    sync.Mutex
	pass  uint64
	lanes []watchedLane // by ID
}

type watchedLane struct {
	stats   *profile.LaneStats // never changed once stored here
	rate    float64            // nanoseconds a tick in stats
	print   fingerprint
	changed uint64 // the pass in which stats was read
	idle    int    // passes since
}

// A fingerprint changes whenever a lane does.
type fingerprint struct{ calls, total, nodes, skipped uint64 }

// read reads the lanes that may have changed and returns those that have since an earlier pass, by ID.
func (w *watch) read(r reader, zones int, since uint64) (changed []*profile.LaneStats, pass uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pass++
	lanes.Lock()
	awake, n := append([]*Lane(nil), lanes.awake...), len(lanes.all)
	lanes.Unlock()
	for len(w.lanes) < n {
		w.lanes = append(w.lanes, watchedLane{})
	}
	r.byZone, r.exact = make([]int32, zones), true
	var idle []idleLane
	active := 0
	for _, l := range awake {
		if l.id >= len(w.lanes) {
			continue
		}
		k := &w.lanes[l.id]
		key := l.key.Load()
		print, open := l.fingerprint()
		if print == k.print && !open && !l.shared && k.stats != nil {
			if k.idle++; k.idle > 1 {
				idle = append(idle, idleLane{l, key == 0})
			}
			continue
		}
		active++
		stats := r.lane(l)
		if k.stats != nil {
			hold(&stats, k.stats, r.rate/k.rate)
		}
		*k = watchedLane{stats: &stats, rate: r.rate, print: print, changed: w.pass}
	}
	inUse(active)
	w.sleep(idle)
	for i := range w.lanes {
		if w.lanes[i].changed > since {
			changed = append(changed, w.lanes[i].stats)
		}
	}
	return changed, w.pass
}

// hold keeps times from falling below those of the reading before. They would fall if a span that was seen open turns out to
// have ended earlier, because its goroutine was interrupted between reading the clock and storing the time. Without hold, the
// negative difference would be left out and the sum of all differences would stay too large.
func hold(now, before *profile.LaneStats, scale float64) {
	raise := func(t *time.Duration, to time.Duration) {
		*t = max(*t, time.Duration(float64(to)*scale))
	}
	for i, b := range before.Nodes {
		raise(&now.Nodes[i].Total, b.Total)
		raise(&now.Nodes[i].Self, b.Self)
	}
	for _, b := range before.Zones {
		if i, ok := slices.BinarySearchFunc(now.Zones, b.Zone, func(z profile.ZoneStats, id int) int { return z.Zone - id }); ok {
			raise(&now.Zones[i].Total, b.Total)
			raise(&now.Zones[i].Self, b.Self)
		}
	}
}

// An idleLane is a lane without activity, with or without its key.
type idleLane struct {
	*Lane
	keyless bool // the key was missing before the lane was read
}

// sleep puts lanes to sleep that have not changed for two passes. A lane stays awake for one pass after its key was removed:
// that pass sees the spans that began before, and later spans wake the lane. TimelineReaders remove keys too.
func (w *watch) sleep(idle []idleLane) {
	if len(idle) == 0 {
		return
	}
	lanes.Lock()
	defer lanes.Unlock()
	for _, l := range idle {
		if key := l.key.Load(); key != 0 {
			l.key.CompareAndSwap(key, 0)
		} else {
			l.awake = !l.keyless
		}
	}
	lanes.awake = slices.DeleteFunc(lanes.awake, func(l *Lane) bool { return !l.awake })
}

// fingerprint returns sums of a lane's measurements, and whether spans are open.
func (l *Lane) fingerprint() (f fingerprint, open bool) {
	if l.shared {
		return f, false
	}
	f.nodes = l.tree.count.Read()
	slabs := *l.tree.slabs.Load()
	for i := range f.nodes {
		n := &slabs[i/uint64(len(slab{}))][i%uint64(len(slab{}))]
		f.calls += n.calls.Read()
		_, total, _ := n.read()
		f.total += total
		open = open || n.start.Read() != 0
	}
	if all := l.folds.Load(); all != nil {
		f.calls += all.count.Read()
	}
	if all := l.samplings.Load(); all != nil {
		for _, s := range *all {
			f.skipped += s.calls.Read() + s.gap.Read() - s.left.Load().left.Read()
		}
	}
	return f, open
}
