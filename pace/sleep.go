// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"sync"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// Sleep waits for d: never less, and on an idle machine hardly more. It returns at once if d is 0 or less. It spins for
// up to 300 µs at the end (1.2 ms where the system's sleep is rough). Safe for concurrent use, without allocation once
// warm.
func Sleep(d time.Duration) {
	if d > 0 {
		SleepUntil(clock.Now().Add(d))
	}
}

// SleepUntil waits for the instant t. It returns at once if t has passed.
func SleepUntil(t clock.Instant) {
	if t <= clock.Now() {
		return
	}
	w := idle.Get().(*waiter)
	now := w.approach(t, never)
	idle.Put(w) // before the spin: what comes after it makes the sleep late
	for t.Sub(now) > bare {
		pause()
		now = clock.Now()
	}
	for now < t {
		now = clock.Now()
	}
}

func never() bool { return false }

// What one sleep learns serves all.
var learned margins

var idle = sync.Pool{New: func() any {
	b := yielding()
	return &waiter{backend: b, now: clock.Now, margins: &learned, spin: b.fine.hi}
}}
