// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"sync"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/capture"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/looks"
	"github.com/strobe-go/strobe/profile"
)

const (
	fastest    = 60          // readings a second
	unwatched  = time.Second // between readings, while nobody is watching
	leisure    = 32          // readings in a row that need little memory, after which the rest is freed
	mostEvents = 20_000      // per reading, approximately: with more events, readings are more frequent
)

// A collector reads the recording, in the background, into a model.
type collector struct {
	release func() // of the recording
	kick    chan struct{}
	done    chan struct{}
	ended   sync.WaitGroup

	mu       sync.Mutex
	model    *model
	timeline strobe.TimelineReader
	reading  profile.Timeline // the latest one; the next reuses its memory
	small    int              // readings in a row that needed little memory
	gauge    gauge
	machine  *machine
	state    state
	viewers  map[*viewer]bool
	places   int    // of viewers
	joined   uint64 // viewers so far
	leaving  int    // that gave up their place and have not ended yet
	readings uint64
	busy     time.Duration // time spent reading and writing
}

func newCollector(o Options) *collector {
	c := &collector{kick: make(chan struct{}, 1), done: make(chan struct{}), viewers: make(map[*viewer]bool), model: newModel(o.StoreBytes),
		places: affordable(descriptors()) / 2}
	c.state.reader.Lanes = -1 // only the sums of all lanes are shown
	c.release = strobe.KeepRecording(o.RecordBytes)
	c.ended.Add(1)
	go c.run()
	return c
}

// close ends the readings, and the recording if a server started it and no other uses it.
func (c *collector) close() {
	close(c.done)
	c.ended.Wait()
	c.release()
}

func (c *collector) run() {
	defer c.ended.Done()
	timer := time.NewTimer(0)
	defer timer.Stop()
	var start clock.Instant
	for {
		select {
		case <-c.done:
			return
		case <-c.kick:
			if wait := time.Second/fastest - clock.Since(start); wait > 0 && start != 0 { // bounds the rate, however often readings are requested
				timer.Reset(wait)
				continue
			}
		case <-timer.C:
		}
		start = clock.Now()
		next := c.read()
		timer.Reset(max(next-clock.Since(start), 0))
	}
}

// soon requests an immediate reading.
func (c *collector) soon() {
	select {
	case c.kick <- struct{}{}:
	default:
	}
}

// read takes a reading, wakes the viewers, and returns the time until the next.
func (c *collector) read() (next time.Duration) {
	start := clock.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &c.reading
	c.timeline.ReadInto(t)
	c.model.read(*t)
	c.model.reports.read(capture.Reports(c.model.reports.last), c.model.units.keeper.Keep)
	fresh, seen := looks.Units(c.model.seen)
	if c.model.seen = seen; len(fresh) > 0 {
		c.model.divide(fresh)
	}
	c.readings++
	next = unwatched
	if h := &c.model.history; len(c.viewers) > 0 || h.due(start) {
		c.machine = c.gauge.read()
		if h.due(start) {
			h.add(c.machine, c.model.loops)
		}
	}
	if len(c.viewers) > 0 {
		for v := range c.viewers {
			next = min(next, v.every)
			v.wake()
		}
		if c.state.due(start) {
			c.state.take(c.model, len(c.viewers), c.busy)
		}
	}
	c.busy += clock.Since(start)
	if n := len(t.Events); n > mostEvents {
		next = min(next, max(time.Second/fastest, next*mostEvents/time.Duration(n)))
	}
	if c.small++; 8*len(t.Events)+1024 >= cap(t.Events) {
		c.small = 0
	}
	if c.small == leisure || cap(t.Events) > 4*mostEvents { // left by a burst
		*t, c.small = profile.Timeline{}, 0
	}
	return next
}

// record starts a new recording, or ends it.
func (c *collector) record(bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	strobe.Record(bytes)
	c.model.restart()
	c.model.version++
}

// forget drops all frames and resets totals.
func (c *collector) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.model.forget()
	c.state.forget()
}

// tellApart gives a lane its own call trees.
func (c *collector) tellApart(lane int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.model.tellApart(lane)
}
