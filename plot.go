// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"math"
	"sync"
)

// Plot notes the value v of something that goes up and down, under name: the size of a heap, of a queue. A value that is
// no finite number is left out. It takes a lock and some 50 ns. Safe for concurrent use.
func Plot(name string, v float64) {
	if !math.IsNaN(v) && !math.IsInf(v, 0) {
		plots.add(name, v)
		timeline.note("plot", name, v)
	}
}

// Message notes text on the calling goroutine's lane of the timeline; without one it does nothing. Safe for concurrent
// use.
func Message(text string) { timeline.note("message", text, 0) }

var plots plotSet

type plotSet struct {
	mu     sync.Mutex
	plots  []PlotStats
	byName map[string]int
}

func (s *plotSet) add(name string, v float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, ok := s.byName[name]
	if !ok {
		if len(s.plots) == maxNames {
			return
		}
		if s.byName == nil {
			s.byName = make(map[string]int)
		}
		i = len(s.plots)
		s.byName[name] = i
		s.plots = append(s.plots, PlotStats{Name: name, Min: v, Max: v})
	}
	p := &s.plots[i]
	p.N++
	p.Last, p.Min, p.Max = v, min(p.Min, v), max(p.Max, v)
}

func (s *plotSet) read() []PlotStats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]PlotStats(nil), s.plots...)
}
