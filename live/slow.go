// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"math"
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// A SlowFrame is one of the longest frames of a loop.
type SlowFrame struct {
	Run    string    // identifies the process; no other has the same
	Loop   string    // as given to strobe.Frame
	Number uint64    // as on the page
	Ended  time.Time // when it ended
	Took   time.Duration
}

// SlowFrames returns the longest 20 frames of each loop that the page shows, the longest last. They are kept for the life of the
// server, so that a frame seen elsewhere, such as in an exemplar of a metric, can be found on the page. A program without
// loops has none.
func (s *Server) SlowFrames() []SlowFrame {
	c := s.collector
	c.mu.Lock()
	defer c.mu.Unlock()
	wall, now := together()
	var all []SlowFrame
	for _, l := range c.model.loops {
		if l.loop == "" {
			continue
		}
		for _, k := range l.worst {
			all = append(all, SlowFrame{s.run, l.loop, k.number, wall.Add(-now.Sub(k.end)), k.took})
		}
	}
	return all
}

// A SlowUnit is one of the slowest units of a root zone.
type SlowUnit struct {
	Run    string // identifies the process; no other has the same
	Root   string // the name of the root zone
	Number uint64 // as on the page
	Ended  time.Time
	Took   time.Duration
	Notes  []profile.Note
}

// SlowUnits returns the slowest 20 units of each root zone that the page shows, the slowest last. They are kept for the life of the
// server, unless the memory for units is used up.
func (s *Server) SlowUnits() []SlowUnit {
	c := s.collector
	c.mu.Lock()
	defer c.mu.Unlock()
	wall, now := together()
	var all []SlowUnit
	for _, r := range c.model.units.keeper.Roots() {
		for _, k := range r.Longest() {
			all = append(all, SlowUnit{s.run, c.model.zones[r.Zone].Name, k.Number, wall.Add(-now.Sub(k.End())), k.Unit.Took, slices.Clone(k.Unit.Notes)})
		}
	}
	return all
}

// together reads the wall clock, then this program's clock. A goroutine may lose its processor in between, so the closest of
// several pairs counts.
func together() (wall time.Time, now clock.Instant) {
	closest := time.Duration(math.MaxInt64)
	for range 10 {
		before, w, after := clock.Now(), time.Now(), clock.Now()
		if d := after.Sub(before); d < closest {
			wall, now, closest = w, after, d
		}
		if closest < 10*time.Microsecond {
			break
		}
	}
	return wall, now
}
