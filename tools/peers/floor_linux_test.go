// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"os"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/strobe-go/strobe/clock"
)

const hasFloor = true

// bareSleeper returns the lower limit for pace: a thread that only sleeps in the kernel, twice for each wait, and spins. Its
// margin follows the rule of pace. It has no scheduler, no poller and no statistics, and cannot be cancelled.
func bareSleeper(spin bool) startSleeper {
	return func(period time.Duration) (wait func() time.Duration, stop func()) {
		runtime.LockOSThread()
		var urgent, before unix.Sigset_t // signals with which the runtime would interrupt the sleep
		urgent.Val[0] = 1 << (unix.SIGURG - 1)
		must(unix.PthreadSigmask(unix.SIG_BLOCK, &urgent, &before))
		must(unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0))
		stop = func() {
			must(unix.Prctl(unix.PR_SET_TIMERSLACK, 0, 0, 0, 0))
			must(unix.PthreadSigmask(unix.SIG_SETMASK, &before, nil))
			runtime.UnlockOSThread()
		}
		at := deadlines{clock.Now(), period}
		if !spin {
			return func() time.Duration {
				nanosleep(at.next().Sub(clock.Now()))
				return at.late(clock.Now())
			}, stop
		}
		margin := 60e3
		return func() time.Duration {
			margin = bareSleep(at.next(), margin)
			return at.late(clock.Now())
		}, stop
	}
}

// bareSleep sleeps and spins until t, and returns the next margin in ns.
//
//go:noinline
func bareSleep(t clock.Instant, margin float64) float64 {
	const first = 150_000 // ns; margin of the first of two sleeps
	wake := t - clock.Instant(margin)
	if now := clock.Now(); wake-now > first {
		nanosleep(wake.Sub(now) - first)
	}
	now := clock.Now()
	if now < wake {
		nanosleep(wake.Sub(now))
		now = clock.Now()
		if step := 0.1*margin + 500; float64(now-wake) > margin {
			margin += 0.998 * step
		} else {
			margin -= 0.002 * step
		}
		margin = max(2e3, min(margin, 300e3))
	}
	for now < t {
		now = clock.Now()
	}
	return margin
}

func nanosleep(d time.Duration) {
	ts := unix.NsecToTimespec(int64(max(d, 0)))
	unix.RawSyscall6(unix.SYS_CLOCK_NANOSLEEP, unix.CLOCK_MONOTONIC, 0, uintptr(unsafe.Pointer(&ts)), 0, 0, 0)
}

// bareWakeUps returns sleepers that one goroutine wakes through channels, in batches and in turn. They show the cost of the
// wake-ups alone, without deadlines, a queue or statistics, and say nothing about lateness.
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
			if _, err := timer.Read(ticks[:]); err != nil { // the timer is closed
				return
			}
			mu.Lock()
			now := all
			mu.Unlock()
			for due := int(clock.Since(begun) * time.Duration(len(now)) / period); sent < due; sent++ {
				select {
				case now[sent%len(now)] <- struct{}{}:
				default: // the sleeper has not yet woken from the previous tick
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

// benchmarkSyscall reads the clock with a system call, without the vDSO that time.Now uses.
func benchmarkSyscall(b *testing.B) {
	var ts unix.Timespec
	for b.Loop() {
		_, _, errno := syscall.RawSyscall(unix.SYS_CLOCK_GETTIME, unix.CLOCK_MONOTONIC, uintptr(unsafe.Pointer(&ts)), 0)
		if errno != 0 {
			b.Fatal(errno)
		}
	}
}
