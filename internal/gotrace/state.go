// SPDX-License-Identifier: BSD-3-Clause

package gotrace

import (
	"errors"
	"fmt"
)

// A scheduler follows what Go's scheduler did, event by event.
type scheduler struct {
	trace      *Trace
	goroutines map[uint64]*goroutine
	all        []*goroutine // by index
	steps      steps
	procs      map[uint64]*proc
	threads    map[uint64]*thread
	generation int  // from 1
	from, to   Time // what was over before is left out, and what began after
	tables     *tables
	words      [64]word // of the generation's strings, once they are known
	clock      *clock
	at         Time // of the event
	last       Time // of the event before
	collection collection
	goal       int64
}

// A goroutine has a sequence: the number of the latest of those events that other threads may cause. It begins anew in each generation.
type goroutine struct {
	id         int64
	index      uint32
	steps      int
	last       *step
	generation int // that told its state
	sequence   uint64
	stop       opened // the world
	assist     opened
}

// A thread is bound to the goroutine and the P it runs.
type thread struct {
	id uint64
	g  *goroutine
	p  *proc
}

type procState uint8

const (
	idle      procState = 1 + iota
	held                // by a thread
	calling             // by a thread in a system call, so that another may steal it
	abandoned           // as calling, but of an unknown thread
)

type proc struct {
	Proc
	state      procState
	generation int
	sequence   uint64
	holding    bool // the last of Holds goes on
	sweep      opened
}

var (
	errNoGoroutine = errors.New("its thread runs no goroutine")
	errNoProc      = errors.New("its thread has no P")
	errState       = errors.New("its goroutine is in another state")
)

func (s *scheduler) thread(id uint64) *thread {
	t := s.threads[id]
	if t == nil {
		t = &thread{id: id}
		s.threads[id] = t
	}
	return t
}

// since is when a state began that an event tells: with the trace, since a change in its first generation would have been told.
func (s *scheduler) since() Time {
	if s.generation == 1 {
		return s.trace.From
	}
	return s.at
}

// word returns a reason of the generation's table.
func (s *scheduler) word(id uint64) (word, error) {
	known := id < uint64(len(s.words))
	if known && s.words[id] != noReason {
		return s.words[id], nil
	}
	name, err := s.name(id)
	if err != nil {
		return noReason, err
	}
	w := s.steps.word(name)
	if known {
		s.words[id] = w
	}
	return w, nil
}

func (s *scheduler) name(id uint64) (string, error) {
	name, ok := s.tables.name(id)
	if !ok {
		return "", fmt.Errorf("string %d is not in the table", id)
	}
	return name, nil
}

func (g *goroutine) follows(s *scheduler, sequence uint64) bool {
	return g.generation == s.generation && sequence == g.sequence+1
}

// runs returns the goroutine of the thread, which must be in that state.
func (t *thread) runs(state State) (*goroutine, error) {
	if t.g == nil {
		return nil, errNoGoroutine
	}
	if t.g.last.state != state {
		return nil, errState
	}
	return t.g, nil
}

func (t *thread) goroutine() int64 {
	if t.g == nil {
		return 0
	}
	return t.g.id
}

func (t *thread) proc() int32 {
	if t.p == nil {
		return -1
	}
	return t.p.ID
}

// add returns a goroutine that is new to the trace.
func (s *scheduler) add(id uint64) *goroutine {
	g := &goroutine{id: int64(id), index: uint32(len(s.all))}
	s.goroutines[id] = g
	s.all = append(s.all, g)
	return g
}

// enter begins a step now, on that thread if it is not nil.
func (s *scheduler) enter(g *goroutine, t *thread, st step) {
	st.at, st.goroutine, st.proc = s.at, g.index, -1
	if t != nil {
		st.thread, st.proc = int64(t.id), t.proc()
	}
	if g.last != nil && s.at < s.from {
		*g.last = st
		return
	}
	g.last = s.steps.add(st)
	g.steps++
}

func (p *proc) follows(s *scheduler, sequence uint64) bool {
	return p.generation == s.generation && sequence == p.sequence+1
}

// hold gives a P to a thread.
func (s *scheduler) hold(p *proc, t *thread, from Time) {
	p.state, p.holding, t.p = held, true, p
	if n := len(p.Holds); n > 0 && p.Holds[n-1].To < s.from {
		p.Holds = p.Holds[:n-1]
	}
	p.Holds = append(p.Holds, Hold{From: from, To: from, Thread: int64(t.id)})
}

// release ends the time in which a thread had a P.
func (s *scheduler) release(p *proc) {
	if p.holding {
		p.Holds[len(p.Holds)-1].To = s.at
	}
	p.holding = false
}
