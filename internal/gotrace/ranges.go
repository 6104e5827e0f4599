// SPDX-License-Identifier: BSD-3-Clause

package gotrace

import (
	"cmp"
	"slices"
)

// opened is 1 + the index of a range that has begun, or 0.
type opened int

// A collection is the state of the garbage collector.
type collection struct {
	mark     opened
	sequence uint64 // of the latest begin or end
	known    bool
}

// takeRuntime takes an event that changes no goroutine's state.
func (s *scheduler) takeRuntime(e *event, t *thread) (bool, error) {
	switch e.kind {
	case evGCActive, evGCBegin, evGCEnd:
		return s.takeCollection(e, t)
	case evSTWBegin, evGCMarkAssistBegin, evSTWEnd, evGCMarkAssistEnd, evGoLabel:
		return s.takeRunning(e, t)
	case evGCMarkAssistActive:
		g := s.goroutines[e.args[0]]
		if g == nil {
			return false, errNoGoroutine
		}
		if g.assist == 0 {
			s.open(&g.assist, Range{From: s.since(), Kind: Assist, Name: assistName, Goroutine: g.id, Proc: -1})
		}
	case evGCSweepActive:
		p := s.procs[e.args[0]]
		if p == nil {
			return false, errNoProc
		}
		if p.sweep == 0 {
			s.open(&p.sweep, Range{From: s.since(), Kind: Sweep, Name: sweepName, Goroutine: t.goroutine(), Proc: p.ID})
		}
	case evGCSweepBegin, evGCSweepEnd, evHeapAlloc, evHeapGoal:
		return s.takeMemory(e, t)
	case evProcsChange:
		procs, limits := int(e.args[0]), s.trace.Limits
		if len(limits) == 0 { // what it has been
			s.trace.Limits = append(limits, Limit{At: s.trace.From, Procs: procs})
		} else if limits[len(limits)-1].Procs != procs {
			if s.at < s.from {
				limits = limits[:0]
			}
			s.trace.Limits = append(limits, Limit{At: s.at, Procs: procs})
		}
	}
	return true, nil
}

const (
	markName   = "GC concurrent mark phase"
	assistName = "GC mark assist"
	sweepName  = "GC incremental sweep"
)

// takeCollection takes the begin or the end of marking, which other threads may do.
func (s *scheduler) takeCollection(e *event, t *thread) (bool, error) {
	c := &s.collection
	if c.known && e.args[0] != c.sequence+1 || !c.known && e.kind == evGCEnd {
		return false, nil
	}
	c.sequence, c.known = e.args[0], true
	if e.kind == evGCEnd {
		s.closeRange(&c.mark)
		return true, nil
	}
	r := Range{From: s.at, Kind: Mark, Name: markName, Goroutine: t.goroutine(), Proc: t.proc()}
	if e.kind == evGCActive {
		r.From, r.Goroutine, r.Proc = s.since(), 0, -1
	} else {
		var err error
		if r.Stack, err = s.tables.stackID(e.args[1]); err != nil {
			return false, err
		}
	}
	if c.mark == 0 {
		s.open(&c.mark, r)
	}
	return true, nil
}

// takeRunning takes an event of the goroutine that its thread runs.
func (s *scheduler) takeRunning(e *event, t *thread) (bool, error) {
	g, err := t.runs(Running)
	if err != nil {
		return false, err
	}
	r := Range{From: s.at, Goroutine: g.id, Proc: t.proc()}
	switch e.kind {
	case evSTWBegin:
		name, err := s.name(e.args[0])
		if err != nil {
			return false, err
		}
		if r.Stack, err = s.tables.stackID(e.args[1]); err != nil {
			return false, err
		}
		r.Kind, r.Name = Stopped, "stop-the-world ("+name+")"
		s.open(&g.stop, r)
	case evSTWEnd:
		s.closeRange(&g.stop)
	case evGCMarkAssistBegin:
		if r.Stack, err = s.tables.stackID(e.args[0]); err != nil {
			return false, err
		}
		r.Kind, r.Name = Assist, assistName
		s.open(&g.assist, r)
	case evGCMarkAssistEnd:
		s.closeRange(&g.assist)
	case evGoLabel:
		g.last.reason, err = s.word(e.args[0])
	}
	return true, err
}

// takeMemory takes an event of the allocator, which runs with a P.
func (s *scheduler) takeMemory(e *event, t *thread) (bool, error) {
	if t.p == nil {
		return false, errNoProc
	}
	switch e.kind {
	case evGCSweepBegin:
		stack, err := s.tables.stackID(e.args[0])
		if err != nil {
			return false, err
		}
		s.open(&t.p.sweep, Range{From: s.at, Kind: Sweep, Name: sweepName, Goroutine: t.goroutine(), Proc: t.p.ID, Stack: stack})
	case evGCSweepEnd:
		s.closeRange(&t.p.sweep)
	case evHeapAlloc:
		if s.at < s.from {
			s.trace.Heap = s.trace.Heap[:0]
		}
		s.trace.Heap = append(doubled(s.trace.Heap), Heap{At: s.at, Live: int64(e.args[0]), Goal: s.goal, Goroutine: t.goroutine()})
	case evHeapGoal:
		s.goal = int64(e.args[0])
	}
	return true, nil
}

func (s *scheduler) open(o *opened, r Range) {
	s.closeRange(o)
	s.trace.Ranges = append(doubled(s.trace.Ranges), r)
	*o = opened(len(s.trace.Ranges))
}

func (s *scheduler) closeRange(o *opened) {
	if *o != 0 {
		s.trace.Ranges[*o-1].To = s.at
	}
	*o = 0
}

// closeRanges ends the ranges that go on, with the trace, and sorts those that are kept.
func (s *scheduler) closeRanges() {
	s.closeRange(&s.collection.mark)
	for _, g := range s.goroutines {
		s.closeRange(&g.assist)
		s.closeRange(&g.stop)
	}
	for _, p := range s.procs {
		s.closeRange(&p.sweep)
	}
	s.trace.Ranges = slices.DeleteFunc(s.trace.Ranges, func(r Range) bool { return r.To < s.from })
	slices.SortStableFunc(s.trace.Ranges, func(a, b Range) int { return cmp.Compare(a.From, b.From) })
}

// doubled makes room for as many elements again if there is none: append grows large slices by a quarter, and so copies each element
// and allocates its memory several times.
func doubled[T any](s []T) []T {
	if len(s) == cap(s) {
		return slices.Grow(s, max(16, len(s)))
	}
	return s
}
