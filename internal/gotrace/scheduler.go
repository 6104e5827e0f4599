// SPDX-License-Identifier: BSD-3-Clause

package gotrace

import (
	"cmp"
	"slices"
)

// begin begins a generation.
func (s *scheduler) begin(g *generation) {
	s.generation++
	s.tables, s.clock = g.tables, &g.clock
	clear(s.words[:])
	if s.generation == 1 {
		s.steps = newSteps()
		s.goroutines, s.procs, s.threads = make(map[uint64]*goroutine), make(map[uint64]*proc), make(map[uint64]*thread)
		if len(g.streams) > 0 {
			s.last = g.clock.time(g.begin)
		}
		s.trace.From = s.last
	}
}

// advance takes an event of a thread, or returns false if one of another thread must be first.
func (s *scheduler) advance(e *event, t *thread) (bool, error) {
	s.at = s.last
	switch e.kind {
	case evGoStatus, evGoStatusStack, evProcStatus, evGCMarkAssistActive, evGCSweepActive: // tell of the generation's begin, even after its end
	default:
		s.at = max(s.last, s.clock.time(e.stamp))
	}
	ok, err := s.take(e, t)
	if ok {
		s.last = s.at
	}
	return ok, err
}

func (s *scheduler) take(e *event, t *thread) (bool, error) {
	switch e.kind {
	case evGoStart, evGoBlock, evGoStop, evGoUnblock, evGoSyscallBegin, evGoSyscallEnd, evGoSyscallEndBlocked:
		return s.takeStep(e, t)
	case evGoCreate, evGoCreateBlocked, evGoCreateSyscall, evGoDestroy, evGoDestroySyscall, evGoSwitch, evGoSwitchDestroy:
		return s.takeLife(e, t)
	case evGoStatus, evGoStatusStack:
		return s.takeStatus(e, t)
	case evProcStart, evProcStop, evProcSteal, evProcStatus:
		return s.takeProc(e, t)
	}
	return s.takeRuntime(e, t)
}

// finish returns the trace, once all events have been taken.
func (s *scheduler) finish() *Trace {
	t := s.trace
	t.To, s.at = s.last, s.last
	t.From = min(max(t.From, s.from), t.To)
	t.Goroutines = s.steps.of(s.all, s.from)
	t.Procs = make([]Proc, 0, len(s.procs))
	for _, p := range s.procs {
		s.release(p)
		if n := len(p.Holds); n > 0 && p.Holds[n-1].To < s.from {
			p.Holds = p.Holds[:n-1]
		}
		t.Procs = append(t.Procs, p.Proc)
	}
	slices.SortFunc(t.Procs, func(a, b Proc) int { return cmp.Compare(a.ID, b.ID) })
	s.closeRanges()
	slices.SortStableFunc(t.Samples, func(a, b Sample) int { return cmp.Compare(a.At, b.At) })
	return t
}
