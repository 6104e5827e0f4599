// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// A Way is a way to wait, as Ways lists them.
type Way struct {
	Name string // as Ways calls it

	// open prepares for waits of period and returns a function that waits once and says how late that ended.
	open func(period time.Duration) (once func(context.Context) (time.Duration, error), done func() (reason string))
}

// Lateness is what Probe found out about a Way.
type Lateness struct {
	Name   string
	Period time.Duration
	N      int // waits measured

	P50, P99, Max time.Duration // how long after its deadline a wait ended

	CPU      float64 // processor time of the whole process while it waited, as a share of the time that passed
	CPUKnown bool
	Reason   string // why the way is not as good as it could be; empty if it is
}

// Ways lists the ways to wait on this machine: Go's own and ours.
func Ways() []Way {
	return []Way{
		{Name: "time.Sleep", open: sleeping(time.Sleep)},
		{Name: "time.Ticker", open: ticking},
		{Name: "pace.Sleep", open: sleeping(Sleep)},
		{Name: "pace.Limiter", open: limiting(Options{})},
		{Name: "pace.Limiter, no spin", open: limiting(Options{Budget: -1})},
		{Name: "pace.Limiter, lock", open: limiting(Options{Mode: Lock})},
		{Name: "pace.Limiter, realtime", open: limiting(Options{Mode: Realtime})},
	}
}

// Probe waits n times for period and measures how late the waits end and what processor time they cost. A few waits
// before are not counted: in them a Way learns. It fails if ctx ends first. Two probes at once disturb each other.
func Probe(ctx context.Context, w Way, period time.Duration, n int) (Lateness, error) {
	l := Lateness{Name: w.Name, Period: period, N: n}
	if w.open == nil || n < 1 || period < time.Duration(1e9/MaxRate) || period > time.Duration(1e9/MinRate) {
		return l, fmt.Errorf("pace: cannot probe %q with %d waits of %v: want one of Ways, 1 wait or more, 10µs to 10s", w.Name, n, period)
	}
	once, done := w.open(period)
	late := make([]time.Duration, 0, n)
	var used time.Duration
	var begin clock.Instant
	var err error
	for i := -warmup(n); i < n && err == nil; i++ {
		if i == 0 {
			used, l.CPUKnown = processTime()
			begin = clock.Now()
		}
		var d time.Duration
		if d, err = once(ctx); i >= 0 && err == nil {
			late = append(late, d)
		}
	}
	l.Reason = done()
	if err != nil {
		return l, err
	}
	if now, ok := processTime(); ok && l.CPUKnown {
		l.CPU = float64(now-used) / float64(clock.Since(begin))
	}
	slices.Sort(late)
	l.P50, l.P99, l.Max = late[n/2], late[n-1-n/100], late[n-1]
	return l, nil
}

func warmup(n int) int { return min(n/8+2, 100) }

func sleeping(sleep func(time.Duration)) func(time.Duration) (func(context.Context) (time.Duration, error), func() string) {
	return func(period time.Duration) (func(context.Context) (time.Duration, error), func() string) {
		return func(ctx context.Context) (time.Duration, error) {
			begin := clock.Now()
			sleep(period)
			return clock.Since(begin) - period, ctx.Err()
		}, func() string { return "" }
	}
}

func ticking(period time.Duration) (func(context.Context) (time.Duration, error), func() string) {
	t := time.NewTicker(period)
	g := newGrid(1e9/float64(period), clock.Now())
	due := uint64(1)
	return func(ctx context.Context) (time.Duration, error) {
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-t.C:
		}
		now := clock.Now()
		late := now.Sub(g.at(due))
		due = max(due+1, g.after(now)) // ticks that went by meanwhile were dropped
		return late, nil
	}, func() string { t.Stop(); return "" }
}

func limiting(o Options) func(time.Duration) (func(context.Context) (time.Duration, error), func() string) {
	return func(period time.Duration) (func(context.Context) (time.Duration, error), func() string) {
		o.Rate = min(max(1e9/float64(period), MinRate), MaxRate)
		l := NewLimiter(o)
		return func(ctx context.Context) (time.Duration, error) {
				if err := l.Wait(ctx); err != nil {
					return 0, err
				}
				return l.pending.woke.Sub(l.grid.at(l.turn)), nil
			}, func() string {
				l.Close()
				return l.Stats().Reason
			}
	}
}
