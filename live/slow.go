// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"time"

	"github.com/strobe-go/strobe/clock"
)

// A SlowFrame is one of the longest frames of a loop.
type SlowFrame struct {
	Run    string    // of the process: it differs from that of all others
	Loop   string    // as given to strobe.Frame
	Number uint64    // as on the page
	Ended  time.Time // when it ended
	Took   time.Duration
}

// SlowFrames returns the longest 20 frames of each loop that the page shows, the longest last. They are kept for the life of the
// server, so that whoever sees one of them elsewhere, such as an exemplar of a metric, finds it on the page. A program
// without loops has none.
func (s *Server) SlowFrames() []SlowFrame {
	c := s.collector
	c.mu.Lock()
	defer c.mu.Unlock()
	wall, now := time.Now(), clock.Now()
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
