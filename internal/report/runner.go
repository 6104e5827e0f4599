// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"sync"
	"time"

	"github.com/strobe-go/strobe/profile"
)

// A Runner makes reports at an interval, on a separate goroutine.
type Runner struct {
	maker
	reads Readers
	emit  func(*Report)
	stop  chan struct{}
	done  chan struct{}
	once  sync.Once

	slices Slices
	cost   time.Duration // of reading the latest slice
	read   time.Time     // when it was read
}

// Readers are two sources of differences of snapshots, each since its own previous call.
type Readers struct {
	Slices, Reports func() profile.Snapshot
}

// slicesPerReport is the number of time slices for the interval of a mean.
const slicesPerReport = 16

// Start makes reports until Stop and passes each to emit.
func Start(o Options, reads Readers, emit func(*Report)) *Runner {
	r := &Runner{reads: reads, emit: emit, stop: make(chan struct{}), done: make(chan struct{})}
	r.o, r.warning = o.withDefaults()
	go r.run()
	return r
}

// Stop makes a last report, of the time since the previous one, and ends the runner. Safe for concurrent use; later calls
// wait for the first.
func (r *Runner) Stop() {
	r.once.Do(func() { close(r.stop) })
	<-r.done
}

func (r *Runner) run() {
	defer close(r.done)
	tick := time.NewTicker(r.o.Every / slicesPerReport)
	defer tick.Stop()
	due := time.Now().Add(r.o.Every)
	for {
		select {
		case <-r.stop:
			r.report()
			return
		case now := <-tick.C:
			if now.Before(due) {
				r.slice(now)
			} else {
				r.report()
				for !due.After(now) {
					due = due.Add(r.o.Every)
				}
			}
		}
	}
}

// slice reads a slice, less often if reading takes long: slices take at most a fiftieth of the time of one processor, or a
// tenth if there would otherwise be fewer than five per report.
func (r *Runner) slice(now time.Time) {
	rest := now.Sub(r.read)
	if rest < 50*r.cost && rest < max(10*r.cost, r.o.Every/5) {
		return
	}
	begin := time.Now()
	r.slices.add(r.reads.Slices())
	r.read = time.Now()
	r.cost = r.read.Sub(begin)
}

func (r *Runner) report() {
	r.slices.add(r.reads.Slices())
	r.emit(r.make(r.reads.Reports(), r.slices))
	r.slices = r.slices[:0]
}
