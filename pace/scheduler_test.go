// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// counted is a real alarm that counts its uses.
type counted struct {
	alarm
	rings, open *atomic.Int64
}

func (c counted) wait()  { c.alarm.wait(); c.rings.Add(1) }
func (c counted) close() { c.open.Add(-1); c.alarm.close() }

// worse is a counted alarm of the kind that only the scheduler may use.
type worse struct{ counted }

func (worse) fallback() {}

func countedScheduler(fallback bool) (d *scheduler, rings, open *atomic.Int64) {
	rings, open = new(atomic.Int64), new(atomic.Int64)
	return &scheduler{now: clock.Now, open: func() (alarm, string, string) {
		a, name, reason := openAlarm()
		open.Add(1)
		if c := (counted{a, rings, open}); fallback {
			return worse{c}, name, "fallback"
		} else {
			return c, name, reason
		}
	}}, rings, open
}

func at(d *scheduler) *queuedSleeper { return &queuedSleeper{scheduler: d, b: newPending()} }

// eventually waits until another goroutine has made a condition true.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s never came about", what)
		}
	}
}

// asleep reports whether s can be cancelled.
func (s *queuedSleeper) asleep() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.alarm != nil || s.b.number.Load() != 0
}

// sleepLong lets n goroutines sleep for an hour and returns when all do. wake ends the sleeps.
func sleepLong(t *testing.T, d *scheduler, n int) (wake func()) {
	t.Helper()
	var wg sync.WaitGroup
	sleepers := make([]*queuedSleeper, n)
	for i := range sleepers {
		s := at(d)
		sleepers[i] = s
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.sleep(context.Background(), clock.Now().Add(time.Hour))
		}()
	}
	for _, s := range sleepers {
		eventually(t, "all asleep", s.asleep)
	}
	return func() {
		for _, s := range sleepers {
			s.cancel()
		}
		wg.Wait()
	}
}

func TestFewSleepersHaveAlarmsOfTheirOwn(t *testing.T) {
	d, _, open := countedScheduler(false)
	wake := sleepLong(t, d, crowd)
	if n := open.Load(); n != crowd {
		t.Errorf("%d alarms for %d sleepers", n, crowd)
	}
	if d.crowded() {
		t.Error("16 are taken for a crowd")
	}
	wake()
	if n := open.Load(); n != spares {
		t.Errorf("%d alarms stay open, want %d", n, spares)
	}
	if d.shared != nil {
		t.Error("the shared alarm was opened for a few")
	}
	at(d).sleep(context.Background(), clock.Now().Add(time.Millisecond))
	if n := open.Load(); n != spares {
		t.Errorf("one more sleep, and %d are open", n)
	}
}

// silent is an alarm that rings at once and remembers what it was set to.
type silent struct{ set []time.Duration }

func (a *silent) arm(d time.Duration) { a.set = append(a.set, d) }
func (a *silent) wait()               {}
func (a *silent) close()              {}

// Another sleeper may use it by then.
func TestAnAlarmThatWasGivenBackIsLeftAlone(t *testing.T) {
	a := new(silent)
	s := at(&scheduler{now: func() clock.Instant { return 1000 }, open: func() (alarm, string, string) { return a, "silent", "a test" }})
	s.sleep(context.Background(), 1500)
	s.cancel()
	if len(a.set) != 1 || a.set[0] != 500 {
		t.Errorf("set to %v, want only 500ns", a.set)
	}
	if name, reason := s.about(); name != "silent" || reason != "a test" {
		t.Errorf("it is called %q, because of %q", name, reason)
	}
}

func TestManySleepersShareWakeUpsAndAlarms(t *testing.T) {
	d, rings, open := countedScheduler(false)
	const many, rounds = 300, 10
	var most atomic.Int64
	var wg sync.WaitGroup
	begin := time.Now()
	for i := range many {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s := at(d)
			next := clock.Now().Add(20*time.Millisecond + time.Duration(i)*50*time.Microsecond)
			for range rounds {
				s.sleep(context.Background(), next)
				if now := clock.Now(); now < next {
					t.Errorf("woke %v early", next.Sub(now))
				}
				if n := open.Load(); n > most.Load() {
					most.Store(n)
				}
				next = next.Add(20 * time.Millisecond)
			}
		}()
	}
	wg.Wait()
	if n := most.Load(); n > crowd+2 { // a shared alarm may be closed after the next one was opened
		t.Errorf("%d alarms were open at once", n)
	}
	// Each of the first and last few may have rung separately.
	if n, most := rings.Load(), int64(time.Since(begin)/(800*time.Microsecond))+4*16*rounds; n > most {
		t.Errorf("%d wake-ups for %d sleeps in %v, want at most %d", n, many*rounds, time.Since(begin), most)
	}
	eventually(t, "the end of the shared alarm", func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.shared == nil && open.Load() <= spares
	})
}

func TestNoGoroutineIsLeftWhenNobodySleeps(t *testing.T) {
	d, _, open := countedScheduler(true)
	at(d).sleep(context.Background(), clock.Now().Add(time.Millisecond))
	eventually(t, "the end of the goroutine", func() bool {
		buf := make([]byte, 1<<20)
		return !strings.Contains(string(buf[:runtime.Stack(buf, true)]), fmt.Sprintf("(*scheduler).serve(%p", d)) && open.Load() == 0
	})
	at(d).sleep(context.Background(), clock.Now().Add(time.Millisecond)) // and the scheduler starts again
}

func TestLesserAlarmIsOnlyShared(t *testing.T) {
	d, _, open := countedScheduler(true)
	wake := sleepLong(t, d, crowd/2)
	if n := open.Load(); n != 1 {
		t.Errorf("%d alarms for all", n)
	}
	next := clock.Now().Add(10 * time.Millisecond)
	if at(d).sleep(context.Background(), next); clock.Now() < next {
		t.Error("woke early")
	}
	wake()
	if name, reason := at(d).about(); name == "" || reason != "fallback" {
		t.Errorf("%q, %q", name, reason)
	}
}

func TestSleepersAreWokenInTheOrderOfTheirInstants(t *testing.T) {
	d, _, _ := countedScheduler(true)
	wake := sleepLong(t, d, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		at(d).sleep(context.Background(), clock.Now().Add(20*time.Millisecond))
	}()
	eventually(t, "the end of a sleep shorter than the one under way", func() bool { return ended(done) })
	wake()
}

// fickle is a context whose dynamic type cannot be compared.
type fickle struct {
	context.Context
	_ []int
}

func TestCancelEndsSleepsOfEveryKind(t *testing.T) {
	for _, fallback := range []bool{false, true} {
		for _, before := range []int{0, watchAfter + 1} { // sleeps: unwatched, watched
			d, _, _ := countedScheduler(fallback)
			ctx, cancel := context.WithCancel(context.Background())
			s := at(d)
			for range before {
				s.sleep(fickle{Context: ctx}, clock.Now().Add(time.Millisecond))
			}
			if watched := s.stop != nil; watched != (before > 0) {
				t.Errorf("watched: %v after %d sleeps", watched, before)
			}
			done := make(chan struct{})
			go func() {
				defer close(done)
				s.sleep(fickle{Context: ctx}, clock.Now().Add(time.Hour))
				s.sleep(fickle{Context: ctx}, clock.Now().Add(time.Hour)) // at once
			}()
			kind := fmt.Sprintf("fallback %v, watched %v", fallback, before > 0)
			eventually(t, kind+": asleep", s.asleep)
			cancel()
			eventually(t, kind+": the end of the sleeps", func() bool { return ended(done) })
			s.sleep(context.Background(), clock.Now().Add(time.Millisecond)) // it works again
			s.close()
			if n := d.sleepers.Load(); n != 0 {
				t.Errorf("%d sleepers are left", n)
			}
		}
	}
}

// Sleeps and cancellations coincide at random, on all paths; no sleeper may be left asleep.
func TestCancelNeverLosesASleeper(t *testing.T) {
	d, _, _ := countedScheduler(false)
	var wg sync.WaitGroup
	for g := range 2 * crowd {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s := at(d)
			defer s.close()
			for i := range 200 {
				ctx, cancel := context.WithCancel(context.Background())
				if (i+g)%2 == 0 {
					s.sleeps, s.done = watchAfter-1, ctx.Done()
				}
				go cancel()
				s.sleep(ctx, clock.Now().Add(time.Hour))
			}
		}()
	}
	wg.Wait()
}
