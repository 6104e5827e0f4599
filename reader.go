// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"github.com/strobe-go/strobe/profile"
)

// A Reader returns what has happened since its previous reading. Unlike the difference of two snapshots, a reading costs
// nothing for idle lanes, or little if they have called sampled zones, so it suits continuous monitoring. Any number of Readers
// may be used at the same time; each is safe for concurrent use.
//
// NewReader begins now. The zero value begins at the beginning: its first reading covers everything measured so far, as
// TakeSnapshot does.
//
// It reads this process; a hdrlog.Reader reads a file.
//
// What a Reader remembers of each lane counts against the budget of SetBudget until the garbage collector frees the Reader.
type Reader struct {
	// Lanes is the number of lanes that readings list, those with the lowest IDs. The others are added up as one lane with the ID
	// -1, in which nodes of the same path are one, so that readings of thousands of lanes are cheap. 0 means that all lanes are
	// listed; a negative value means that all are added up. Set it before the first reading.
	Lanes int

	mu   sync.Mutex
	base *base
	last Snapshot // only what Sub needs
}

// A base is what a Reader remembers of its previous reading.
type base struct {
	pass uint64
	now  uint64   // ticks
	seen []*state // by lane
	held holding
}

// NewReader returns a reader whose first reading covers the time from now on.
func NewReader() *Reader {
	r := new(Reader)
	r.Read()
	return r
}

// Read returns what has happened since the last call, or since NewReader, as Snapshot.Sub does: plots, costs and memory are those of
// now, and all else is a difference. Only lanes on which spans ended or are open are included, and of each the zones in which
// something happened; node indices are the same as in snapshots. If nothing but time has passed in the open spans of a lane, the
// nodes after the innermost of these are missing. For zones inside a span that is still open, times may be wrong by a nanosecond.
func (r *Reader) Read() Snapshot {
	r.mu.Lock()
	defer r.mu.Unlock()
	first := r.base == nil
	if first {
		r.base = new(base)
		runtime.AddCleanup(r, (*base).drop, r.base)
	}
	s, lanes := r.base.read(r.Lanes)
	before := r.last
	r.last = Snapshot{At: s.At, NsPerTick: s.NsPerTick, Pooled: s.Pooled, Lanes: s.Lanes, EndedTwice: s.EndedTwice,
		EndedElsewhere: s.EndedElsewhere, EndedEarly: s.EndedEarly, Abandoned: s.Abandoned, Frames: s.Frames, Looks: s.Looks}
	elapsed := s.Elapsed
	s = s.Sub(before)
	if first {
		s.Elapsed = elapsed
	}
	s.Lanes = r.join(lanes, s)
	s.Units = s.UnitTotals()
	return s
}

// join adds the shared lane, the only one in s, to the others.
func (r *Reader) join(lanes []profile.LaneStats, s Snapshot) []profile.LaneStats {
	if len(s.Lanes) == 0 {
		return lanes
	}
	shared := s.Lanes[0]
	if r.Lanes == 0 || shared.ID < r.Lanes {
		i, _ := slices.BinarySearchFunc(lanes, shared.ID, func(l profile.LaneStats, id int) int { return l.ID - id })
		return slices.Insert(lanes, i, shared)
	}
	if len(lanes) == 0 || lanes[0].ID != summed {
		lanes = slices.Insert(lanes, 0, profile.LaneStats{LaneInfo: sumOf(r.Lanes)})
	}
	s.Lanes, s.Pooled = []profile.LaneStats{lanes[0], shared}, nil
	lanes[0].Zones = slices.DeleteFunc(s.Totals(), func(z profile.ZoneStats) bool {
		return z.Calls == 0 && z.Open == 0 && z.Total == 0 && z.Histogram.Empty()
	})
	return lanes
}

// sumOf describes the lane that stands for those that are not listed.
func sumOf(listed int) profile.LaneInfo {
	if listed < 0 {
		return profile.LaneInfo{ID: summed, Name: "all"}
	}
	return profile.LaneInfo{ID: summed, Name: "other lanes"}
}

// read returns what has happened since the last call. Differences have been made for lanes, but not for the snapshot: the shared
// lane, which is a part of it, is the only one there.
func (b *base) read(most int) (Snapshot, []profile.LaneStats) {
	w := &watched
	w.Lock() // before the instant is taken, so that instants ascend with passes
	defer w.Unlock()
	s, r := newSnapshot(&w.work)
	w.look(r.now)
	sum := summary{converter: &r, paths: &w.paths}
	all := allLanes()
	b.seen = append(b.seen, make([]*state, len(w.lanes)-len(b.seen))...)
	busy := 0
	for i := range w.lanes {
		if k := &w.lanes[i]; (most == 0 || i < most) && (k.leaf != 0 || k.changed > b.pass) {
			busy++
		}
	}
	out := make([]profile.LaneStats, 0, busy+2)
	for id := range w.lanes {
		k := &w.lanes[id]
		listed := most == 0 || id < most
		switch {
		case k.changed > b.pass || k.leaf != 0 && (k.changed == b.pass || !k.passing):
			before := b.load(&r, all[id], id, k.state)
			if listed {
				out = append(out, r.list(all[id], before))
			} else {
				sum.add(all[id], before)
			}
		case k.leaf == 0:
		case listed:
			out = append(out, r.passed(all[id], int(k.leaf), r.now-b.now))
		default:
			if k.path == 0 {
				k.path = int32(w.paths.of(all[id], all[id].tree.node(uint64(k.leaf)))) + 1
			}
			sum.pass(int(k.path) - 1)
		}
	}
	if nodes, zones, open := sum.result(r.now - b.now); open > 0 || len(zones) > 0 {
		out = slices.Insert(out, 0, profile.LaneStats{LaneInfo: sumOf(most), Nodes: nodes, Zones: zones, Open: open})
	}
	if l := lanes.shared.Load(); l != nil {
		s.Lanes = []profile.LaneStats{r.lane(l)}
	}
	complete(&s, &r, out)
	b.pass, b.now = w.pass, r.now
	b.held.set(uint64(cap(b.seen))*8 + bytesOf(s.Frames))
	return s, out
}

// bytesOf returns about how much memory is needed to remember frames.
func bytesOf(frames []profile.FrameStats) uint64 {
	n := uint64(cap(frames)) * uint64(unsafe.Sizeof(profile.FrameStats{}))
	for i := range frames {
		n += uint64(cap(frames[i].Histogram.Counts)) * 8
	}
	return n
}

// load makes a lane's state the one that r converts and b remembers, and returns what b remembered; nil if there was nothing.
func (b *base) load(r *converter, l *Lane, id int, now *state) (before *tally) {
	r.tally.unpack(now)
	r.shape = grown(r.shape[:0], l, len(r.tally.nodes))
	r.tally.settle(r.shape, r.now, nil)
	old := b.seen[id]
	if old != nil {
		r.then.unpack(old)
		r.then.settle(r.shape, b.now, nil)
		before = &r.then
	}
	b.seen[id] = now.keep()
	old.drop()
	return before
}

// drop forgets everything.
func (b *base) drop() {
	watched.Lock()
	defer watched.Unlock()
	for _, s := range b.seen {
		s.drop()
	}
	b.seen = nil
	b.held.set(0)
}
