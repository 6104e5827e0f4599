// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// counts are the calls of winmm: pairs, of which one at most is open.
type counts struct{ begun, ended atomic.Int32 }

// coarse makes sleeps use ordinary timers, as on a system without better ones, and counts the calls of winmm until t ends.
func coarse(t *testing.T) *counts {
	t.Helper()
	c := new(counts)
	begin, end := winmmBegin, winmmEnd
	winmmBegin = func(period uint32) error {
		if c.begun.Add(1) != c.ended.Load()+1 || period != 1 {
			t.Error("the period is begun twice")
		}
		return begin(period)
	}
	winmmEnd = func(period uint32) error {
		if c.ended.Add(1) != c.begun.Load() || period != 1 {
			t.Error("the period is ended twice")
		}
		return end(period)
	}
	open := func() (alarm, string, string) { return openCoarse("tested") }
	shared.mu.Lock()
	was, idle := shared.open, shared.idle
	shared.open, shared.idle = open, nil
	shared.mu.Unlock()
	t.Cleanup(func() {
		c.ends(t)
		shared.mu.Lock()
		used := shared.idle
		shared.open, shared.idle = was, idle
		shared.mu.Unlock()
		for _, a := range used {
			a.close()
		}
		winmmBegin, winmmEnd = begin, end
	})
	return c
}

// ends waits until nobody sleeps: the scheduler may, for a moment.
func (c *counts) ends(t *testing.T) {
	t.Helper()
	for range 10_000 {
		if c.begun.Load() == c.ended.Load() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("the timer period was begun %d times and ended %d times", c.begun.Load(), c.ended.Load())
}

func TestTheTimerPeriodIsGivenBackAfterEachSleep(t *testing.T) {
	c := coarse(t)
	var all sync.WaitGroup
	for range 3 * crowd {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 5 {
				Sleep(5 * time.Millisecond)
			}
		}()
	}
	all.Wait()
	c.ends(t)
	if c.begun.Load() == 0 {
		t.Error("the timer period was not begun")
	}
}

func TestTheTimerPeriodIsGivenBackWhereTheProgramPanics(t *testing.T) {
	c := coarse(t)
	for range 3 {
		func() {
			defer func() { recover() }()
			l := NewLimiter(Options{Rate: 100})
			for range 3 {
				if err := l.Wait(context.Background()); err != nil {
					t.Error(err)
				}
			}
			panic("of the program") // the limiter is not closed
		}()
		if c.ends(t); c.begun.Load() == 0 {
			t.Error("the timer period was not begun")
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(10*time.Millisecond, cancel)
	l := NewLimiter(Options{Rate: 1})
	l.Wait(ctx)
	if err := l.Wait(ctx); err == nil {
		t.Error("a wait that was cancelled has no error")
	}
}
