// SPDX-License-Identifier: BSD-3-Clause

package attach

import (
	"sync"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/internal/tether"
)

const (
	listedLanes = 1000 // lanes that are told apart; the others are added up
	soonest     = 100 * time.Millisecond
	latest      = 5 * time.Second
	rest        = 200 // a reading is followed by that many times the time that it took
	patience    = 3 * time.Second
)

// A sink receives readings.
type sink interface {
	put(r tether.Reading) error
	close() // ends the goroutines that belong to it; no reading follows
}

// A feed reads what is measured again and again, keeps its cost down, and passes it on.
type feed struct {
	to     sink          // nil if nothing receives readings
	serves bool          // the page, which goes on when all goroutines of the program wait
	slow   *explainer    // whose sentences readings pass on; nil if there is none
	wake   chan struct{} // a reading is wanted now

	mu     sync.Mutex // held for a reading
	keeper *keeper
	took   time.Duration // processor time of all readings
	ended  bool
}

// newFeed starts a feed. to is nil if only the cost is to be kept down, and slow if no sentences are to be passed on.
func newFeed(to sink, serves bool, slow *explainer) *feed {
	f := &feed{to: to, serves: serves, slow: slow, wake: make(chan struct{}, 1), keeper: newKeeper()}
	if to != nil {
		atExit(f.end)
	}
	go f.run()
	return f
}

// run reads until the sink fails, or only this package keeps the program from ending.
func (f *feed) run() {
	begin := time.Now()
	due, sleep := begin.Add(soonest), begin.Add(asleepEvery)
	f.look() // the first one measures what calls cost, which takes long
	timer := time.NewTimer(firstLook)
	defer timer.Stop()
	for {
		asked := false
		select {
		case <-timer.C:
		case <-f.wake:
			asked = true
		}
		took := f.look()
		look := time.Now().Add(f.pause(took, time.Since(begin)))
		if f.to != nil && (asked || time.Now().After(due)) {
			took, more := f.pass(false, false)
			if !more {
				return
			}
			due = time.Now().Add(min(max(soonest, rest*took), latest))
		}
		if now := time.Now(); !f.serves && now.After(sleep) {
			timer.Stop()
			if asleep() {
				if f.to != nil {
					f.pass(true, true)
					f.to.close()
					time.Sleep(10 * time.Millisecond) // a thread that waits for the connections does not see that they are closed, but it sees a timer
				}
				return
			}
			sleep = now.Add(max(asleepEvery, rest*time.Since(now)))
		}
		timer.Reset(time.Until(look))
	}
}

const (
	firstLook = 10 * time.Millisecond
	firstRest = 50 // instead of rest
	laterLook = 100 * time.Millisecond
	settled   = time.Second
	worthIt   = 5 // looks may take the part of what spans cost for which that stands
)

// pause returns how long to wait after a look that took so long, if the first one was that long ago. The keeper looks often at first, and
// soon after a look that lowered the cost: a program that spends all of its time in small functions is slow until they are sampled.
func (f *feed) pause(took, since time.Duration) time.Duration {
	least, times := laterLook, float64(rest)
	if since < settled {
		least, times = max(firstLook, min(since, laterLook)), firstRest
	}
	if f.keeper.lowered {
		least, times = firstLook, min(times, worthIt/f.keeper.share)
	}
	return max(least, time.Duration(times*float64(took)))
}

// look keeps the cost down. It returns the processor time that it took.
func (f *feed) look() time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended {
		return 0
	}
	took := spending()
	f.keeper.read()
	return f.spent(took())
}

func (f *feed) spent(d time.Duration) time.Duration {
	f.took += d
	return d
}

// pass passes on all that was measured. It returns the processor time that it took; more is false when that is no longer useful.
func (f *feed) pass(last, asleep bool) (took time.Duration, more bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended {
		return 0, false
	}
	spent := spending()
	if last {
		f.ended = true
		f.slow.stop()
		f.keeper.read()
	}
	reader := strobe.Reader{Lanes: listedLanes} // a new one reads everything since the start
	fresh := f.slow.take()
	err := f.to.put(tether.Reading{Snapshot: reader.Read(), Processor: processor(), Spans: time.Duration(f.keeper.spans.Likely),
		Least: time.Duration(f.keeper.spans.Least), Most: time.Duration(f.keeper.spans.Most), Reading: f.took,
		Sampled: f.keeper.sampled, Costs: f.keeper.costs, Steady: f.keeper.steady(), Slow: fresh.slow, Watching: f.slow.watching(), Said: fresh.said, Faults: fresh.faults, Opened: opened.Load(), Last: last, Asleep: asleep})
	f.ended = f.ended || err != nil
	return f.spent(spent()), !f.ended
}

// end passes on the last reading, on a goroutine of its own: the one that ends the program may hold locks that a reading needs.
func (f *feed) end() {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.pass(true, false)
	}()
	select {
	case <-done:
	case <-time.After(patience):
	}
}
