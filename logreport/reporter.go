// SPDX-License-Identifier: BSD-3-Clause

package logreport

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/strobe-go/strobe"
)

// A Reporter logs at an interval until it is stopped.
type Reporter struct {
	log   *slog.Logger
	every time.Duration
	stop  chan struct{}
	done  chan struct{}
	once  sync.Once

	reported strobe.Snapshot // at the last report
	sliced   strobe.Snapshot // at the end of the last slice
	slices   []slice         // since the last report
	dear     bool            // a snapshot takes too long for slices
	active   map[int]bool    // lanes with spans, by ID
}

// slicesPerReport is how many slices of time an interval of the mean rests on.
const slicesPerReport = 16

// Start logs to logger at the level Info once every so often, 0 or less meaning every second, and at least 10 ms apart. A
// nil logger means slog.Default. In programs built with -tags strobe_off it logs once that there is nothing to log.
func Start(logger *slog.Logger, every time.Duration) *Reporter {
	if logger == nil {
		logger = slog.Default()
	}
	if every <= 0 {
		every = time.Second
	}
	r := &Reporter{log: logger, every: max(every, 10*time.Millisecond), stop: make(chan struct{}), done: make(chan struct{})}
	r.reported = strobe.TakeSnapshot()
	r.sliced = r.reported
	if !strobe.Enabled {
		r.own(r.reported, 0)
		close(r.done)
		return r
	}
	go r.run()
	return r
}

// Stop logs what was measured since the last report and ends the reporter. Safe for concurrent use; later calls do nothing.
func (r *Reporter) Stop() {
	r.once.Do(func() { close(r.stop) })
	<-r.done
}

func (r *Reporter) run() {
	defer close(r.done)
	tick := time.NewTicker(r.every / slicesPerReport)
	defer tick.Stop()
	due := time.Now().Add(r.every)
	for {
		select {
		case <-r.stop:
			r.report()
			return
		case now := <-tick.C:
			if now.Before(due) {
				r.slice()
				continue
			}
			r.report()
			for !due.After(now) {
				due = due.Add(r.every)
			}
		}
	}
}

// wanted reports whether anybody reads the records.
func (r *Reporter) wanted() bool { return r.log.Enabled(context.Background(), slog.LevelInfo) }

func (r *Reporter) slice() {
	if r.dear || !r.wanted() {
		return
	}
	now := r.snapshot()
	r.slices = append(r.slices, sliceOf(now.Sub(r.sliced)))
	r.sliced = now
}

// snapshot takes one, and notes whether the process is so large that it is dear.
func (r *Reporter) snapshot() strobe.Snapshot {
	began := time.Now()
	s := strobe.TakeSnapshot()
	r.dear = time.Since(began) > r.every/1000
	return s
}

func (r *Reporter) report() {
	if !r.wanted() {
		return
	}
	now := r.snapshot()
	if len(r.slices) > 0 {
		r.slices = append(r.slices, sliceOf(now.Sub(r.sliced)))
	}
	s := now.Sub(r.reported)
	active := map[int]bool{}
	worst := 0.0
	for _, l := range s.Lanes {
		probe := 0.0
		for _, z := range l.Zones {
			if z.Calls > 0 || z.Open > 0 {
				active[l.ID] = true
				probe += r.zone(s, l, z)
			}
		}
		if r.active[l.ID] && !active[l.ID] {
			r.info("lane silent", slog.String("lane", l.Name))
		}
		worst = max(worst, probe)
	}
	for _, f := range s.Frames {
		r.frame(f)
	}
	r.own(s, worst)
	r.active, r.reported, r.sliced, r.slices = active, now, now, r.slices[:0]
}
