// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"sync"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/rolling"
	"github.com/strobe-go/strobe/stat"
)

// Frame marks a turn of the loop called name: call it once a turn, always at the same place. The times between calls are
// the frame times. It takes a lock and some 50 ns. Safe for concurrent use, but turns of two loops under one name mix.
func Frame(name string) {
	registry.Lock()
	off := registry.off
	registry.Unlock()
	if !off {
		loops.mark(name, clock.NowOrdered())
		timeline.note("frame", name, 0)
	}
}

var loops loopSet

// A loopSet holds what is known of each loop.
type loopSet struct {
	mu    sync.Mutex
	names []string
	loops map[string]*loop
}

type loop struct {
	turns uint64
	last  clock.Instant
	rate  rolling.Rate
	mean  stat.BatchMeans
	times stat.Histogram
}

func (s *loopSet) mark(name string, now clock.Instant) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.loops[name]
	if l == nil {
		if s.loops == nil {
			s.loops = make(map[string]*loop)
		}
		if len(s.names) == maxNames {
			return
		}
		l = new(loop)
		s.loops[name], s.names = l, append(s.names, name)
	}
	l.rate.Mark(now)
	if l.turns++; l.turns > 1 {
		d := int64(now.Sub(l.last))
		l.mean.Add(d)
		l.times.Record(d)
	}
	l.last = now
}

// maxNames bounds the memory of names that a program makes up as it goes.
const maxNames = 1000

func (s *loopSet) read(now clock.Instant) []FrameStats {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []FrameStats
	for _, name := range s.names {
		l := s.loops[name]
		f := FrameStats{Name: name, Turns: l.turns, Rate: l.rate.PerSecond(now), Frame: l.mean.Interval(0.95)}
		if l.times.N() > 0 {
			f.Min, f.Max = time.Duration(l.times.Min()), time.Duration(l.times.Max())
			f.P50, f.P99 = time.Duration(l.times.Quantile(0.5)), time.Duration(l.times.Quantile(0.99))
		}
		out = append(out, f)
	}
	return out
}
