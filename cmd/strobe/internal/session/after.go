// SPDX-License-Identifier: BSD-3-Clause

package session

import (
	"sync"
	"time"
)

// steps is in how many parts After waits.
const steps = 10

// After calls f once a time has passed, in a goroutine of its own, unless stop is called before. Stop reports whether it was in
// time. The time is waited for in parts, so that a process which was stopped for minutes, as by Ctrl-Z, or got no processor, has
// the other parts left to hear what came meanwhile.
func After(d time.Duration, f func()) (stop func() bool) {
	var mu sync.Mutex
	var timer *time.Timer
	left := steps
	mu.Lock()
	defer mu.Unlock()
	timer = time.AfterFunc(d/steps, func() {
		mu.Lock()
		left--
		if left > 0 {
			timer.Reset(d / steps)
		}
		due := left == 0
		mu.Unlock()
		if due {
			f()
		}
	})
	return func() bool {
		mu.Lock()
		defer mu.Unlock()
		timer.Stop()
		on := left > 0
		left = 0
		return on
	}
}
