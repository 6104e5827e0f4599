// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/stat"
)

// Stats says how well a Limiter has kept its grid since its first Wait. Lateness is that of the waits which slept or
// spun, not of calls that came after their deadline.
type Stats struct {
	Rate    float64 // turns per second asked for
	Waits   uint64  // calls of Wait that returned nil
	Slept   uint64  // those of them that slept or spun; while 0, nothing is known of the lateness
	Missed  uint64  // deadlines that no Wait returned at
	Overrun uint64  // calls that came after their deadline: the caller took longer than a period

	Elapsed time.Duration // from the first return of Wait to the latest

	LatenessP50 time.Duration // median
	LatenessP99 time.Duration
	LatenessMax time.Duration

	Margin    time.Duration // what the latest wait left to the spin
	SpinShare float64       // share of Elapsed that was spun, 0 to 1
	Wakeups   uint64        // times that the system's sleep ended

	LateSystem uint64 // waits over 1 ms late because the operating system woke us late
	LateBusy   uint64 // waits over 1 ms late while goroutines of this process kept all its processors busy

	Backend string // how the system is asked to sleep
	Reason  string // why it is not a better way, or why Realtime was not obtained; empty if it is the best
}

// Advice says in a sentence what would make the waits more exact; empty if nothing stands out.
func (s Stats) Advice() string {
	slow := s.LateSystem + s.LateBusy
	switch {
	case slow*100 <= s.Waits:
		return ""
	case s.LateBusy >= s.LateSystem:
		return "goroutines of this program kept all its processors busy: raise GOMAXPROCS by one, or use Lock"
	default:
		return "other programs kept the processors busy: use Realtime, or leave a processor free"
	}
}

// A turn is what one Wait did.
type turn struct {
	at, woke clock.Instant // its deadline, and when it returned
	ok       bool          // there is one
	first    bool
	overrun  bool
	slept    bool
	starved  bool
	missed   uint64
}

// tally adds up turns.
type tally struct {
	waits, missed, overrun uint64
	lateSystem, lateBusy   uint64
	first, last            clock.Instant
	spun, spinMargin       time.Duration
	wakeups                uint64
	lateness               stat.Histogram
	backend, reason        string
	rateInForce            float64
}

// record adds the pending turn. The lock is held; those who ask for statistics hold it for a moment only.
func (l *Limiter) record() {
	t := l.pending
	if !t.ok {
		return
	}
	l.pending = turn{}
	if t.first {
		l.first = t.woke
	}
	l.last = t.woke
	l.waits++
	l.missed += t.missed
	if t.overrun {
		l.overrun++
	}
	l.wakeups, l.spinMargin = l.waiter.wakes, l.waiter.margin
	if !t.slept {
		return
	}
	l.spun += l.waiter.spun
	late := t.woke.Sub(t.at)
	l.lateness.Record(int64(late))
	switch {
	case late <= tardy:
	case t.starved:
		l.lateBusy++
	default:
		l.lateSystem++
	}
}

func (a *tally) stats() Stats {
	s := Stats{
		Rate: a.rateInForce, Waits: a.waits, Missed: a.missed, Overrun: a.overrun,
		Elapsed: a.last.Sub(a.first), Margin: a.spinMargin, Wakeups: a.wakeups,
		LateSystem: a.lateSystem, LateBusy: a.lateBusy, Backend: a.backend, Reason: a.reason,
	}
	if s.Slept = a.lateness.N(); s.Slept > 0 {
		s.LatenessP50 = time.Duration(a.lateness.Quantile(0.5))
		s.LatenessP99 = time.Duration(a.lateness.Quantile(0.99))
		s.LatenessMax = time.Duration(a.lateness.Max())
	}
	if s.Elapsed > 0 {
		s.SpinShare = float64(a.spun) / float64(s.Elapsed)
	}
	return s
}
