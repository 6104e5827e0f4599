// SPDX-License-Identifier: BSD-3-Clause

// Package pace waits precisely: a frame limiter on an exact grid, and sleeps that wake on time.
package pace

import (
	"context"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// Options configure a Limiter.
type Options struct {
	Rate float64
}

// Validate reports whether the options can be met.
func (o Options) Validate() error { return nil }

// Stats says how well a Limiter kept its grid.
type Stats struct {
	Waits       uint64
	Missed      uint64
	LatenessP50 time.Duration
	LatenessP99 time.Duration
	LatenessMax time.Duration
	SpinShare   float64
}

// A Limiter lets a loop turn at a fixed rate.
type Limiter struct {
	next   clock.Instant
	period time.Duration
	stats  Stats
}

// NewLimiter returns a limiter.
func NewLimiter(o Options) *Limiter {
	return &Limiter{next: clock.Now(), period: time.Duration(1e9 / o.Rate)}
}

// Wait blocks until the next grid point.
func (l *Limiter) Wait(ctx context.Context) error {
	l.next = l.next.Add(l.period)
	time.Sleep(l.next.Sub(clock.Now()))
	l.stats.Waits++
	return ctx.Err()
}

// Close releases what the limiter holds.
func (l *Limiter) Close() error { return nil }

// Stats returns what was measured so far.
func (l *Limiter) Stats() Stats { return l.stats }
