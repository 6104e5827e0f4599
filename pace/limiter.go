// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// A Limiter runs a loop at a fixed rate. Its deadlines are start + n periods in exact arithmetic, so it does not drift. The
// zero value is a Limiter with the default options. It must not be copied.
//
// Wait, Turns and Close belong to one goroutine. SetRate and Stats are safe for concurrent use.
type Limiter struct {
	options Options
	err     error // why Wait fails
	begun   bool
	waiter  waiter
	grid    grid
	turn    uint64 // the grid point of the latest Wait
	pending turn   // the latest Wait, not yet in the statistics

	mu    sync.Mutex
	rate  float64 // for the next Wait to apply; 0: none
	tally tally
}

// NewLimiter returns a Limiter. It uses no system resources until the first Wait. If the options are invalid, every Wait
// fails with the error of Options.Validate.
func NewLimiter(o Options) *Limiter { return &Limiter{options: o} }

var errClosed = errors.New("pace: Wait on a closed Limiter")

// Wait blocks until the next deadline and returns nil; it never returns nil before the deadline. The first call returns at
// once and starts the schedule. If ctx ends first, Wait returns its error, and the next call waits for the same deadline.
// It does not allocate.
//
//go:noinline
func (l *Limiter) Wait(ctx context.Context) error {
	err := l.wait(ctx)
	if err == nil {
		l.pending.back = l.waiter.now()
	}
	return err
}

// wait is Wait without its last return, which cannot be timed: it is assumed to take as long as the return from here.
//
//go:noinline
func (l *Limiter) wait(ctx context.Context) error {
	if err := l.ready(ctx); err != nil {
		return err
	}
	now := l.waiter.now()
	t := &l.pending
	if l.plan(now); now >= t.at {
		return nil
	}
	now = l.waiter.approach(ctx, t.at)
	if now < t.at && ended(ctx.Done()) {
		t.ok, l.turn = false, t.from
		return ctx.Err()
	}
	// Everything that can be done before the deadline is done here, so that the return is short.
	t.slept, t.began = true, now
	for now < t.at {
		if t.at-now > bare {
			pause()
		}
		warm()
		now = l.waiter.now()
	}
	if t.woke = now; now-t.at > tardy {
		l.late()
	}
	return nil
}

// Turns calls Wait before every iteration of the loop that ranges over it, and yields the deadline. The loop ends when Wait
// fails; another call of Wait returns the error.
//
//	for range lim.Turns(ctx) {
//		frame()
//	}
func (l *Limiter) Turns(ctx context.Context) iter.Seq[clock.Instant] {
	return func(yield func(clock.Instant) bool) {
		for l.Wait(ctx) == nil && yield(l.pending.at) {
		}
	}
}

// ready finishes the bookkeeping of the latest Wait, and starts a limiter that has not waited yet.
func (l *Limiter) ready(ctx context.Context) error {
	if l.err != nil {
		return l.err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if !l.begun {
		if l.err = l.options.Validate(); l.err != nil {
			return l.err
		}
		l.begin(l.open())
	}
	l.settle()
	return nil
}

// open returns what the limiter sleeps with, on the goroutine that waits.
func (l *Limiter) open() waiter {
	switch {
	case inBubble():
		d := bubbleSleeper{begun: time.Now()}
		return waiter{sleeper: d, now: d.now}
	case l.options.Mode == Yield:
		return waiter{sleeper: &queuedSleeper{scheduler: &shared, b: newPending()}, learners: system, now: clock.Now}
	}
	return waiter{sleeper: lock(l.options.Mode == Realtime), learners: system, now: clock.Now}
}

func (l *Limiter) begin(w waiter) {
	l.begun = true
	l.waiter = w
	l.waiter.margins = new(margins)
	l.mu.Lock()
	l.options = l.options.filled()
	l.tally.rate, l.tally.sleeper = l.options.Rate, w.sleeper
	l.mu.Unlock()
	l.tune(l.options.Rate, 0)
}

// settle adds the latest Wait to the statistics, which would have made it later, and applies a new rate from the latest
// deadline on.
func (l *Limiter) settle() {
	l.mu.Lock()
	if l.pending.ok {
		l.tally.record(&l.pending, &l.waiter)
		l.pending.ok = false
	}
	rate := l.rate
	if l.rate = 0; rate != 0 {
		l.tally.rate = rate
	}
	l.mu.Unlock()
	if rate != 0 {
		l.tune(rate, l.grid.at(l.turn))
	}
}

func (l *Limiter) tune(rate float64, start clock.Instant) {
	l.grid, l.turn = newGrid(rate, start), 0
	l.waiter.spin = 0
	if l.options.Budget > 0 {
		l.waiter.spin = min(l.waiter.fine.hi, time.Duration(l.options.Budget*float64(l.grid.period())))
	}
}

// plan sets pending to the turn that a call at now waits for. Its deadline has passed if there is nothing to wait for.
func (l *Limiter) plan(now clock.Instant) {
	t := &l.pending
	*t = turn{ok: true, from: l.turn, woke: now, at: now}
	if l.tally.waits == 0 {
		l.grid.start = now
		return
	}
	next := l.turn + 1
	if at := l.grid.at(next); now > at {
		t.overrun = true
		next, t.missed = l.passed(now)
	}
	l.turn, t.at = next, l.grid.at(next)
	if t.at.Sub(now) >= twoSteps && !l.waiter.crowded() {
		t.usage = processorTime(now)
	}
}

// passed applies the policy to a call at now, after its deadline. It returns the grid point to wait for, which may have
// passed, and how many are given up.
func (l *Limiter) passed(now clock.Instant) (next, missed uint64) {
	due := l.turn + 1
	switch l.options.Late {
	case Slip:
		l.grid.start = now
		return 0, 0
	case CatchUp:
		behind := l.grid.after(now) - due // deadlines passed
		most := max(uint64(catchUpMost/time.Duration(l.grid.period())), 5)
		if behind > most {
			return due + behind - most, behind - most
		}
		return due, 0
	default:
		next = l.grid.after(now)
		return next, next - due
	}
}

const (
	catchUpMost = 250 * time.Millisecond
	tardy       = clock.Instant(time.Millisecond) // the lateness from which its cause is recorded
	bare        = 200                             // ns at the end of a spin, without the pause instruction, which takes 25
)

// late records why a Wait has just ended late, and which deadlines it missed.
func (l *Limiter) late() {
	t := &l.pending
	t.starved = t.usage.starved(l.waiter.now())
	if l.options.Late == Skip && int64(t.woke-t.at) > l.grid.period() { // deadlines passed meanwhile
		last := l.grid.after(t.woke) - 1
		t.missed += last - l.turn
		l.turn = last
	}
}

// SetRate changes the rate, beginning with the next Wait, whose deadline is one new period after the latest one. The error
// says which rates are possible; the rate then stays as it is. It is safe for concurrent use.
func (l *Limiter) SetRate(rate float64) error {
	if err := validRate(rate); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rate = rate
	return nil
}

// Stats returns what has been measured so far. The latest Wait is counted by the next one or by Close, because counting it
// before it returns would make it later. It is safe for concurrent use.
func (l *Limiter) Stats() Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.tally.stats()
	if s.Rate == 0 {
		s.Rate = cmp.Or(l.rate, l.options.filled().Rate)
	}
	return s
}

// Close releases the limiter's system resources, such as its thread. It must be called on the goroutine that waits. Later
// calls of Wait fail; Stats continues to work. Further calls do nothing.
func (l *Limiter) Close() {
	if l.begun && l.err == nil {
		l.settle()
		l.waiter.close()
	}
	l.err = errClosed
}
