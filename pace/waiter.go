// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"time"

	"github.com/strobe-go/strobe/clock"
)

// A sleeper is the operating system's best sleep here.
type sleeper interface {
	sleep(d time.Duration) // about d; less if interrupted
	interrupt()            // ends the sleep under way or the next one; safe for concurrent use
	rearm()                // forgets an interrupt
	close()
}

// A backend is a sleeper and what is known of it beforehand.
type backend struct {
	sleeper
	name         string
	reason       string // why it is not a better one
	coarse, fine learner
}

// The first sleep of two leaves room for the second, which is short and wakes more exactly. The numbers are measured:
// the second sleep's margin is what is spun, so it has the higher quantile and the lower limit.
var (
	precise = [2]learner{
		{q: 0.99, start: 150 * time.Microsecond, lo: 20 * time.Microsecond, hi: 400 * time.Microsecond},
		{q: 0.995, start: 60 * time.Microsecond, lo: 2 * time.Microsecond, hi: spinMax},
	}
	rough = [2]learner{
		{q: 0.99, start: 1500 * time.Microsecond, lo: 50 * time.Microsecond, hi: 4 * time.Millisecond},
		{q: 0.995, start: 700 * time.Microsecond, lo: 2 * time.Microsecond, hi: roughSpinMax},
	}
)

const (
	spinMax      = 300 * time.Microsecond  // a spin keeps a garbage collection waiting
	roughSpinMax = 1200 * time.Microsecond // where sleeps are a millisecond off
	twoSteps     = 300 * time.Microsecond  // waits above it sleep twice
	coarseEntry  = 50 * time.Microsecond   // shorter first sleeps are not worth a system call
	fineEntry    = 2 * time.Microsecond
	earlyMax     = 50 * time.Microsecond // clocks that disagree can make a sleep end this early, hardly more
	bare         = 200 * time.Nanosecond // of a spin's end is without the pause instruction, which takes some 25 ns
)

// A waiter waits for instants.
type waiter struct {
	backend
	now     func() clock.Instant
	margins *margins
	spin    time.Duration // the longest spin allowed; 0 is none

	spun   time.Duration // in the latest wait
	wakes  uint64        // sleeps that ended
	margin time.Duration // that the latest wait left to the spin
}

// until waits for t and returns the instant it ended at: at or after t, unless stopped says so, which is asked whenever
// a sleep ends.
func (w *waiter) until(t clock.Instant, stopped func() bool) clock.Instant {
	now := w.approach(t, stopped)
	if now >= t || stopped() {
		return now
	}
	begin := now
	for t.Sub(now) > bare {
		pause()
		now = w.now()
	}
	for now < t {
		now = w.now()
	}
	w.spun = now.Sub(begin)
	return now
}

// approach sleeps until shortly before t, or through to it if there is nothing to spin.
func (w *waiter) approach(t clock.Instant, stopped func() bool) clock.Instant {
	w.spun = 0
	now := w.now()
	rest := t.Sub(now)
	k := class(rest)
	coarse, fine := &w.margins.coarse[k], &w.margins.fine[k]
	w.margin = fine.value(w.fine, w.spin)
	if rest > twoSteps {
		wake := t.Add(-w.margin - coarse.value(w.coarse, w.coarse.hi))
		if wake.Sub(now) > coarseEntry {
			now = w.sleepUntil(wake, now, stopped)
			if stopped() {
				return now
			}
			coarse.learn(w.coarse, now.Sub(wake))
		} else {
			coarse.unused(w.coarse)
		}
	}
	if wake := t.Add(-w.margin); wake.Sub(now) > fineEntry {
		now = w.sleepUntil(wake, now, stopped)
		if stopped() {
			return now
		}
		fine.learn(w.fine, now.Sub(wake))
	} else if rest <= twoSteps {
		fine.unused(w.fine)
	}
	for w.spin == 0 && now < t && !stopped() { // what a sleep that woke early has left
		now = w.sleepUntil(t, now, stopped)
	}
	return now
}

// sleepUntil sleeps until t. A sleep that ends much too early was ended by an interrupt meant for an earlier wait.
func (w *waiter) sleepUntil(t, now clock.Instant, stopped func() bool) clock.Instant {
	for {
		w.sleep(t.Sub(now))
		w.wakes++
		now = w.now()
		if t.Sub(now) < earlyMax || stopped() {
			return now
		}
		w.rearm()
		if stopped() { // the interrupt just forgotten was ours
			return now
		}
	}
}
