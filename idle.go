// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"slices"
	"time"
	"unsafe"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/recorder"
)

// A movement is what all TimelineReaders share about the lanes that may record. The lock of recordLock guards it.
type movement struct {
	pass uint64
	last []uint64 // by lane: the latest pass in which it was in lanes.moving
	at   []resting
	list []*Lane // of lanes.moving
	held holding

	looked uint64 // number of lanes examined, in all passes
}

// movements is the only one.
var movements movement

// A resting records since when a lane has been in the same state, in the same spans.
type resting struct {
	chunk *recorder.Chunk
	words uint64
	node  uint64 // address of the innermost node with an open span
	start uint64 // of that span
	since clock.Instant
	rests bool // it is not in lanes.moving
}

// restAfter is the time without activity after which a lane is put to sleep: waking it takes about a microsecond.
var restAfter = 250 * time.Millisecond

// lanes appends the IDs of the lanes that may have recorded spans or have open ones since an earlier pass, in ascending order,
// and returns the number of this pass. Lanes on which no span has begun or ended for a while are put to sleep: their key is
// removed, and if it is still missing in a later pass, they are skipped until the next span that begins or ends restores it.
func (m *movement) lanes(ids []int, since uint64, now clock.Instant) ([]int, uint64) {
	m.pass++
	lanes.Lock()
	m.list = append(m.list[:0], lanes.moving...)
	n := len(lanes.all)
	m.looked += uint64(len(m.list))
	lanes.Unlock()
	for len(m.last) < n {
		m.last, m.at = append(m.last, 0), append(m.at, resting{since: now})
	}
	rested := m.list[:0]
	for _, l := range m.list {
		if l.id >= n {
			continue
		}
		m.last[l.id] = m.pass
		key := l.key.Load() // first: any later span restores it if it is missing
		switch {
		case m.moves(l, now):
		case key != 0:
			l.key.CompareAndSwap(key, 0)
		default:
			rested = append(rested, l)
		}
	}
	m.stop(rested)
	m.held.set(uint64(cap(m.last))*8 + uint64(cap(m.at))*uint64(unsafe.Sizeof(resting{})))
	for id, pass := range m.last {
		if pass > since {
			ids = append(ids, id)
		}
	}
	return ids, m.pass
}

// moves reports whether there was recent activity on a lane.
func (m *movement) moves(l *Lane, now clock.Instant) bool {
	at := resting{chunk: l.chunk.Load()}
	if at.chunk != nil {
		at.words = at.chunk.Words()
	}
	if l.opens() {
		at.node = l.at.Read()
		at.start = nodeAt(at.node).start.Read()
	}
	was := &m.at[l.id]
	at.since = was.since
	if at != *was {
		at.since = now
		*was = at
	}
	return now.Sub(at.since) < restAfter
}

// opens reports whether spans are open on the lane.
func (l *Lane) opens() bool { return !l.shared && l.at.Read() != addr(l.tree.root()) }

// rests reports whether the lane is skipped until something happens on it.
func (m *movement) rests(l *Lane) bool { return l.id < len(m.at) && m.at[l.id].rests }

// stop takes lanes from lanes.moving unless they were woken meanwhile.
func (m *movement) stop(rested []*Lane) {
	if len(rested) == 0 {
		return
	}
	lanes.Lock()
	defer lanes.Unlock()
	for _, l := range rested {
		l.moving = l.key.Load() != 0
		m.at[l.id].rests = !l.moving
	}
	lanes.moving = slices.DeleteFunc(lanes.moving, func(l *Lane) bool { return !l.moving })
}

// allLanes returns all lanes, by ID.
func allLanes() []*Lane {
	lanes.Lock()
	defer lanes.Unlock()
	return lanes.all // only ever appended to
}
