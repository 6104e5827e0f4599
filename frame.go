// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/looks"
	"github.com/strobe-go/strobe/internal/recorder"
	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/rolling"
	"github.com/strobe-go/strobe/stat"
)

// A Loop is something that the program does again and again, turn by turn. Make it once, with NewLoop, in a package variable.
// Loops of the same name are the same loop. The zero Loop is the one whose name is empty. Safe for concurrent use.
type Loop struct {
	name string
	kept atomic.Pointer[item[loop]] // nil before the first turn
}

// NewLoop returns the loop called name:
//
//	var tick = strobe.NewLoop("tick")
//
// It appears in snapshots after the first turn. NewLoop may be called in the initialiser of a package variable.
func NewLoop(name string) *Loop { return &Loop{name: name} }

// Frame marks a turn of the loop: call it once per turn, always at the same place. The times between calls are the frame times;
// those of goroutines that share a loop are mixed. Frame takes a lock that belongs to the loop, and does not allocate after the
// first turn. At most 1000 loops are kept, or fewer if the budget of SetBudget does not allow them; the turns of others are not
// counted, and Snapshot.Notes says so.
func (l *Loop) Frame() {
	if disabled.Load() {
		return
	}
	k := l.kept.Load()
	if k == nil {
		if k = loops.get(l.name); k == nil {
			return
		}
		l.kept.Store(k)
	}
	frame(k)
}

// Frame marks a turn of the loop called name, which it looks up: it is NewLoop(name).Frame() without the Loop.
func Frame(name string) {
	if disabled.Load() {
		return
	}
	if k := loops.get(name); k != nil {
		frame(k)
	}
}

func frame(l *item[loop]) {
	l.thing.turn(clock.NowOrdered())
	mark(recorder.Mark{Kind: profile.FrameEvent, Name: l.name})
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
	if l.turns++; l.turns == 1 {
		looks.Expect()
	} else {
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
