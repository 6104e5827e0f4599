// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// Sleep waits for at least d, and on an idle machine hardly longer. It returns at once if d is 0 or less. At the end it
// spins for up to 300 µs, or 1.2 ms where the system's sleep is imprecise. It is safe for concurrent use, and does not
// allocate after the first calls. When more than 16 goroutines sleep or wait at the same time they share wake-ups, and a
// sleep may end about a millisecond late.
//
// A sleep cannot be ended early; Limiter.Wait can, by its context.
//
// In a testing/synctest bubble it sleeps by the bubble's time, as time.Sleep does.
func Sleep(d time.Duration) {
	now := clock.Now()
	sleep(now, after(now, d))
}

// after returns now + d, or the last instant there is.
func after(now clock.Instant, d time.Duration) clock.Instant {
	return now.Add(min(d, math.MaxInt64-time.Duration(now)))
}

// SleepUntil waits until the instant t. It returns at once if t has passed.
func SleepUntil(t clock.Instant) { sleep(clock.Now(), t) }

// sleep waits from now until t.
//
//go:noinline
func sleep(now, t clock.Instant) {
	if t <= now {
		return
	}
	if inBubble() {
		time.Sleep(t.Sub(now)) // a few ns have passed since now
		return
	}
	w := sleepers.Get().(*waiter)
	now = w.approach(context.Background(), t)
	sleepers.Put(w) // before the spin: anything after it makes the sleep late
	for now < t {
		if t-now > bare {
			pause()
		}
		warm()
		now = clock.Now()
	}
}

// shared is the scheduler of all sleeps but those of locked limiters.
var shared = scheduler{now: clock.Now, open: openAlarm}

// learned holds the margins of all sleeps together.
var learned margins

var sleepers = sync.Pool{New: func() any {
	return &waiter{sleeper: &queuedSleeper{scheduler: &shared, b: newPending()}, learners: system, now: clock.Now, margins: &learned, spin: system.fine.hi}
}}
