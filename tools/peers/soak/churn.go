// SPDX-License-Identifier: BSD-3-Clause

package soak

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"github.com/strobe-go/strobe"
)

// A crowd is the program's goroutines: those that come and go, each of which starts its successor, and those that wait in spans.
type crowd struct {
	*plain
	life time.Duration // of a goroutine, on average
	slow int           // one request in so many is slow

	lock  sync.Mutex
	stop  chan struct{}
	alive sync.WaitGroup // all but the parked ones

	wake, woken chan struct{}
}

func newCrowd(p *plain, o Options) *crowd {
	return &crowd{plain: p, life: o.Life, slow: o.Slow, stop: make(chan struct{}), wake: make(chan struct{}), woken: make(chan struct{})}
}

// start starts the goroutines, those that come and go spread over a lifetime.
func (c *crowd) start(churned, parked int) {
	for range parked {
		go c.park()
		<-c.woken
	}
	c.alive.Go(func() { c.waken(parked) })
	c.alive.Add(churned)
	c.alive.Go(func() {
		for n := range churned {
			if n%64 == 63 && !c.sleep(c.life*64/time.Duration(churned)) {
				c.alive.Add(n - churned)
				return
			}
			go c.live(rand.Uint64())
		}
	})
}

// end lets what comes and goes end, and the parked goroutines stay parked.
func (c *crowd) end() {
	close(c.stop)
	c.alive.Wait()
}

// sleep reports whether the program goes on.
func (c *crowd) sleep(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-c.stop:
		return false
	}
}

// park waits in a span, like a goroutine that reads from a connection.
func (c *crowd) park() {
	defer c.exit(connection, c.enter(connection))
	for {
		s := c.enter(reading)
		c.woken <- struct{}{}
		<-c.wake
		c.exit(reading, s)
		c.exit(served, c.enter(served))
	}
}

// waken lets each of the parked goroutines serve something once in ten lives, in turn.
func (c *crowd) waken(parked int) {
	for c.sleep(10 * c.life / time.Duration(parked)) {
		c.wake <- struct{}{}
		<-c.woken
	}
}

// live is the life of one goroutine.
func (c *crowd) live(seed uint64) {
	defer c.alive.Done()
	c.goroutines.Add(1)
	r := rand.New(rand.NewPCG(seed, 0))
	c.request(r)
	long := c.life/2 + time.Duration(r.Int64N(int64(c.life)))
	goes := false
	if r.IntN(2) == 0 {
		s := c.enter(idle)
		goes = c.sleep(long)
		c.exit(idle, s)
	} else {
		goes = c.sleep(long)
	}
	if r.IntN(200) == 0 && !c.bare {
		c.leaks.Add(1)
		c.zones[leaked].Enter() // is never ended
	}
	if goes {
		c.alive.Add(1)
		go c.live(r.Uint64())
	}
}

// request does what a server does for a request, and once in a while what it should not.
func (c *crowd) request(r *rand.Rand) {
	defer c.exit(request, c.enter(request))
	if !c.bare {
		strobe.Note("route", routes[r.IntN(len(routes))])
	}
	defer c.exit(handler, c.enter(handler))
	c.exit(parse, c.enter(parse))
	for range 8 {
		c.exit(few, c.enter(few))
	}
	c.recur(1 + r.IntN(12))
	if r.IntN(20) == 0 {
		c.others()
	}
	c.wrong(r)
	if !c.bare {
		c.begun[phase].Add(1)
		lap := strobe.StartLap(c.zones[phase])
		c.begun[rest].Add(1)
		lap.Next(c.zones[rest])
		c.ended[phase].Add(1)
		lap.End()
		c.ended[rest].Add(1)
	}
	s := c.enter(query)
	switch {
	case r.IntN(c.slow) == 0: // for capture to explain
		c.late(r)
	case r.IntN(20) == 0:
		c.sleep(time.Millisecond)
	default:
		runtime.Gosched()
	}
	c.exit(query, s)
	s = c.enter(render)
	kept.Store(work(r.Uint64(), 1000))
	c.exit(render, s)
}

var routes = []string{"/", "/search", "/account", "/static"}

// recur calls itself, with a stack that grows.
func (c *crowd) recur(n int) byte {
	defer c.exit(recursive, c.enter(recursive))
	var frame [512]byte
	frame[n] = byte(n)
	if n > 1 {
		frame[n] += c.recur(n - 1)
	}
	return frame[n]
}

// others lets another goroutine work for the request.
func (c *crowd) others() {
	var task strobe.Task
	if !c.bare {
		task = strobe.CurrentTask()
	}
	c.alive.Go(func() {
		c.begun[worker].Add(1)
		if !c.bare {
			defer c.ended[worker].Add(1)
			defer task.Enter(c.zones[worker]).Exit()
		}
		kept.Store(work(1, 1000))
	})
}

// wrong ends spans by a panic, too early, twice and on another goroutine, and counts a call of which only the duration is known.
func (c *crowd) wrong(r *rand.Rand) {
	switch r.IntN(100) {
	case 0, 1:
		func() {
			defer func() { _ = recover() }()
			defer c.exit(unwound, c.enter(unwound))
			panic("soak")
		}()
	case 2:
		s := c.enter(unwound)
		c.enter(forgotten)
		c.exit(unwound, s) // ends both
		c.ended[forgotten].Add(1)
		c.forgets.Add(1)
	case 3:
		s := c.enter(twice)
		c.exit(twice, s)
		kept.Store(work(1, 100)) // for longer than a tick
		s.Exit()
		c.twices.Add(1)
	case 4:
		s := c.enter(elsewhere)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			s.Exit()
		}()
		<-ended
		c.exit(elsewhere, s)
		c.elsewheres.Add(1)
	case 5:
		c.begun[added].Add(1)
		if !c.bare {
			c.zones[added].Add(time.Duration(r.IntN(1e6)))
		}
		c.ended[added].Add(1)
	}
}

// late takes long, in one of three ways.
func (c *crowd) late(r *rand.Rand) {
	const long = 30 * time.Millisecond
	switch r.IntN(3) {
	case 0:
		c.sleep(long)
	case 1:
		c.lock.Lock()
		c.sleep(long)
		c.lock.Unlock()
	default:
		for began := time.Now(); time.Since(began) < long/2; {
			kept.Store(work(r.Uint64(), 1000))
		}
	}
}
