// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"context"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// learners hold the start values for the first and the last of two sleeps.
type learners struct{ coarse, fine learner }

// The first of two sleeps leaves time for the second, which is short and wakes more precisely. The numbers are measured:
// the second sleep's margin is spent spinning, so it has the higher quantile and the lower limit.
var precise = learners{
	coarse: learner{q: 0.99, start: 150 * time.Microsecond, lo: 20 * time.Microsecond, hi: 400 * time.Microsecond},
	fine:   learner{q: 0.998, start: 60 * time.Microsecond, lo: 2 * time.Microsecond, hi: 300 * time.Microsecond},
}

const (
	twoSteps    = 300 * time.Microsecond // waits above it sleep twice
	coarseEntry = 50 * time.Microsecond  // shorter first sleeps are not worth a system call
	fineEntry   = 2 * time.Microsecond
	earlyMax    = 50 * time.Microsecond // a sleep that ends earlier than this has been interrupted
)

// A waiter sleeps until shortly before a deadline, and learns how late the system wakes it.
type waiter struct {
	sleeper
	learners
	now     func() clock.Instant
	margins *margins
	spin    time.Duration // the longest spin allowed; 0 is none

	wakes  uint64        // sleeps that ended
	margin time.Duration // that the latest wait left for the spin
	shared bool          // the latest wait shared its wake-up
}

// approach sleeps until shortly before t, or until t if spinning is not allowed, and returns the instant when it woke. It
// returns early if ctx ends.
func (w *waiter) approach(ctx context.Context, t clock.Instant) clock.Instant {
	if w.shared = w.crowded(); w.shared {
		w.margin = 0
		return w.sleepThrough(ctx, t)
	}
	now := w.now()
	rest := t.Sub(now)
	k := class(rest)
	coarse, fine := &w.margins.coarse[k], &w.margins.fine[k]
	w.margin = fine.value(w.fine, w.spin)
	wake := t.Add(-w.margin)
	stopped := false
	if rest > twoSteps {
		now, stopped = w.sleepShort(ctx, coarse, w.coarse, wake.Add(-coarse.value(w.coarse, w.coarse.hi)), now, coarseEntry)
	}
	if !stopped && (rest <= twoSteps || wake.Sub(now) > fineEntry) {
		now, stopped = w.sleepShort(ctx, fine, w.fine, wake, now, fineEntry)
	}
	if w.spin == 0 && now < t && !stopped {
		now = w.sleepThrough(ctx, t)
	}
	return now
}

// sleepShort sleeps until wake, if that is more than entry ahead, and lets m learn. It reports whether ctx ended it.
func (w *waiter) sleepShort(ctx context.Context, m *margin, l learner, wake, now clock.Instant, entry time.Duration) (clock.Instant, bool) {
	if wake.Sub(now) <= entry {
		m.unused(l)
		return now, false
	}
	now = w.sleepUntil(ctx, wake)
	if now < wake && ended(ctx.Done()) {
		return now, true
	}
	if !w.crowded() {
		m.learn(l, now.Sub(wake))
	}
	return now, false
}

// sleepUntil sleeps until about t. It repeats a sleep that was interrupted.
func (w *waiter) sleepUntil(ctx context.Context, t clock.Instant) clock.Instant {
	for {
		w.sleep(ctx, t)
		w.wakes++
		now := w.now()
		if t.Sub(now) < earlyMax || ended(ctx.Done()) {
			return now
		}
	}
}

// sleepThrough sleeps until t has passed.
func (w *waiter) sleepThrough(ctx context.Context, t clock.Instant) clock.Instant {
	for {
		w.sleep(ctx, t)
		w.wakes++
		if now := w.now(); now >= t || ended(ctx.Done()) {
			return now
		}
	}
}
