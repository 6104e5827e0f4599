// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"runtime"
	"runtime/trace"
	"strconv"
	"sync"
	"sync/atomic"
)

// A Zone is a named region of code. Make it once, in a package variable; its executions are Spans. Safe for concurrent
// use.
type Zone struct {
	id    uint32
	wait  bool
	way   atomic.Pointer[func(*Zone) Span] // how to enter it: follows from mode
	mode  atomic.Uint32                    // 0: measured in full
	every atomic.Uint32                    // with sampled: one in every so many calls is timed
	near  atomic.Pointer[near]             // nil until sampled
	name  string
	where string
}

// Bits of Zone.mode.
const (
	zoneOff = 1 << iota // by SetSampling
	allOff              // by SetEnabled
	sampled
)

var registry struct {
	sync.Mutex
	zones []*Zone
	off   bool
}

// NewZone returns a new zone. Two zones may have the same name; the place of the call tells them apart. It may be called
// in a package variable's initialiser.
func NewZone(name string) *Zone { return newZone(name, false) }

// NewWaitZone returns a new zone for time that is spent blocked: on a lock, a channel, the network. The self time of what
// encloses it is free of it.
func NewWaitZone(name string) *Zone { return newZone(name, true) }

func newZone(name string, wait bool) *Zone {
	z := &Zone{wait: wait, name: name}
	if _, file, line, ok := runtime.Caller(2); ok {
		z.where = file + ":" + strconv.Itoa(line)
	}
	registry.Lock()
	defer registry.Unlock()
	z.id = uint32(len(registry.zones))
	registry.zones = append(registry.zones, z)
	z.set(allOff, registry.off)
	return z
}

// SetEnabled switches all zones off or on again, those to come included. Off, a span costs some 2 ns.
func SetEnabled(on bool) {
	registry.Lock()
	defer registry.Unlock()
	registry.off = !on
	for _, z := range registry.zones {
		z.set(allOff, !on)
	}
}

// SetSampling times one in every n calls, at random, and counts all. The durations of the others are estimated from
// those timed; their time stays in the self time of the enclosing span. 0 and 1 time every call, a negative n switches
// the zone off. Spans that are open end as they began. Safe for concurrent use.
func (z *Zone) SetSampling(n int) {
	registry.Lock()
	defer registry.Unlock()
	z.every.Store(uint32(min(max(n, 1), 1<<30)))
	if n > 1 && z.near.Load() == nil {
		memory.take(nearBytes, needed)
		z.near.Store(new(near))
	}
	z.set(sampled, n > 1)
	z.set(zoneOff, n < 0)
}

// The ways to enter a zone. A pointer to one of them keeps Enter so short that it is inlined.
var (
	fullWay    = enterFull
	sampledWay = enterSampled
	offWay     = func(*Zone) Span { return Span{} }
)

// set changes a bit of the mode, and the way with it. The registry is locked.
func (z *Zone) set(bit uint32, on bool) {
	mode := z.mode.Load() &^ bit
	if on {
		mode |= bit
	}
	z.mode.Store(mode)
	switch {
	case mode&(zoneOff|allOff) != 0:
		z.way.Store(&offWay)
	case mode&sampled != 0:
		z.way.Store(&sampledWay)
	default:
		z.way.Store(&fullWay)
	}
}

func (z *Zone) info() ZoneInfo {
	info := ZoneInfo{Name: z.name, Where: z.where, Wait: z.wait, Every: 1}
	switch mode := z.mode.Load(); {
	case mode&(zoneOff|allOff) != 0:
		info.Every = -1
	case mode&sampled != 0:
		info.Every = int(z.every.Load())
	}
	return info
}

// Enter begins a span of the zone on the calling goroutine, which must end it with Exit:
//
//	defer zone.Enter().Exit()
//
// Spans nest and recur to any depth.
func (z *Zone) Enter() Span { return (*z.way.Load())(z) }

func enterFull(z *Zone) Span {
	gp, t := stamp()
	s := &slots[slotOf(gp)]
	l := s.lane.Load()
	if s.g.Load() != gp || l == nil || trace.IsEnabled() {
		return z.enterSlow(gp)
	}
	table := *l.accounts.Load()
	if uint(z.id) >= uint(len(table)) {
		return z.enterSlow(gp)
	}
	a := table[z.id].Load()
	depth := l.depth.get()
	if a == nil || depth >= visible {
		return z.enterSlow(gp)
	}
	f := &l.frames[depth]
	f.start.set(t)
	f.child.set(0)
	f.zone.set(uint64(z.id))
	if a.outer.get() == 0 {
		a.outer.set(depth)
	}
	l.depth.set(depth + 1)
	return Span{lane: l, account: a, start: t, depth: depth}
}

// enterSlow makes what is missing: the lane, the account, the deep part of the stack, a region in Go's own trace.
//
//go:noinline
func (z *Zone) enterSlow(gp uint64) Span {
	l := laneOf(gp)
	if l.shared {
		return Span{lane: l, account: l.account(z), start: tick(), depth: 1}
	}
	return l.begin(z)
}

// enterSampled counts the call, and times it if its turn has come.
func enterSampled(z *Zone) Span {
	if skip(z) {
		return Span{}
	}
	return z.enterSampledSlow()
}

//go:noinline
func (z *Zone) enterSampledSlow() Span {
	gp := getg()
	l := laneOf(gp)
	if l.shared {
		return z.enterSlow(gp)
	}
	a := l.account(z)
	z.near.Load()[gp*spreadHash>>nearShift].CompareAndSwap(nil, a)
	return l.enterSampled(z, a)
}

func (l *Lane) enterSampled(z *Zone, a *account) Span {
	if n := a.skip.get(); n != 0 {
		a.skip.set(n - 1)
		return Span{}
	}
	n := l.gap(uint64(z.every.Load()))
	a.skip.set(n)
	a.drawn.set(a.drawn.get() + n)
	return l.begin(z)
}
