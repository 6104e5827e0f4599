// SPDX-License-Identifier: BSD-3-Clause

package gotrace

import (
	"errors"
	"fmt"
)

// takeStep takes a change of what a goroutine does.
func (s *scheduler) takeStep(e *event, t *thread) (bool, error) {
	switch e.kind {
	case evGoStart:
		g := s.goroutines[e.args[0]]
		if g == nil || g.last.state != Runnable || !g.follows(s, e.args[1]) {
			return false, nil
		}
		if t.p == nil {
			return false, errNoProc
		}
		if t.g != nil {
			return false, fmt.Errorf("its thread already runs goroutine %d", t.g.id)
		}
		g.sequence++
		t.g = g
		s.enter(g, t, step{state: Running})
		return true, nil
	case evGoBlock, evGoStop:
		g, err := t.runs(Running)
		if err != nil {
			return false, err
		}
		st := step{state: Waiting}
		if e.kind == evGoStop {
			st.state = Runnable
		}
		if st.reason, err = s.word(e.args[0]); err != nil {
			return false, err
		}
		if st.stack, err = s.tables.stackID(e.args[1]); err != nil {
			return false, err
		}
		t.g = nil
		s.enter(g, nil, st)
		return true, nil
	case evGoUnblock:
		g := s.goroutines[e.args[0]]
		if g == nil || g.last.state != Waiting || !g.follows(s, e.args[1]) {
			return false, nil
		}
		stack, err := s.tables.stackID(e.args[2])
		g.sequence++
		s.enter(g, nil, step{state: Runnable, reason: unblocked, by: t.goroutine(), byStack: stack})
		if t.goroutine() == 0 {
			g.last.proc = t.proc()
		}
		return true, err
	case evGoSyscallBegin:
		g, err := t.runs(Running)
		if err != nil {
			return false, err
		}
		if t.p == nil || !t.p.follows(s, e.args[0]) {
			return false, errNoProc
		}
		stack, err := s.tables.stackID(e.args[1])
		t.p.sequence++
		t.p.state = calling
		s.enter(g, t, step{state: Syscall, stack: stack})
		return true, err
	case evGoSyscallEnd:
		g, err := t.runs(Syscall)
		if err != nil {
			return false, err
		}
		if t.p == nil || t.p.state != calling {
			return false, errNoProc
		}
		t.p.state = held
		s.enter(g, t, step{state: Running})
		return true, nil
	}
	// evGoSyscallEndBlocked
	if t.p != nil && t.p.state == calling {
		return false, nil // it loses its P first
	}
	g, err := t.runs(Syscall)
	if err != nil {
		return false, err
	}
	t.g = nil
	s.enter(g, nil, step{state: Runnable, reason: syscallExit})
	return true, nil
}

// takeLife takes an event that creates or ends a goroutine, or switches to another as coroutines do.
func (s *scheduler) takeLife(e *event, t *thread) (bool, error) {
	switch e.kind {
	case evGoCreate, evGoCreateBlocked:
		if t.p == nil {
			return false, errNoProc
		}
		if t.g != nil && t.g.last.state != Running {
			return false, errState
		}
		g, err := s.create(e.args[0])
		if err != nil {
			return false, err
		}
		st := step{state: Runnable, reason: created, by: t.goroutine()}
		if e.kind == evGoCreateBlocked {
			st.state, st.reason = Waiting, coroutine
		}
		if st.stack, err = s.tables.stackID(e.args[1]); err == nil {
			st.byStack, err = s.tables.stackID(e.args[2])
		}
		s.enter(g, nil, st)
		return true, err
	case evGoCreateSyscall:
		if t.g != nil {
			return false, fmt.Errorf("its thread already runs goroutine %d", t.g.id)
		}
		g, err := s.create(e.args[0])
		if err != nil {
			return false, err
		}
		t.g = g
		s.enter(g, t, step{state: Syscall})
	case evGoDestroy:
		g, err := t.runs(Running)
		if err != nil {
			return false, err
		}
		s.destroy(g, t)
	case evGoDestroySyscall:
		g, err := t.runs(Syscall)
		if err != nil {
			return false, err
		}
		if t.p != nil { // the runtime may take it back later
			s.release(t.p)
			t.p.state = abandoned
			t.p = nil
		}
		s.destroy(g, t)
	case evGoSwitch, evGoSwitchDestroy:
		g, err := t.runs(Running)
		if err != nil {
			return false, err
		}
		next := s.goroutines[e.args[0]]
		if next == nil || next.last.state != Waiting || !next.follows(s, e.args[1]) {
			return false, nil
		}
		if e.kind == evGoSwitch {
			s.enter(g, nil, step{state: Waiting, reason: coroutine})
		} else {
			s.destroy(g, t)
		}
		next.sequence++
		t.g = next
		s.enter(next, t, step{state: Running, by: g.id})
	}
	return true, nil
}

// create returns a goroutine that did not exist, or not any more: threads of C keep theirs.
func (s *scheduler) create(id uint64) (*goroutine, error) {
	g := s.goroutines[id]
	if g == nil {
		g = s.add(id)
	} else if g.last.state != Gone {
		return nil, fmt.Errorf("goroutine %d already exists", id)
	}
	g.generation, g.sequence = s.generation, 0
	return g, nil
}

func (s *scheduler) destroy(g *goroutine, t *thread) {
	t.g = nil
	s.enter(g, nil, step{state: Gone})
	s.closeRange(&g.assist)
	s.closeRange(&g.stop)
}

// takeStatus takes what a goroutine is doing. Each generation tells it once, before the first change.
func (s *scheduler) takeStatus(e *event, t *thread) (bool, error) {
	state := Unknown
	if status := e.args[2]; status < uint64(len(statuses)) {
		state = statuses[status]
	}
	g := s.goroutines[e.args[0]]
	switch {
	case state == Unknown:
		return false, fmt.Errorf("%d is no state of a goroutine", e.args[2])
	case g != nil && g.last.state != state:
		return false, fmt.Errorf("goroutine %d was in state %d and is in %d", g.id, g.last.state, state)
	case g == nil && s.generation > 1:
		return false, fmt.Errorf("goroutine %d is neither created nor known before", e.args[0])
	}
	var on *thread
	if state == Running || state == Syscall {
		if e.args[1] == noThread {
			return false, errors.New("its goroutine runs without a thread")
		}
		if on = s.thread(e.args[1]); on.g != g { // neither of which exists at first
			return false, fmt.Errorf("its goroutine is on thread %d, which runs another", on.id)
		}
	}
	var stack StackID
	if e.kind == evGoStatusStack {
		var err error
		if stack, err = s.tables.stackID(e.args[3]); err != nil {
			return false, err
		}
	}
	if g == nil {
		g = s.add(e.args[0])
		s.enter(g, on, step{state: state})
		g.last.at = s.since()
	}
	if g.last.stack == 0 {
		g.last.stack = stack
	}
	if on != nil {
		on.g = g
	}
	g.generation, g.sequence = s.generation, 0
	return true, nil
}

var statuses = [...]State{1: Runnable, 2: Running, 3: Syscall, 4: Waiting}
