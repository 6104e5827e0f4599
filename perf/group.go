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

// ErrUnavailable is wrapped by every error that says that events cannot be counted on this machine. The text of the error
// names the cause and a remedy.
var ErrUnavailable = errors.New("perf: unavailable")

// ringSize is how many open measurements a group remembers.
const ringSize = 32

// A Group is a set of events that are counted together, all the time. It belongs to one goroutine. The methods of a nil
// Group and of the zero value do nothing and return readings without events, so that a program works where nothing can be
// counted. A frames.Group has nothing to do with it.
type Group struct {
	plan     *plan // nil in the zero value
	counters counters
	scope    Scope
	owner    uintptr // the goroutine that opened it, where others would count another thread; else 0
	seq      uint64
	out      Reading // what Stop returns
	ring     [ringSize]sample
	last     sample // at Stop
	overhead *Reading
	closed   bool
}

// Open starts counting the events for the scope, at most 12 of them. It succeeds if at least one of them can be counted;
// the values of the others then say why they are missing. If none can, the error wraps [ErrUnavailable] and gives the
// reasons.
//
// Events that do not fit into the processor's counters at once take turns in several sets. Pairs such as cycles and
// instructions stay in one set. The values of events that took turns are Scaled.
//
// For Thread and Command, Open locks the goroutine to its thread (runtime.LockOSThread) until Close.
func Open(scope Scope, events ...Event) (*Group, error) {
	if err := scope.check(); err != nil {
		return nil, err
	}
	switch {
	case len(events) == 0:
		return nil, errors.New("perf: no events: name at least one, such as perf.Instructions")
	case len(events) > maxEvents:
		return nil, fmt.Errorf("perf: %d events: at most %d in a group; open two groups", len(events), maxEvents)
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
	if scope.locks() {
		runtime.LockOSThread()
	}
	if scope == Thread {
		g.owner = self()
	}
	g.out.plan = g.plan
	g.counters.open(scope, g.plan.rows)
	for _, r := range g.plan.rows {
		if r.timed() {
			g.plan.slots = max(g.plan.slots, int(r.slot)+1)
		}
	}
	return g
}

// reasons says in one line why nothing can be counted.
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

// Close stops counting and unlocks the goroutine from its thread. Readings stay valid. Further calls do nothing.
func (g *Group) Close() {
	if g == nil || g.plan == nil || g.closed {
		return
	}
	g.closed = true
	g.counters.close()
	if g.scope.locks() {
		runtime.UnlockOSThread()
	}
}

// Start and Stop are nosplit, with their slow paths in separate functions: every instruction between the two reads is
// itself counted.

// A Measurement has been begun by Start and is ended by Stop. The zero value gives a reading without events.
type Measurement struct {
	g   *Group
	seq uint64
}

// Start begins a measurement. Measurements may nest and overlap; a group remembers the last 32 that were begun, and older
// ones give values that are NotCounted. It does not allocate, except on macOS, where it calls functions of C libraries.
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

// start is the slow path of Start. It reads the clock last, so that the cost of the read is not in the elapsed time.
func (g *Group) start() {
	s := &g.ring[g.seq%ringSize]
	s.fast = 0
	if g.read(s) {
		s.at = clock.Now()
	}
}

// read fills in a sample. It returns false, and says so in the sample, if the calling goroutine is not the one whose
// thread is counted, or if the group is the zero value.
func (g *Group) read(s *sample) bool {
	switch {
	case g.plan == nil:
		return false
	case g.owner != 0 && g.owner != self():
		s.fault = isForeign
		return false
	}
	g.counters.read(s)
	return true
}

// Stop returns what was counted since Start. It may be called again, for what was counted up to then. It does not allocate,
// except on macOS.
//
//go:nosplit
func (m Measurement) Stop() Reading {
	g := m.g
	if g == nil {
		return Reading{}
	}
	if sincePages(g, m.seq) { // before anything else
		g.out.Elapsed = time.Duration(clock.Now()) - g.out.Elapsed
	} else {
		m.stop()
	}
	return g.out
}

// stop is the slow path of Stop; it leaves the result in Group.out.
func (m Measurement) stop() {
	g, r := m.g, &m.g.out
	begin, end := &g.ring[m.seq%ringSize], &g.last
	end.at = clock.Now()
	g.read(end)
	if begin.fast != 0 { // filled in by readPages, which does not set these
		begin.fast, begin.fault, begin.paged = 0, 0, 1
	}
	*r = Reading{plan: g.plan}
	switch {
	case g.plan == nil:
	case g.closed:
		r.fault = isClosed
	case begin.seq != m.seq:
		r.fault = isForgotten
	case begin.fault != 0:
		r.fault = begin.fault
	case end.fault != 0:
		r.fault = end.fault
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

// Overhead returns what an empty measurement counts: for each event the smallest count of 100. It measures on the first
// call. Values that could not be counted say so.
func (g *Group) Overhead() Reading {
	if g == nil || g.plan == nil {
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

// keepLess takes from other what is smaller there.
func (r *Reading) keepLess(other Reading) {
	r.Elapsed = min(r.Elapsed, other.Elapsed)
	for i := range r.plan.rows {
		v := other.value(i)
		if before := r.value(i); v.State == Exact && (before.State != Exact || v.Count < before.Count) {
			r.n[i], r.fault = other.n[i], 0
			if row := &r.plan.rows[i]; row.timed() {
				r.times[row.slot] = other.times[row.slot]
			}
		}
	}
}
