// SPDX-License-Identifier: BSD-3-Clause

package perf

// A rollback takes back, the latest first, what was done.
type rollback []func()

// A step is a call that may change the state of the system, and how to take that back; undo is nil if there is nothing to.
type step struct {
	do   func() answer
	undo func()
}

// inOrder takes the steps until one fails, and returns its answer, or one that has not failed. What a step that failed has not
// obtained may belong to another program, and is not taken back.
func (r *rollback) inOrder(steps []step) answer {
	for _, s := range steps {
		if a := s.do(); a.failed() {
			return a
		}
		if s.undo != nil {
			*r = append(*r, s.undo)
		}
	}
	return answer{}
}

// run takes everything back, also what remains if part of it panics. A second run does nothing.
func (r *rollback) run() {
	if n := len(*r); n > 0 {
		last := (*r)[n-1]
		*r = (*r)[:n-1]
		defer r.run()
		last()
	}
}
