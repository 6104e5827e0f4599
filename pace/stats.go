// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/stat"
)

// Stats says how well a Limiter has kept its schedule since its first Wait. Lateness is the time from a deadline to the
// return of the Wait for it, as the caller sees it. It excludes calls that came after their deadline.
type Stats struct {
	Rate    float64 // iterations per second, as configured
	Waits   uint64  // calls of Wait that returned nil
	Slept   uint64  // those of them that slept or spun, whose lateness is known
	Missed  uint64  // deadlines at which no Wait returned
	Overrun uint64  // calls that came after their deadline: the caller took longer than a period
	Shared  uint64  // waits that shared wake-ups because many waited at the same time

	Elapsed time.Duration // from the first return of Wait to the latest

	Margin    time.Duration // time that the latest wait planned to spin
	SpinShare float64       // share of Elapsed spent spinning, 0 to 1
	Wakeups   uint64        // how often the system woke the goroutine

	LateSystem uint64 // waits over 1 ms late because the operating system woke them late
	LateBusy   uint64 // waits over 1 ms late while goroutines of this process kept all its processors busy

	Backend string // the system's timer that is used; empty before the first sleep
	Reason  string // why a better one is not used, or why Realtime was not granted; empty if it is the best

	p50, p99, max time.Duration // lateness, if Slept > 0
}

// Late returns how late the waits ended: the median, the time after which no more than one of 100 ended, and the largest. ok is false
// if no wait slept or spun, so that their lateness is not known.
func (s Stats) Late() (p50, p99, max time.Duration, ok bool) { return s.p50, s.p99, s.max, s.Slept > 0 }

// Advice returns a sentence that says what would make the waits more precise, or "" if there is nothing to suggest.
func (s Stats) Advice() string {
	slow := s.LateSystem + s.LateBusy
	switch {
	case s.Shared*2 > s.Waits:
		return "many limiters and sleeps of this program wait at the same time and share wake-ups: use Lock for the few that must be exact"
	case slow*100 <= s.Waits:
		return ""
	case s.LateBusy >= s.LateSystem:
		return "goroutines of this program kept all its processors busy: raise GOMAXPROCS by one, or use Lock"
	default:
		return "the system woke this program late, as it does when other programs keep the processors busy: use Realtime, or leave a processor free"
	}
}

// A turn is one Wait.
type turn struct {
	at    clock.Instant // deadline
	began clock.Instant // when the spin began
	woke  clock.Instant // when the spin ended
	back  clock.Instant // one return later
	from  uint64        // the turn before
	usage usage

	ok      bool // there is a turn
	overrun bool
	slept   bool
	starved bool
	missed  uint64
}

// lateness returns how late the caller has the turn. The return to it is assumed to take as long as the one before.
func (t *turn) lateness() clock.Instant { return t.back - t.at + (t.back - t.woke) }

// A tally sums up turns.
type tally struct {
	rate    float64 // in force
	sleeper sleeper // nil before the first Wait

	waits, slept, missed, overrun uint64
	shared, wakeups               uint64
	lateSystem, lateBusy          uint64

	first, last  clock.Instant
	spun, margin time.Duration

	// The histogram is large: with a thousand limiters it is not in the cache when one wakes. So it is written rarely.
	pending  int
	recent   [16]int64
	lateness stat.Histogram
}

// record adds a turn.
func (a *tally) record(t *turn, w *waiter) {
	if a.waits == 0 {
		a.first = t.woke
	}
	a.last = t.woke
	a.waits++
	a.missed += t.missed
	if t.overrun {
		a.overrun++
	}
	a.wakeups, a.margin = w.wakes, w.margin
	if !t.slept {
		return
	}
	a.slept++
	if w.shared {
		a.shared++
	}
	a.spun += t.woke.Sub(t.began)
	late := t.lateness()
	a.recent[a.pending] = int64(late)
	if a.pending++; a.pending == len(a.recent) {
		a.flush()
	}
	switch {
	case late <= tardy:
	case t.starved:
		a.lateBusy++
	default:
		a.lateSystem++
	}
}

// flush moves the recent values into the histogram.
func (a *tally) flush() {
	for _, late := range a.recent[:a.pending] {
		a.lateness.Record(late)
	}
	a.pending = 0
}

func (a *tally) stats() Stats {
	a.flush()
	s := Stats{
		Rate: a.rate, Waits: a.waits, Slept: a.slept, Missed: a.missed, Overrun: a.overrun, Shared: a.shared,
		Elapsed: a.last.Sub(a.first), Margin: a.margin, Wakeups: a.wakeups,
		LateSystem: a.lateSystem, LateBusy: a.lateBusy,
	}
	if a.sleeper != nil {
		s.Backend, s.Reason = a.sleeper.about()
	}
	if s.Slept > 0 {
		s.p50 = time.Duration(a.lateness.Quantile(0.5))
		s.p99 = time.Duration(a.lateness.Quantile(0.99))
		s.max = time.Duration(a.lateness.Max())
	}
	if s.Elapsed > 0 {
		s.SpinShare = float64(a.spun) / float64(s.Elapsed)
	}
	return s
}
