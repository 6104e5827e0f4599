// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/strobe-go/strobe/clock"
)

// bareWakeUps returns sleepers that one goroutine wakes through channels, in batches, each in its turn: what the kernel and Go take
// for the wake-ups alone, without deadlines, a queue or statistics. They say nothing about lateness.
func bareWakeUps() startSleeper {
	const batch = 800 * time.Microsecond
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	must(err)
	every := unix.NsecToTimespec(int64(batch))
	must(unix.TimerfdSettime(fd, 0, &unix.ItimerSpec{Interval: every, Value: every}, nil))
	timer := os.NewFile(uintptr(fd), "timerfd")

	var mu sync.Mutex
	var all []chan struct{}
	left := 0
	serve := func(period time.Duration) {
		var ticks [8]byte
		sent, begun := 0, clock.Now()
		for {
			if _, err := timer.Read(ticks[:]); err != nil { // closed
				return
			}
			mu.Lock()
			now := all
			mu.Unlock()
			for due := int(clock.Since(begun) * time.Duration(len(now)) / period); sent < due; sent++ {
				select {
				case now[sent%len(now)] <- struct{}{}:
				default: // it has not yet woken from the one before
				}
			}
		}
	}
	return func(period time.Duration) (wait func() time.Duration, stop func()) {
		wake := make(chan struct{}, 1)
		mu.Lock()
		defer mu.Unlock()
		if all = append(all, wake); len(all) == 1 {
			go serve(period)
		}
		left++
		return func() time.Duration { <-wake; return 0 }, func() {
			mu.Lock()
			defer mu.Unlock()
			if left--; left == 0 {
				must(timer.Close())
			}
		}
	}
}
