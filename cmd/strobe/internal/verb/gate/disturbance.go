// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"slices"

	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
)

// A disturbance is what the system reports about other programs that kept a run from its processor.
type disturbance struct {
	known     bool
	waited    float64 // share of the time in which it wanted a processor and had none, those that a host took away included
	preempted int64   // times that a processor was taken from it; with switches
	switches  bool
}

// disturbanceOf returns that of a run.
func disturbanceOf(r *command.Run) disturbance {
	d := disturbance{preempted: r.Preempted, switches: r.Known.Switches, known: r.Known.Queued}
	if d.known {
		d.waited = 1 - (1-r.Queued)*(1-r.Stolen) // without a tick of the machine's clock nothing was seen stolen
	}
	return d
}

// mostWaiting is the share of waiting up to which a round counts, whatever the other rounds are like.
const mostWaiting = 0.05

// A quietRule sets disturbed rounds apart: those that waited for more than mostWaiting of the time, and more than twice as long
// as the median round so far; but never more than half of all.
//
// Whether a round counts depends on the larger of the waiting of its two runs and on those of earlier rounds. It does not
// depend on which side waited, which ran first, or what was measured. The order within a round remains random for the rounds
// that count, which is all that the verdict relies on.
type quietRule struct {
	waited []float64 // of all rounds so far, sorted
	apart  int       // rounds that were set apart
}

// setsApart decides about the next round, by what its two runs waited.
func (q *quietRule) setsApart(first, second float64) bool {
	waited := max(first, second)
	apart := waited > mostWaiting && 2*(q.apart+1) <= len(q.waited)+1 && waited > 2*q.median()
	if apart {
		q.apart++
	}
	at, _ := slices.BinarySearch(q.waited, waited)
	q.waited = slices.Insert(q.waited, at, waited)
	return apart
}

// median returns that of all rounds so far, 0 if there are none.
func (q *quietRule) median() float64 {
	n := len(q.waited)
	if n == 0 {
		return 0
	}
	return (q.waited[(n-1)/2] + q.waited[n/2]) / 2
}
