// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"testing"
	"time"
)

// The deadline of a context is a goroutine that a timer starts, and that closes a channel.
func TestAWaitThatATimersGoroutineEndsIsForTheTimer(t *testing.T) {
	at := func(ms float64) Time { return Time(ms * msec) }
	for _, c := range []struct {
		name          string
		waker, reason string
		made          bool // by a timer
		sleep         time.Duration
	}{
		{"deadline", "2: ready 50, run 50.1, gone 58", "chan_receive", true, 50 * ms},
		{"a lock that it gives back", "2: ready 50, run 50.1, gone 58", "sync", true, 0},
		{"a goroutine that was there before", "2: ready 0, run 50.1, gone 58", "chan_receive", true, 0},
		{"a goroutine of a goroutine", "2: ready 50 by 3, run 50.1, gone 58", "chan_receive", true, 0},
		{"a goroutine of which only this is known", "2: ready 50, run 50.1, gone 58", "chan_receive", false, 0},
	} {
		s := newScene(t, "1: run 0, wait 0 "+c.reason+" 4, ready 57 by 2, run 57", c.waker).exact()
		if c.made {
			s.Trace.Goroutines[1].Steps[0].Reason = "created"
		}
		a := s.of(1, 0, 60)
		if got := a.Sum(Sleep); got != c.sleep {
			t.Errorf("%s: sleeps for %v, want %v: %+v", c.name, got, c.sleep, a.Parts)
		}
		if rest := a.Sum(Channel) + a.Sum(Lock); rest != 57*ms-c.sleep {
			t.Errorf("%s: waits for %v, want %v", c.name, rest, 57*ms-c.sleep)
		}
		for _, p := range a.Parts {
			if p.Cause == Sleep && (p.By.Goroutine != 0 || p.Where != "pool.go:7 (main.wait)" || p.Spans[0] != (Interval{0, at(50)})) {
				t.Errorf("%s: %+v", c.name, p)
			}
		}
	}
}
