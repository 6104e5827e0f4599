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

// counted is a real alarm that counts.
type counted struct {
	alarm
	rings, open *atomic.Int64
}

func (c counted) wait()  { c.alarm.wait(); c.rings.Add(1) }
func (c counted) close() { c.open.Add(-1); c.alarm.close() }

// worse is counted as an alarm of the kind that only the scheduler itself may use.
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

// eventually waits for what another goroutine is about to bring about.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s never came about", what)
		}
	}
}

func TestFewSleepersHaveAlarmsOfTheirOwn(t *testing.T) {
	d, _, open := countedScheduler(false)
	var wg sync.WaitGroup
	for range crowd {
		wg.Add(1)
		go func() {
			defer wg.Done()
			at(d).sleep(context.Background(), clock.Now().Add(300*time.Millisecond))
		}()
	}
	eventually(t, "all asleep", func() bool { return d.sleepers.Load() == crowd })
	eventually(t, "an alarm each", func() bool { return open.Load() == crowd })
	if d.crowded() {
		t.Error("16 are taken for a crowd")
	}
	wg.Wait()
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
	if n := most.Load(); n > crowd+1 {
		t.Errorf("%d alarms were open at once", n)
	}
	// Each of the first and last few may have rung by itself.
	if n, most := rings.Load(), int64(time.Since(begin)/quantum)+4*crowd*rounds; n > most {
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
	at(d).sleep(context.Background(), clock.Now().Add(time.Millisecond)) // and it begins again
}

func TestLesserAlarmIsOnlyShared(t *testing.T) {
	d, _, open := countedScheduler(true)
	var wg sync.WaitGroup
	for range crowd / 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			next := clock.Now().Add(50 * time.Millisecond)
			at(d).sleep(context.Background(), next)
			if clock.Now() < next {
				t.Error("woke early")
			}
		}()
	}
	eventually(t, "all asleep", func() bool { return d.sleepers.Load() == crowd/2 })
	eventually(t, "one alarm for all", func() bool { return open.Load() == 1 })
	wg.Wait()
	if name, reason := at(d).about(); name == "" || reason != "fallback" {
		t.Errorf("%q, %q", name, reason)
	}
}

func TestSleepersAreWokenInTheOrderOfTheirInstants(t *testing.T) {
	d, _, _ := countedScheduler(true)
	late, early := at(d), at(d)
	done := make(chan clock.Instant)
	begin := clock.Now()
	go func() { late.sleep(context.Background(), begin.Add(time.Hour)) }()
	eventually(t, "the first asleep", func() bool { return d.sleepers.Load() == 1 })
	go func() { early.sleep(context.Background(), begin.Add(20*time.Millisecond)); done <- clock.Now() }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Error("a sleep shorter than the one under way was not woken")
	}
	late.cancel()
	eventually(t, "the end of the long sleep", func() bool { return d.sleepers.Load() == 0 })
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
			time.AfterFunc(20*time.Millisecond, cancel)
			begin := time.Now()
			s.sleep(fickle{Context: ctx}, clock.Now().Add(time.Hour))
			s.sleep(fickle{Context: ctx}, clock.Now().Add(time.Hour)) // at once
			if took := time.Since(begin); took < 20*time.Millisecond || took > 20*time.Second {
				t.Errorf("fallback %v, watched %v: ended after %v", fallback, before > 0, took)
			}
			s.sleep(context.Background(), clock.Now().Add(time.Millisecond)) // it works again
			s.close()
			if n := d.sleepers.Load(); n != 0 {
				t.Errorf("%d sleepers are left", n)
			}
		}
	}
}

// Sleeps and cancellations meet at random, on all paths; nobody may be left asleep.
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
