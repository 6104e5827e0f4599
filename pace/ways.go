// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"context"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// A Way is a way to wait, for Probe. Ways lists them.
type Way struct {
	Name   string        // as Ways calls it
	Period time.Duration // from one deadline to the next, 10 µs to 10 s; 0 means 1/60 s
	N      int           // waits to measure; 0 means 100

	start func(period time.Duration) run
}

// A run waits in one way.
type run struct {
	wait func(context.Context) error
	due  func(now clock.Instant) clock.Instant // the deadline of the wait that has just ended
	stop func() (reason string)
}

// Ways lists the ways to wait on this machine: Go's own and those of this package.
func Ways() []Way {
	return []Way{
		{Name: "time.Sleep", start: sleeping(time.Sleep)},
		{Name: "time.Ticker", start: ticking},
		{Name: "pace.Sleep", start: sleeping(Sleep)},
		{Name: "pace.Limiter", start: limiting(Options{})},
		{Name: "pace.Limiter, no spin", start: limiting(Options{Budget: -1})},
		{Name: "pace.Limiter, lock", start: limiting(Options{Mode: Lock})},
		{Name: "pace.Limiter, realtime", start: limiting(Options{Mode: Realtime})},
	}
}

func sleeping(sleep func(time.Duration)) func(time.Duration) run {
	return func(period time.Duration) run {
		var until clock.Instant
		return run{
			wait: func(ctx context.Context) error {
				until = clock.Now().Add(period)
				sleep(period)
				return ctx.Err()
			},
			due:  func(clock.Instant) clock.Instant { return until },
			stop: func() string { return "" },
		}
	}
}

func ticking(period time.Duration) run {
	g := newGrid(1e9/float64(period), clock.Now()) // before the ticker starts, so that no tick is early
	t := time.NewTicker(period)
	next := uint64(1)
	return run{
		wait: func(ctx context.Context) error {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-t.C:
				return nil
			}
		},
		due: func(now clock.Instant) clock.Instant {
			upcoming := g.after(now)
			n := min(next, upcoming-1) // one taken for dropped may have been in the channel
			next = max(n+1, upcoming)  // ticks that went by meanwhile were dropped
			return g.at(n)
		},
		stop: func() string { t.Stop(); return "" },
	}
}

func limiting(o Options) func(time.Duration) run {
	return func(period time.Duration) run {
		o.Rate = min(max(1e9/float64(period), MinRate), MaxRate)
		l := NewLimiter(o)
		return run{
			wait: l.Wait,
			due:  func(clock.Instant) clock.Instant { return l.pending.at },
			stop: func() string {
				l.Close()
				return l.Stats().Reason
			},
		}
	}
}
