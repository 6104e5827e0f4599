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
		if g == nil || g.state != Runnable || !g.follows(s, e.args[1]) {
			return false, nil
		}
		if t.p == nil {
			return false, errNoProc
		}
		if t.g != nil {
			return false, fmt.Errorf("its thread already runs goroutine %d", t.g.ID)
		}
		g.sequence++
		t.g = g
		s.enter(g, t, Step{State: Running})
		return true, nil
	case evGoBlock, evGoStop:
		g, err := t.runs(Running)
		if err != nil {
			return false, err
		}
		step := Step{State: Waiting}
		if e.kind == evGoStop {
			step.State = Runnable
		}
		if step.Reason, err = s.name(e.args[0]); err != nil {
			return false, err
		}
		if step.Reason == "runtime.Gosched" {
			step.Reason = "yield"
		}
		if step.Stack, err = s.tables.stackID(e.args[1]); err != nil {
			return false, err
		}
		t.g = nil
		s.enter(g, nil, step)
		return true, nil
	case evGoUnblock:
		g := s.goroutines[e.args[0]]
		if g == nil || g.state != Waiting || !g.follows(s, e.args[1]) {
			return false, nil
		}
		stack, err := s.tables.stackID(e.args[2])
		g.sequence++
		s.enter(g, nil, Step{State: Runnable, Reason: "unblocked", By: t.goroutine(), ByStack: stack})
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
		s.enter(g, t, Step{State: Syscall, Stack: stack})
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
		s.enter(g, t, Step{State: Running})
		return true, nil
	case evGoSyscallEndBlocked:
		if t.p != nil && t.p.state == calling {
			return false, nil // it loses its P first
		}
		g, err := t.runs(Syscall)
		if err != nil {
			return false, err
		}
		t.g = nil
		s.enter(g, nil, Step{State: Runnable, Reason: "syscall exit"})
		return true, nil
	}
	return false, nil
}

// takeLife takes an event that creates or ends a goroutine, or switches to another as coroutines do.
func (s *scheduler) takeLife(e *event, t *thread) (bool, error) {
	switch e.kind {
	case evGoCreate, evGoCreateBlocked:
		if t.p == nil {
			return false, errNoProc
		}
		if t.g != nil && t.g.state != Running {
			return false, errState
		}
		g, err := s.create(e.args[0])
		if err != nil {
			return false, err
		}
		step := Step{State: Runnable, Reason: "created", By: t.goroutine()}
		if e.kind == evGoCreateBlocked {
			step.State, step.Reason = Waiting, "coroutine"
		}
		if step.Stack, err = s.tables.stackID(e.args[1]); err == nil {
			step.ByStack, err = s.tables.stackID(e.args[2])
		}
		s.enter(g, nil, step)
		return true, err
	case evGoCreateSyscall:
		if t.g != nil {
			return false, fmt.Errorf("its thread already runs goroutine %d", t.g.ID)
		}
		g, err := s.create(e.args[0])
		if err != nil {
			return false, err
		}
		t.g = g
		s.enter(g, t, Step{State: Syscall})
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
		if next == nil || next.state != Waiting || !next.follows(s, e.args[1]) {
			return false, nil
		}
		if e.kind == evGoSwitch {
			s.enter(g, nil, Step{State: Waiting, Reason: "coroutine"})
		} else {
			s.destroy(g, t)
		}
		next.sequence++
		t.g = next
		s.enter(next, t, Step{State: Running, By: g.ID})
	}
	return true, nil
}

// create returns a goroutine that did not exist, or not any more: threads of C keep theirs.
func (s *scheduler) create(id uint64) (*goroutine, error) {
	g := s.goroutines[id]
	if g == nil {
		g = &goroutine{Goroutine: Goroutine{ID: int64(id)}}
		s.goroutines[id] = g
	} else if g.state != Gone {
		return nil, fmt.Errorf("goroutine %d already exists", id)
	}
	g.generation, g.sequence = s.generation, 0
	return g, nil
}

func (s *scheduler) destroy(g *goroutine, t *thread) {
	t.g = nil
	s.enter(g, nil, Step{State: Gone})
	s.closeRange(&g.assist)
	s.closeRange(&g.stop)
}

// takeStatus takes what a goroutine is doing. Each generation tells it once, before the first change.
func (s *scheduler) takeStatus(e *event, t *thread) (bool, error) {
	state, thread := Unknown, e.args[1]
	if status := e.args[2]; status < uint64(len(statuses)) {
		state = statuses[status]
	}
	if state == Unknown {
		return false, fmt.Errorf("%d is no state of a goroutine", e.args[2])
	}
	g := s.goroutines[e.args[0]]
	switch {
	case g != nil && g.state != state:
		return false, fmt.Errorf("goroutine %d was in state %d and is in %d", g.ID, g.state, state)
	case g == nil && s.generation > 1:
		return false, fmt.Errorf("goroutine %d is neither created nor known before", e.args[0])
	}
	var stack StackID
	if e.kind == evGoStatusStack {
		var err error
		if stack, err = s.tables.stackID(e.args[3]); err != nil {
			return false, err
		}
	}
	on := t
	if state == Syscall && thread != t.id { // it has been there all the time
		if thread == noThread {
			return false, errors.New("a system call without a thread")
		}
		on = s.thread(thread)
	}
	isNew := g == nil
	if on.g != nil && on.g != g && state == Syscall || state == Syscall && !isNew && on.g == nil {
		return false, fmt.Errorf("goroutine %d is in a system call on a thread that it is not bound to", e.args[0])
	}
	if isNew {
		g = &goroutine{Goroutine: Goroutine{ID: int64(e.args[0])}}
		s.goroutines[e.args[0]] = g
		if state != Running && state != Syscall {
			s.enter(g, nil, Step{State: state, Stack: stack})
		} else {
			s.enter(g, on, Step{State: state, Stack: stack})
		}
		g.Steps[0].At = s.since()
	} else if last := &g.Steps[len(g.Steps)-1]; last.Stack == 0 {
		last.Stack = stack
	}
	if state == Running && t.id != noThread || state == Syscall {
		on.g = g
	}
	g.generation, g.sequence = s.generation, 0
	return true, nil
}

var statuses = [...]State{1: Runnable, 2: Running, 3: Syscall, 4: Waiting}
