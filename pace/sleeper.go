// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// An alarm is a timer of the operating system. arm may be called by any goroutine, wait by one.
type alarm interface {
	arm(d time.Duration) // to ring once, d from now; replaces what was armed before
	wait()               // until it rings, or earlier
	close()
}

// A fallback alarm takes a thread for itself, so all sleepers of a scheduler share one.
type fallback interface{ fallback() }

// A sleeper puts one goroutine to sleep.
type sleeper interface {
	sleep(ctx context.Context, at clock.Instant) // until about at, or until ctx ends; may end early
	crowded() bool                               // the sleep shares its wake-ups with many others
	about() (name, reason string)
	close()
}

// A queuedSleeper is woken by a scheduler.
type queuedSleeper struct {
	scheduler *scheduler
	b         *pending

	done   <-chan struct{} // of the context of the latest sleep
	sleeps int             // with that context
	stop   func() bool     // ends the watching; nil: it is not watched

	mu    sync.Mutex
	alarm alarm // that the current sleep waits for
}

// watchAfter is the number of sleeps with the same context after which it is watched, which allocates. A context that is new
// for every wait is never watched.
const watchAfter = 8

func (s *queuedSleeper) sleep(ctx context.Context, at clock.Instant) {
	d := s.scheduler
	n := d.sleepers.Add(1)
	switch watched := s.watch(ctx); {
	case !watched:
		d.sleepSelecting(s.done, s.b, at)
	case n > crowd || !s.sleepAlone(at):
		d.sleep(s.done, s.b, at)
	}
	d.sleepers.Add(-1)
}

// watch reports whether cancel will be called when ctx ends, or ctx never ends.
func (s *queuedSleeper) watch(ctx context.Context) bool {
	if done := ctx.Done(); done != s.done {
		s.close()
		s.done, s.sleeps = done, 0
	}
	if s.sleeps++; s.sleeps == watchAfter && s.done != nil {
		s.stop = context.AfterFunc(ctx, s.cancel)
	}
	return s.done == nil || s.stop != nil
}

// cancel ends the current sleep.
func (s *queuedSleeper) cancel() {
	s.mu.Lock()
	if s.alarm != nil {
		s.alarm.arm(1)
	}
	s.mu.Unlock()
	s.scheduler.cancel(s.b)
}

// sleepAlone sleeps by an alarm that is not shared, if there is one.
func (s *queuedSleeper) sleepAlone(at clock.Instant) bool {
	a := s.scheduler.borrow()
	if a == nil {
		return false
	}
	if d := at.Sub(s.scheduler.now()); d > 0 {
		a.arm(d)
		s.lend(a)
		if !ended(s.done) { // checked after the alarm is set: a later cancel makes it ring
			a.wait()
		}
		s.lend(nil)
	}
	s.scheduler.giveBack(a)
	return true
}

func (s *queuedSleeper) lend(a alarm) {
	s.mu.Lock()
	s.alarm = a
	s.mu.Unlock()
}

func (s *queuedSleeper) crowded() bool { return s.scheduler.crowded() }

func (s *queuedSleeper) close() {
	if s.stop != nil {
		s.stop()
		s.stop = nil
	}
}

func (s *queuedSleeper) about() (name, reason string) {
	s.scheduler.mu.Lock()
	defer s.scheduler.mu.Unlock()
	return s.scheduler.name, s.scheduler.reason
}

// A threadSleeper is a thread with an alarm, which one goroutine keeps. It does not need a free processor of the
// runtime.
type threadSleeper struct {
	alarm
	name, reason string
	restore      func() // restores the settings of the thread
}

// contextPoll is how often a locked sleep checks whether its context has ended.
const contextPoll = 20 * time.Millisecond

func lock(realtime bool) sleeper {
	runtime.LockOSThread()
	c := new(threadSleeper)
	c.alarm, c.name, c.reason, c.restore = openThread(realtime)
	return c
}

func (c *threadSleeper) sleep(_ context.Context, at clock.Instant) {
	if d := at.Sub(clock.Now()); d > 0 {
		c.arm(min(d, contextPoll))
		c.wait()
	}
}

func (c *threadSleeper) crowded() bool                { return false }
func (c *threadSleeper) about() (name, reason string) { return c.name, c.reason }

// close must run on the goroutine that is locked to the thread.
func (c *threadSleeper) close() {
	c.restore()
	c.alarm.close()
	runtime.UnlockOSThread()
}

// A bubbleSleeper sleeps in a testing/synctest bubble, by the bubble's time.
type bubbleSleeper struct{ begun time.Time }

func (d bubbleSleeper) now() clock.Instant { return clock.Instant(time.Since(d.begun)) }

func (d bubbleSleeper) sleep(ctx context.Context, at clock.Instant) {
	t := time.NewTimer(at.Sub(d.now()))
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

func (bubbleSleeper) crowded() bool { return false }
func (bubbleSleeper) about() (name, reason string) {
	return "time.Timer", "in a testing/synctest bubble"
}
func (bubbleSleeper) close() {}

// inBubble reports whether package time is faked: in bubbles it is the year 2000.
func inBubble() bool {
	now := time.Now()
	return now.Year() == 2000 && clock.Now().Time().Year() != 2000
}
