// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"math"
	"sync"

	"github.com/strobe-go/strobe/internal/recorder"
	"github.com/strobe-go/strobe/profile"
)

// Plot records the current value v of a quantity called name, such as the size of a heap or a queue. Values that are not
// finite are ignored. It takes a lock that belongs to the plot. At most 1000 plots are kept, or fewer if the budget does not
// allow them. Safe for concurrent use.
func Plot(name string, v float64) {
	if disabled.Load() || math.IsNaN(v) || math.IsInf(v, 0) {
		return
	}
	if p := plots.get(name); p != nil {
		p.thing.set(v)
		mark(recorder.Mark{Kind: profile.PlotEvent, Name: p.name, Value: v})
	}
}

var plots = named[plot]{bytes: 256}

type plot struct {
	mu    sync.Mutex
	stats profile.PlotStats
}

func (p *plot) set(v float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := &p.stats
	if s.N == 0 {
		s.Min, s.Max = v, v
	}
	s.N++
	s.Last, s.Min, s.Max = v, min(s.Min, v), max(s.Max, v)
}

func (p *plot) read(name string) profile.PlotStats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	s.Name = name
	return s
}
