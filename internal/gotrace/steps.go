// SPDX-License-Identifier: BSD-3-Clause

package gotrace

import (
	"cmp"
	"slices"
)

// A step is a Step while events are read: without pointers, in pieces of memory that never move.
type step struct {
	at        Time
	thread    int64
	by        int64
	goroutine uint32 // its index
	stack     StackID
	byStack   StackID
	proc      int32
	reason    word
	state     State
}

// A word is the index of a reason.
type word uint32

const (
	noReason word = iota
	created
	unblocked
	yield
	syscallExit
	coroutine
)

// steps are those of all goroutines, in the order in which they began.
type steps struct {
	pieces  [][]step
	words   []string
	indices map[string]word
}

func newSteps() steps {
	s := steps{indices: make(map[string]word)}
	for _, name := range [...]string{"", "created", "unblocked", "yield", "syscall exit", "coroutine"} {
		s.word(name)
	}
	s.indices["runtime.Gosched"] = yield
	return s
}

func (s *steps) word(name string) word {
	w, ok := s.indices[name]
	if !ok {
		w = word(len(s.words))
		s.words = append(s.words, name)
		s.indices[name] = w
	}
	return w
}

// add returns a copy of a step, which stays where it is.
func (s *steps) add(st step) *step {
	n := len(s.pieces) - 1
	if n < 0 || len(s.pieces[n]) == cap(s.pieces[n]) {
		s.pieces = append(s.pieces, make([]step, 0, min(64<<min(len(s.pieces), 6), 4096)))
		n++
	}
	s.pieces[n] = append(s.pieces[n], st)
	return &s.pieces[n][len(s.pieces[n])-1]
}

// of returns the goroutines that were not gone before from, by ID, with their steps.
func (s *steps) of(goroutines []*goroutine, from Time) []Goroutine {
	total := 0
	for _, g := range goroutines {
		total += g.steps
	}
	all := make([]Step, total)
	each := make([][]Step, len(goroutines))
	for i, g := range goroutines {
		each[i], all = all[:0:g.steps], all[g.steps:]
	}
	for _, piece := range s.pieces {
		for i := range piece {
			st := &piece[i]
			each[st.goroutine] = append(each[st.goroutine], Step{At: st.at, State: st.state, Reason: s.words[st.reason], Thread: st.thread,
				Proc: st.proc, By: st.by, Stack: st.stack, ByStack: st.byStack})
		}
	}
	out := make([]Goroutine, 0, len(goroutines))
	for i, g := range goroutines {
		if g.last.state != Gone || g.last.at >= from {
			out = append(out, Goroutine{ID: g.id, Steps: each[i]})
		}
	}
	slices.SortFunc(out, func(a, b Goroutine) int { return cmp.Compare(a.ID, b.ID) })
	return out
}
