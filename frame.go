// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"sync"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/rolling"
	"github.com/strobe-go/strobe/stat"
)

// Frame marks an iteration of the loop called name: call it once per iteration, always at the same place. The times between
// calls are the frame times. It takes a lock that belongs to the loop. At most 1000 loops are kept, or fewer if the budget
// does not allow them. Safe for concurrent use, but the iterations of two loops with the same name are mixed.
func Frame(name string) {
	if disabled.Load() {
		return
	}
	if l := loops.get(name); l != nil {
		l.thing.turn(clock.NowOrdered())
		mark(profile.FrameEvent, l.name, 0)
	}
}

var loops = named[loop]{bytes: 40 << 10} // batch means, and a histogram for times up to a second

// A loop holds the frame times of one loop.
type loop struct {
	mu    sync.Mutex
	turns uint64
	last  clock.Instant
	rate  rolling.Rate
	mean  stat.BatchMeans
	times stat.Histogram
}

func (l *loop) turn(now clock.Instant) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rate.Mark(now)
	if l.turns++; l.turns > 1 {
		d := int64(now.Sub(l.last))
		l.mean.Add(d)
		l.times.Record(d)
	}
	l.last = now
}

func (l *loop) stats(name string, now clock.Instant) profile.FrameStats {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := profile.FrameStats{Name: name, Turns: l.turns, Rate: l.rate.PerSecond(now), Frame: l.mean.Interval(0.95)}
	if l.times.N() > 0 {
		f.Min, f.Max = time.Duration(l.times.Min()), time.Duration(l.times.Max())
		f.P50, f.P99 = time.Duration(l.times.Quantile(0.5)), time.Duration(l.times.Quantile(0.99))
		f.Sum, f.Histogram = time.Duration(l.times.Sum()), profile.NewHistogram(&l.times)
	}
	return f
}
