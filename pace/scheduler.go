// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// A scheduler wakes goroutines that sleep without keeping a thread. The first sleepers get their own alarms. The
// others, or all if there are no descriptors, share one: a goroutine waits for it and wakes them. That goroutine ends when
// nobody has slept there for a while.
type scheduler struct {
	now  func() clock.Instant
	open func() (a alarm, name, reason string)

	sleepers atomic.Int64

	mu     sync.Mutex
	idle   []alarm // that sleepers have given back
	name   string  // of the alarms
	reason string

	queue   queue
	shared  alarm         // nil: nobody waits for it
	ringing clock.Instant // when it will ring
	served  clock.Instant // when it rang last
}

const (
	crowd   = 16                     // more sleepers than this share wake-ups
	quantum = 800 * time.Microsecond // between them
	linger  = 50 * time.Millisecond  // for which the goroutine outlives the last sleep
	spares  = 4                      // idle alarms that are kept
)

// crowded reports whether there are so many sleepers that they share wake-ups.
func (d *scheduler) crowded() bool { return d.sleepers.Load() > crowd }

// borrow returns an alarm for one sleeper, nil if only fallbacks are available.
func (d *scheduler) borrow() alarm {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n := len(d.idle); n > 0 {
		a := d.idle[n-1]
		d.idle = d.idle[:n-1]
		return a
	}
	a, name, reason := d.open()
	d.name, d.reason = name, reason
	if _, fallback := a.(fallback); fallback {
		a.close()
		return nil
	}
	return a
}

func (d *scheduler) giveBack(a alarm) {
	d.mu.Lock()
	if len(d.idle) < spares {
		d.idle, a = append(d.idle, a), nil
	}
	d.mu.Unlock()
	if a != nil {
		a.close()
	}
}

// sleep sleeps by the shared alarm until at or later, or until cancel is called. b belongs to the caller, done is the
// context's.
func (d *scheduler) sleep(done <-chan struct{}, b *pending, at clock.Instant) {
	if d.enqueue(done, b, at) {
		<-b.wake
	}
}

// sleepSelecting is sleep for contexts that are not watched. It costs more, because a select also locks the context's
// channel, which others may use.
func (d *scheduler) sleepSelecting(done <-chan struct{}, b *pending, at clock.Instant) {
	if !d.enqueue(done, b, at) {
		return
	}
	select {
	case <-b.wake:
	case <-done:
		d.cancel(b)
		<-b.wake
	}
}

// cancel wakes the owner of b, if it sleeps.
func (d *scheduler) cancel(b *pending) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if b.wakeUp(b.number.Load()) {
		d.queue.count(1)
	}
}

// enqueue adds b to the queue, unless done is closed.
func (d *scheduler) enqueue(done <-chan struct{}, b *pending, at clock.Instant) bool {
	d.mu.Lock()
	if ended(done) { // checked under the lock: a later cancel finds b
		d.mu.Unlock()
		return false
	}
	d.queue.push(min(at, farAway-1), b)
	if d.shared == nil {
		d.shared, d.name, d.reason = d.open()
		d.ringing, d.served = farAway, d.now().Add(-quantum)
		go d.serve(d.shared)
	}
	d.arm()
	d.mu.Unlock()
	return true
}

// arm sets the alarm for the first entry of the queue, if it is set for later. The lock is held.
func (d *scheduler) arm() {
	at := d.queue.first()
	if d.crowded() {
		at = max(at, d.served.Add(quantum))
	}
	if at < d.ringing {
		d.ringing = at
		d.shared.arm(max(at.Sub(d.now()), 1))
	}
}

// serve wakes sleepers at their deadlines, until it has been idle for a while.
func (d *scheduler) serve(a alarm) {
	var due []entry
	cancelled := 0 // of those taken
	last := false  // the alarm is armed only to end this goroutine
	for {
		a.wait()
		now := d.now()
		d.mu.Lock()
		d.queue.count(-cancelled)
		due = d.queue.take(due[:0], now)
		if len(due) > 0 {
			d.served, last = now, false
		}
		d.ringing = farAway // it must be armed again, whether it rang or ended early
		switch {
		case d.queue.first() < farAway:
			last = false
			d.arm()
		case last:
			d.shared = nil
			d.mu.Unlock()
			a.close()
			return
		default:
			last = true
			d.ringing = now.Add(linger)
			a.arm(linger)
		}
		d.mu.Unlock()
		cancelled = 0
		for _, e := range due {
			if !e.b.wakeUp(e.number) {
				cancelled++
			}
		}
		clear(due)
	}
}

// ended reports whether done is closed. A nil done never is.
func ended(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}
