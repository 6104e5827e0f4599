// SPDX-License-Identifier: BSD-3-Clause

package soak

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/pace"
)

// clockError is how far clock.Now may be from the clock of package time, by which waits are judged.
const clockError = 100 * time.Nanosecond

const sleepers = 20 // of which the last wait for a shared timer

// wait starts goroutines that wait with package pace, each in its own way, until the crowd ends.
func (c *crowd) wait(all *checks) {
	for n := range sleepers {
		c.alive.Go(func() {
			r := rand.New(rand.NewPCG(uint64(n), 1))
			for c.goes() {
				d := time.Duration(r.Int64N(int64(40 * time.Millisecond)))
				if n == 0 {
					d /= 100
				}
				began := time.Now()
				pace.Sleep(d)
				took := time.Since(began)
				all.that(took >= d, "waits", "a sleep of %v ended after %v", d, took)
			}
		})
	}
	c.alive.Go(func() { c.limited(all, 60, c.turn) })
	c.alive.Go(func() { c.limited(all, 144, func() {}) })
}

// goes reports whether the program goes on.
func (c *crowd) goes() bool {
	select {
	case <-c.stop:
		return false
	default:
		return true
	}
}

// limited does something at a rate. The schedule begins somewhere in the first wait: a deadline that the clock of package time
// has passed since the end of that wait must not be that of the next, which may return by the one since its beginning.
func (c *crowd) limited(all *checks, rate float64, do func()) {
	ctx := context.Background()
	limiter := pace.NewLimiter(pace.Options{Rate: rate})
	defer limiter.Close()
	period := float64(time.Second) / rate
	began := time.Now()
	if err := limiter.Wait(ctx); err != nil {
		all.that(false, "waits", "a limiter at %v Hz: %v", rate, err)
		return
	}
	first := time.Now()
	for c.goes() {
		do()
		called := time.Since(first) - clockError
		err := limiter.Wait(ctx)
		ended := time.Since(began) + clockError
		due := time.Duration(float64(int64(float64(max(0, called))/period)+1) * period)
		all.that(err == nil && ended >= due, "waits", "a wait at %v Hz ended %v after the start, not after %v: %v", rate, ended, due, err)
	}
}

// turn is a turn of the program's loop.
func (c *crowd) turn() {
	if !c.bare {
		strobe.Frame("loop")
	}
	n := c.turns.Add(1)
	defer c.exit(turn, c.enter(turn))
	for range 5 {
		s := c.enter(part)
		kept.Store(work(n, 2000))
		c.exit(part, s)
	}
	if !c.bare {
		strobe.Plot("turns", float64(n))
		c.plotted.Add(1)
		if n%600 == 0 {
			strobe.Message("ten seconds")
		}
	}
	if n%300 == 0 {
		c.sleep(40 * time.Millisecond)
	}
}
