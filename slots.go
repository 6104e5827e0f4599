// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"sync"
	"sync/atomic"

	"github.com/strobe-go/strobe/clock"
)

// slots find a goroutine's lane by the address of its record, without a lock. Entries are never removed: the runtime
// reuses the records, so there are as many as goroutines have lived at once.
var slots [1 << slotBits]slot

const (
	slotBits = 14
	probes   = 16 // a full neighbourhood overflows into the shared lane
)

type slot struct {
	g    atomic.Uint64 // claimed once, by the goroutine itself
	lane atomic.Pointer[Lane]
}

// slotOf is Fibonacci hashing: the high bits of a product with 2^64/phi.
func slotOf(gp uint64) uint64 { return gp * spreadHash >> (64 - slotBits) }

const spreadHash = 0x9E3779B97F4A7C15

// near holds accounts of one sampled zone by goroutine: a lane and its table need not be looked up to skip a call. Who
// comes first stays; others go the long way.
type near [1 << nearBits]atomic.Pointer[account]

const (
	nearBits  = 6
	nearShift = 64 - nearBits
)

var lanes struct {
	sync.Mutex
	all    []*Lane
	first  clock.Instant // when the first was made
	shared *Lane         // of goroutines that found no slot, and where goroutines cannot be told apart
}

// find returns the lane of goroutine gp, nil if it has none yet.
func find(gp uint64) *Lane {
	for i := range uint64(probes) {
		s := &slots[(slotOf(gp)+i)%uint64(len(slots))]
		switch s.g.Load() {
		case gp:
			return s.lane.Load()
		case 0:
			return nil
		}
	}
	return nil
}

// laneOf returns the lane of goroutine gp, which is the caller's: nobody else inserts it.
func laneOf(gp uint64) *Lane {
	if !hasG {
		return overflow()
	}
	for i := range uint64(probes) {
		s := &slots[(slotOf(gp)+i)%uint64(len(slots))]
		switch g := s.g.Load(); {
		case g == gp:
			if l := s.lane.Load(); l != nil {
				return l
			}
			fallthrough // this goroutine was here before, but a panic kept it from making the lane
		case g == 0 && s.g.CompareAndSwap(0, gp):
			l := newLane(gp)
			s.lane.Store(l)
			return l
		}
	}
	return overflow()
}

func overflow() *Lane {
	lanes.Lock()
	defer lanes.Unlock()
	if lanes.shared == nil {
		lanes.shared = addLane(&Lane{mask: ^uint64(0), g: ^uint64(0), shared: true})
	}
	return lanes.shared
}

func newLane(gp uint64) *Lane {
	l := &Lane{g: gp, mask: ^uint64(0)}
	l.label.Store(callerLabel())
	lanes.Lock()
	defer lanes.Unlock()
	return addLane(l)
}

// addLane fills in what every lane has. The lock is held.
func addLane(l *Lane) *Lane {
	memory.take(laneBytes, needed)
	l.id = len(lanes.all)
	l.random = uint64(l.id)*2862933555777941757 + 3037000493
	l.depth.set(1)
	l.accounts.Store(new([]atomic.Pointer[account]))
	if len(lanes.all) == 0 {
		lanes.first = clock.Now()
	}
	lanes.all = append(lanes.all, l)
	if timeline.on.Load() {
		timeline.give(l, 0)
	}
	recount()
	return l
}
