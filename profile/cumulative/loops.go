// SPDX-License-Identifier: BSD-3-Clause

package cumulative

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/strobe-go/strobe/profile"
)

// A loop holds what strobe.Frame has measured of one loop.
type loop struct {
	source
	to *Series
}

// addFrames adds the frame times of a reading.
func (s *State) addFrames(frames []profile.FrameStats, since time.Time) {
	for _, f := range frames {
		name := strings.ToValidUTF8(f.Name, "\uFFFD")
		to := s.series[name]
		if to == nil {
			first := newSeries(name, nil, since)
			to = &first
			s.series[name] = to
		}
		l := s.loops[f.Name]
		if l == nil {
			l = &loop{to: to}
			s.loops[f.Name] = l
		}
		if f.Turns == 0 {
			continue
		}
		to.change()
		to.Calls += f.Turns
		l.add(&profile.ZoneStats{Calls: f.Histogram.N(), Sum: f.Sum, Min: f.Min, Max: f.Max, Histogram: f.Histogram})
		l.publish(to)
		to.Total = to.Sum
		to.narrow(s.limits.Buckets)
	}
}

// Loops returns the series of all loops, by name. They do not change afterwards, and their slices must not be changed. Calls
// are those of strobe.Frame; the durations are frame times, Total is their sum, and Self is 0.
func (s *State) Loops() []Series {
	all := make([]Series, 0, len(s.series))
	for _, name := range slices.Sorted(maps.Keys(s.series)) {
		all = append(all, s.series[name].lend())
	}
	return all
}
