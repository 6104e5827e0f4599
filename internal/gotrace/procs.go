// SPDX-License-Identifier: BSD-3-Clause

package gotrace

import "fmt"

// takeProc takes an event of a P.
func (s *scheduler) takeProc(e *event, t *thread) (bool, error) {
	if e.kind == evProcStop {
		if t.p == nil {
			return false, errNoProc
		}
		s.release(t.p)
		t.p.state, t.p = idle, nil
		return true, nil
	}
	p := s.procs[e.args[0]]
	if e.kind == evProcStatus {
		return s.takeProcStatus(e, t, p)
	}
	if p == nil || !p.follows(s, e.args[1]) {
		return false, nil
	}
	if e.kind == evProcStart {
		if p.state != idle || t.p != nil { // one that it had before a system call must be stolen first
			return false, nil
		}
		p.sequence++
		s.hold(p, t, s.at)
		return true, nil
	}
	// evProcSteal
	if p.state != calling && p.state != abandoned {
		return false, nil
	}
	if p.state == calling {
		victim := s.threads[e.args[2]]
		if victim == nil || victim.p != p {
			return false, fmt.Errorf("processor %d is not stolen from the thread that has it", p.ID)
		}
		victim.p = nil
	}
	p.sequence++
	s.release(p)
	p.state = idle
	return true, nil
}

func (s *scheduler) takeProcStatus(e *event, t *thread, p *proc) (bool, error) {
	state := procState(0)
	if status := e.args[1]; status < uint64(len(procStatuses)) {
		state = procStatuses[status]
	}
	if state == 0 {
		return false, fmt.Errorf("%d is no state of a processor", e.args[1])
	}
	isNew := p == nil
	if isNew {
		p = &proc{Proc: Proc{ID: int32(e.args[0])}, state: state}
		s.procs[e.args[0]] = p
	} else if p.state != state && !(state == abandoned && p.state == calling) {
		return false, fmt.Errorf("processor %d was in state %d and is in %d", p.ID, p.state, state)
	}
	p.generation, p.sequence = s.generation, 0
	if state == held || state == calling {
		if isNew {
			s.hold(p, t, s.since())
			p.state = state
		}
		t.p = p
	}
	return true, nil
}

var procStatuses = [...]procState{1: held, 2: idle, 3: calling, 4: abandoned}
