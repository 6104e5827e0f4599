// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"time"
)

// slept is the sleep that every system has: Go's timers.
func slept() backend {
	return backend{sleeper: &timer{wake: make(chan struct{}, 1)}, name: "time.Timer", coarse: rough[0], fine: rough[1]}
}

type timer struct {
	t    *time.Timer
	wake chan struct{}
}

func (s *timer) sleep(d time.Duration) {
	if d <= 0 {
		return
	}
	if s.t == nil {
		s.t = time.NewTimer(d)
	} else {
		s.t.Reset(d)
	}
	select {
	case <-s.t.C:
	case <-s.wake:
		s.wake <- struct{}{} // until rearm
		s.t.Stop()
	}
}

func (s *timer) interrupt() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *timer) rearm() {
	select {
	case <-s.wake:
	default:
	}
}

func (s *timer) close() {}
