// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// ErrUnavailable is what every error is that means: these events cannot be counted here. Its text names cause and remedy.
var ErrUnavailable = errors.New("perf: unavailable")

// open measurements that a group remembers
const ringSize = 32

// A Group is a set of events that are counted together, all the time. One goroutine owns it. The methods of a nil Group
// do nothing and give readings without events, so that a program can go on where nothing can be counted.
type Group struct {
	plan     *plan
	counters counters
	scope    Scope
	seq      uint64
	out      Reading // what Stop returns
	ring     [ringSize]sample
	last     sample // at Stop
	overhead *Reading
	closed   bool
}

// Open starts to count the events for the scope, at most 12 of them. It succeeds if at least one can be counted; the others'
// values then say why they are missing. If none can the error is ErrUnavailable, with the reasons.
//
// Events that do not fit into the processor's counters together are counted in parts that take turns, with pairs such as
// cycles and instructions kept together; their values are Scaled.
//
// For Thread and Command the goroutine is locked to its thread (runtime.LockOSThread) until Close.
func Open(scope Scope, events ...Event) (*Group, error) {
	switch {
	case scope < Command:
		return nil, fmt.Errorf("perf: scope %d: want Thread, Process, Command or a process id", scope)
	case len(events) == 0:
		return nil, errors.New("perf: no events: name at least one, such as perf.Instructions")
	case len(events) > maxEvents:
		return nil, fmt.Errorf("perf: %d events: at most %d a group; open two groups", len(events), maxEvents)
	}
	g := begin(scope, events...)
	for i := range g.plan.rows {
		if g.plan.rows[i].counted() {
			return g, nil
		}
	}
	g.Close()
	return nil, fmt.Errorf("%w: %s", ErrUnavailable, g.plan.reasons())
}

// begin opens what can be opened.
func begin(scope Scope, events ...Event) *Group {
	g := &Group{scope: scope, plan: &plan{rows: make([]row, len(events))}}
	for i, e := range events {
		g.plan.rows[i] = row{event: e, slot: noSlot, value: Value{Event: e, Scale: 1}}
	}
	if scope == Thread || scope == Command {
		runtime.LockOSThread()
	}
	g.out.plan = g.plan
	g.counters.open(scope, g.plan.rows)
	for _, r := range g.plan.rows {
		if r.slot != noSlot {
			g.plan.slots = max(g.plan.slots, int(r.slot)+1)
		}
	}
	return g
}

// reasons says in a line why nothing can be counted.
func (p *plan) reasons() string {
	var parts []string
	for i := 0; i < len(p.rows); {
		v, names := p.rows[i].value, []string(nil)
		for ; i < len(p.rows) && p.rows[i].value.Reason == v.Reason && p.rows[i].value.Remedy == v.Remedy; i++ {
			names = append(names, string(p.rows[i].event))
		}
		v.Event = Event(strings.Join(names, ", "))
		parts = append(parts, strings.TrimPrefix(v.String(), "no "))
	}
	return strings.Join(parts, "; ")
}

// Close ends counting and gives the thread free. Readings stay good. It may be called more than once.
func (g *Group) Close() {
	if g == nil || g.closed {
		return
	}
	g.closed = true
	g.counters.close()
	if g.scope == Thread || g.scope == Command {
		runtime.UnlockOSThread()
	}
}

// Start and Stop are nosplit, and the long ways apart from them, for the few instructions that this saves: what lies between
// the two readings counts itself.

// A Measurement is one that was started. The zero value gives a reading without events.
type Measurement struct {
	g   *Group
	seq uint64
}

// Start begins a measurement. Any number may be begun; 32 can be under way, and those begun before them give values that
// are NotCounted. It does not allocate.
//
//go:nosplit
func (g *Group) Start() Measurement {
	if g == nil {
		return Measurement{}
	}
	at := clock.Now()
	g.seq++
	s := &g.ring[g.seq%ringSize]
	s.at, s.seq, s.fast = at, g.seq, g.seq
	if !g.counters.fast(s) {
		g.start()
	}
	return Measurement{g, g.seq}
}

// start is the long way. The clock goes inside, where it is a smaller part of the cost.
func (g *Group) start() {
	s := &g.ring[g.seq%ringSize]
	s.fast = 0
	g.counters.read(s)
	s.at = clock.Now()
}

// Stop returns what was counted since Start. It may be called again for what was counted until then. It does not allocate.
//
//go:nosplit
func (m Measurement) Stop() Reading {
	g := m.g
	if g == nil {
		return Reading{}
	}
	if sincePages(g, m.seq) { // first of all
		g.out.Elapsed = time.Duration(clock.Now()) - g.out.Elapsed
	} else {
		m.stop()
	}
	return g.out
}

// stop is the long way to Group.out.
func (m Measurement) stop() {
	g, r := m.g, &m.g.out
	begin, end := &g.ring[m.seq%ringSize], &g.last
	end.at = clock.Now()
	g.counters.read(end)
	if begin.fast != 0 {
		begin.fast, begin.torn, begin.paged = 0, false, 1
	}
	*r = Reading{plan: g.plan}
	switch {
	case g.closed:
		r.fault = isClosed
	case begin.seq != m.seq:
		r.fault = isForgotten
	case begin.torn || end.torn:
		r.fault = isTorn
	default:
		r.subtract(begin, end)
	}
}

// subtract sets what was counted from begin to end.
func (r *Reading) subtract(begin, end *sample) {
	r.Elapsed = time.Duration(end.at - begin.at)
	for i, v := range end.n[:len(r.plan.rows)] {
		var ok bool
		if r.n[i], ok = since(begin.n[i], v); !ok {
			r.fault = isBackward
		}
	}
	paged := begin.paged | end.paged
	for i, t := range end.times[:r.plan.slots] {
		r.times[i] = t.since(begin.times[i], paged>>i&1 != 0)
	}
}

// Overhead returns what an empty measurement counts: the smallest of 100, event by event. It measures them when first asked.
// Values that could not be counted say so.
func (g *Group) Overhead() Reading {
	if g == nil {
		return Reading{}
	}
	if g.overhead == nil {
		least := g.Start().Stop()
		for range 99 {
			least.keepLess(g.Start().Stop())
		}
		g.overhead = &least
	}
	return *g.overhead
}

// keepLess takes over from other what is smaller there.
func (r *Reading) keepLess(other Reading) {
	r.Elapsed = min(r.Elapsed, other.Elapsed)
	for i := range r.plan.rows {
		v := other.value(i)
		if before := r.value(i); v.State == Exact && (before.State != Exact || v.Count < before.Count) {
			r.n[i], r.fault = other.n[i], 0
			if slot := r.plan.rows[i].slot; slot != noSlot {
				r.times[slot] = other.times[slot]
			}
		}
	}
}
