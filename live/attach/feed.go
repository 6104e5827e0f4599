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
	rest        = 200 // a reading is followed by that many times the time that it took, so that readings take at most 0.5 % of a processor
	patience    = 3 * time.Second
)

// A sink receives readings.
type sink interface {
	put(r tether.Reading) error
}

// A feed reads what is measured again and again, keeps its cost down, and passes it on.
type feed struct {
	to   sink          // nil if nothing receives readings
	wake chan struct{} // a reading is wanted now

	mu     sync.Mutex // held for a reading
	keeper *keeper
	took   time.Duration // by all readings
	ended  bool
}

// newFeed starts a feed. to is nil if only the cost is to be kept down.
func newFeed(to sink) *feed {
	f := &feed{to: to, wake: make(chan struct{}, 1), keeper: newKeeper()}
	if to != nil {
		atExit(f.end)
	}
	go f.run()
	return f
}

// run reads until the sink fails.
func (f *feed) run() {
	looks := time.NewTicker(firstLook)
	defer looks.Stop()
	begin, next, often := time.Now(), time.Now().Add(soonest), true
	for {
		asked := false
		select {
		case <-looks.C:
		case <-f.wake:
			asked = true
		}
		if often && time.Since(begin) > settled {
			looks.Reset(laterLook)
			often = false
		}
		f.look()
		if f.to == nil || !asked && time.Now().Before(next) {
			continue
		}
		start := time.Now()
		if !f.pass(false) {
			return
		}
		next = time.Now().Add(min(max(soonest, rest*time.Since(start)), latest))
	}
}

// The keeper looks often at first: a program that spends all of its time in small functions is slow until they are sampled.
const (
	firstLook = 20 * time.Millisecond
	laterLook = 100 * time.Millisecond
	settled   = time.Second
)

func (f *feed) look() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.ended {
		defer f.spend(time.Now())
		f.keeper.read()
	}
}

func (f *feed) spend(since time.Time) { f.took += time.Since(since) }

// pass passes on all that was measured. It reports false when that is no longer useful.
func (f *feed) pass(last bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended {
		return false
	}
	defer f.spend(time.Now())
	if last {
		f.ended = true
		f.keeper.read()
	}
	reader := strobe.Reader{Lanes: listedLanes} // a new one reads everything since the start
	err := f.to.put(tether.Reading{Snapshot: reader.Read(), Processor: processor(), Spans: time.Duration(f.keeper.spans), Reading: f.took,
		Sampled: f.keeper.sampled, Last: last})
	f.ended = f.ended || err != nil
	return !f.ended
}

// end passes on the last reading, on a goroutine of its own: the one that ends the program may hold locks that a reading needs.
func (f *feed) end() {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.pass(true)
	}()
	select {
	case <-done:
	case <-time.After(patience):
	}
}
