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
	to   *Series
	last profile.FrameStats
}

// addFrames adds the frame times since the latest reading. Each reading has the frame times since the start.
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
		before := l.last
		if f.Turns == before.Turns {
			continue // other changes come with the next one
		}
		l.last = f
		if f.Turns < before.Turns || f.Sum < before.Sum {
			continue
		}
		to.change()
		to.Calls += f.Turns - before.Turns
		h := less(f.Histogram, before.Histogram)
		l.add(&profile.ZoneStats{Calls: h.N(), Sum: f.Sum - before.Sum, Min: f.Min, Max: f.Max, Histogram: h})
		l.publish(to)
		to.Total = to.Sum
		to.narrow(s.limits.Buckets)
	}
}

// less returns h without the counts of an earlier histogram of the same durations.
func less(h, earlier profile.Histogram) profile.Histogram {
	h.Counts = slices.Clone(h.Counts)
	for i := range h.Counts {
		if k := h.First + i - earlier.First; k >= 0 && k < len(earlier.Counts) {
			h.Counts[i] -= min(h.Counts[i], earlier.Counts[k])
		}
	}
	return h
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
