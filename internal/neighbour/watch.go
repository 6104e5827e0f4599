// SPDX-License-Identifier: BSD-3-Clause

package neighbour

import (
	"slices"
	"time"

	"github.com/strobe-go/strobe/stat"
)

// A State is what a spin says about its core.
type State int

const (
	Unknown State = iota // no spin
	Alone                // nothing else used the core
	Shared               // something else used the core too
	Away                 // the thread did not run all the time: other programs, or the host, took its processor
)

// String returns the name of the state in lower case.
func (s State) String() string {
	switch s {
	case Alone:
		return "alone"
	case Shared:
		return "shared"
	case Away:
		return "away"
	}
	return "unknown"
}

// The bounds of the states, in times of the fastest spin. On a shared core a spin takes about twice as long as alone, and a thread
// that lost its processor waits for far longer than a spin.
const (
	fromShared = 1.3
	fromAway   = 4
)

// A Watch judges spins by the fastest of them. The zero value is ready to use.
type Watch struct {
	fastest time.Duration
	took    []time.Duration // the latest spins, in a ring once there are most of them
	next    int             // in the ring
	start   load
}

// most is the number of spins that a Watch keeps: 512 KiB.
const most = 1 << 16

// Look spins and says what that spin tells. It takes a few microseconds.
func (w *Watch) Look() State { return w.Add(Spin()) }

// Add judges a [Spin] that took so long by the fastest spin so far, this one included; Report judges all of them by the fastest of
// all. A time that is not above zero tells nothing.
func (w *Watch) Add(took time.Duration) State {
	if took <= 0 {
		return Unknown
	}
	if w.fastest == 0 {
		w.start = readLoad()
	}
	if w.fastest == 0 || took < w.fastest {
		w.fastest = took
	}
	if len(w.took) < most {
		w.took = append(w.took, took)
	} else {
		w.took[w.next] = took
		w.next = (w.next + 1) % most
	}
	return w.state(took)
}

// Fastest returns the shortest spin so far, 0 without any.
func (w *Watch) Fastest() time.Duration { return w.fastest }

func (w *Watch) state(took time.Duration) State {
	switch times := float64(took) / float64(w.fastest); {
	case times < fromShared:
		return Alone
	case times < fromAway:
		return Shared
	}
	return Away
}

// Report sums up the latest 65,536 spins. It takes some milliseconds if there are that many.
func (w *Watch) Report() Report {
	r := Report{Fastest: w.fastest, Spins: len(w.took)}
	var shares stat.BatchMeans
	var shared []time.Duration
	away := 0
	for i := range w.took {
		took := w.took[(w.next+i)%len(w.took)]
		switch w.state(took) {
		case Alone:
			shares.Add(0)
		case Shared:
			shares.Add(1)
			shared = append(shared, took)
		case Away:
			away++
		}
	}
	if r.Spins > 0 {
		r.Away = float64(away) / float64(r.Spins)
	}
	r.Share = share(&shares, r)
	if len(shared) > 0 {
		slices.Sort(shared)
		r.Factor = float64(shared[len(shared)*19/20]) / float64(w.fastest)
	}
	if r.Spins > 0 {
		r.Busy, r.Virtual = w.start.since(readLoad()), virtual()
	}
	return r
}
