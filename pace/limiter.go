// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// A Limiter lets a loop turn at a fixed rate. Its deadlines are start + n periods in exact arithmetic, so that it never
// drifts from its rate. Wait and Close belong to one goroutine; SetRate and Stats may be called from any.
type Limiter struct {
	options Options
	err     error // what is wrong with the options
	waiter  waiter

	grid grid
	turn uint64 // the grid point that the latest Wait returned at

	pending turn // the latest Wait, not yet in the statistics

	watch *watch // the context that ends the sleep

	mu   sync.Mutex // guards what follows, which other goroutines ask for and set
	rate float64    // to be put in force by the next Wait; 0: none
	tally
}

// NewLimiter returns a limiter. The first Wait starts the grid. Options that cannot be met make every Wait fail; see
// Options.Validate.
func NewLimiter(o Options) *Limiter {
	l := &Limiter{err: o.Validate()}
	l.options = o.filled()
	l.rateInForce = l.options.Rate
	return l
}

var errClosed = errors.New("pace: Wait on a closed Limiter")

// Wait blocks until the next deadline and returns nil; never early. The first call returns at once and starts the grid.
// If ctx ends first it returns ctx's error, and the deadline is left for the next call. It allocates nothing while ctx
// stays the same from call to call.
func (l *Limiter) Wait(ctx context.Context) error {
	if l.err != nil {
		return l.err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if l.waiter.sleeper == nil {
		l.begin(l.open(), clock.Now)
	}
	l.heed(ctx)
	l.settle()
	now := l.waiter.now()
	if l.waits == 0 {
		l.grid.start = now
		l.pending = turn{ok: true, at: now, woke: now, first: true}
		return nil
	}

	t := turn{ok: true, at: l.grid.at(l.turn + 1)}
	next := l.turn + 1
	if now > t.at {
		t.overrun = true
		next, t.missed = l.late(now)
		t.at = l.grid.at(next)
	}
	t.woke = now
	if t.at > now {
		t.slept = true
		busy := l.processorTime(t.at.Sub(now))
		t.woke = l.waiter.until(t.at, l.watch.canceled.Load)
		if t.woke < t.at {
			return ctx.Err()
		}
		late := t.woke.Sub(t.at)
		t.starved = late > tardy && busy.starved(l.waiter.now)
		if l.options.Late == Skip && int64(late) > l.grid.period() { // points went by meanwhile
			passed := l.grid.after(t.woke) - 1
			t.missed += passed - next
			next = passed
		}
	}
	l.turn, l.pending = next, t
	return nil
}

// late applies the policy to a call at now, after its deadline. It returns the grid point to wait for, which may have
// passed, and how many are given up.
func (l *Limiter) late(now clock.Instant) (next, missed uint64) {
	due := l.turn + 1
	switch l.options.Late {
	case Slip:
		l.grid.start, l.turn = now, 0
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
	tardy       = time.Millisecond // lateness that is looked into
)

// SetRate changes the rate, from the next Wait on: its deadline is one new period after the latest one. The error says
// which rates are possible; then the old one stays. Safe for concurrent use.
func (l *Limiter) SetRate(rate float64) error {
	if rate == 0 {
		rate = -1 // no default here
	}
	if err := (Options{Rate: rate}).Validate(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rate = rate
	return nil
}

// Stats returns what has been measured so far, but for the latest Wait, which counts from the next one or Close on: to
// count it at once would make it later. Safe for concurrent use.
func (l *Limiter) Stats() Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stats()
}

// Close gives back what the limiter holds of the system: a descriptor, the thread, the timer period. It must be called
// on the goroutine that waits. Later calls of Wait fail; Stats stays.
func (l *Limiter) Close() error {
	if l.watch != nil {
		l.watch.stop()
		l.watch = nil
	}
	if l.waiter.sleeper != nil {
		l.settle()
		l.waiter.close()
		l.waiter.sleeper = nil
	}
	l.err = errClosed
	return nil
}

// open opens the backend, on the goroutine that waits.
func (l *Limiter) open() backend {
	if l.options.Mode == Yield {
		return yielding()
	}
	return locked(l.options.Mode == Realtime)
}

func (l *Limiter) begin(b backend, now func() clock.Instant) {
	l.waiter = waiter{backend: b, now: now, margins: new(margins)}
	l.tune(l.options.Rate, 0)
	l.mu.Lock()
	l.backend, l.reason = b.name, b.reason
	l.mu.Unlock()
}

// settle does what would have made the latest Wait later: it enters it into the statistics. It puts a new rate in force,
// from the latest deadline on.
func (l *Limiter) settle() {
	l.mu.Lock()
	l.record()
	rate := l.rate
	l.rate = 0
	if rate != 0 {
		l.rateInForce = rate
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
