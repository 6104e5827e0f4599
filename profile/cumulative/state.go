// SPDX-License-Identifier: BSD-3-Clause

package cumulative

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/strobe-go/strobe/profile"
)

// Other is the name of the series that adds up the remaining zones.
const Other = "(other)"

// Limits bound the size of what a State returns.
type Limits struct {
	Zones   int                  // maximum number of zones with their own series; 0 or less: all
	Buckets int                  // maximum number of non-empty buckets of a histogram, at least 2; 0 or less: 160
	Bounds  map[string][]float64 // upper bounds in seconds, ascending, by zone; these zones always have a series
}

// A State adds up readings. Make one with New. It is no perf.State, which says how far a count can be trusted.
type State struct {
	limits  Limits
	sources []source // by index of the zone
	targets map[string]*target
	byName  []*target
	other   *target
	loops   map[string]*loop
	series  map[string]*Series // of loops, by a name that is valid UTF-8
}

// A target is a series while it is written.
type target struct {
	Series
	time time.Duration // in the zone since the first reading, in any series
	own  bool
	used bool // something has counted, in any series
}

// New returns a State without series.
func New(l Limits) *State {
	if l.Buckets <= 0 {
		l.Buckets = 160 // OpenTelemetry's own default
	}
	return &State{limits: l, targets: make(map[string]*target), loops: make(map[string]*loop), series: make(map[string]*Series)}
}

// Add adds what has happened since the last reading, as strobe.Reader.Read returns it, and now is when it was read. The first
// reading of a process may cover everything before it.
func (s *State) Add(delta profile.Snapshot, now time.Time) {
	since := now.Add(-delta.Elapsed)
	totals := delta.Totals()
	for i := range totals {
		if i < len(s.sources) {
			s.sources[i].target.time += totals[i].Total
			continue
		}
		name := strings.ToValidUTF8(delta.Zones[i].Name, "\uFFFD")
		t := s.targets[name]
		if t == nil {
			t = &target{Series: newSeries(name, s.limits.Bounds[name], since)}
			s.targets[name], s.byName = t, nil
		}
		t.time += totals[i].Total
		s.sources = append(s.sources, source{target: t})
	}
	s.fill()
	for i := range totals {
		from := &s.sources[i]
		to := from.target
		to.used = true
		if z := &totals[i]; z.Calls == 0 && z.Total == 0 && z.Self == 0 && z.Histogram.Empty() {
			continue // most zones of a large program, most of the time
		}
		if !to.own {
			to = s.rest(since)
		}
		to.change()
		from.add(&totals[i])
		to.Calls += totals[i].Calls
		to.Total += totals[i].Total
		to.Self += totals[i].Self
		to.SelfUnknown = to.SelfUnknown || totals[i].SelfUnknown
		from.publish(&to.Series)
		to.narrow(s.limits.Buckets)
	}
	s.exchange(now)
	s.addFrames(delta.Frames, since)
}

// rest returns the series of the zones without one.
func (s *State) rest(since time.Time) *target {
	if s.other == nil {
		s.other = &target{Series: newSeries(Other, nil, since)}
	}
	return s.other
}

// byTime returns all targets, those with the most time first.
func (s *State) byTime() []*target {
	return slices.SortedFunc(maps.Values(s.targets), func(a, b *target) int {
		return cmp.Or(cmp.Compare(b.time, a.time), cmp.Compare(a.Name, b.Name))
	})
}

// fill gives series to zones that have not counted elsewhere, as long as there are series left.
func (s *State) fill() {
	n, waiting := 0, 0
	for _, t := range s.targets {
		if t.Bounds != nil || s.limits.Zones <= 0 {
			t.own = true
		}
		if t.own {
			n++
		} else if !t.used {
			waiting++
		}
	}
	if waiting == 0 || n >= s.limits.Zones {
		return
	}
	for _, t := range s.byTime() {
		if !t.own && !t.used && n < s.limits.Zones {
			t.own = true
			n++
		}
	}
}

// exchange gives the series of the zone with the least time to a zone that has 1.5 times as much. A new series starts at zero
// and the others keep their counts, so none decreases.
func (s *State) exchange(now time.Time) {
	if s.other == nil {
		return // all zones have series
	}
	all := s.byTime()
	least := len(all)
	for _, t := range all {
		if t.own {
			continue
		}
		for least--; least >= 0 && (!all[least].own || all[least].Bounds != nil); least-- {
		}
		if least < 0 || t.time <= all[least].time+all[least].time/2 {
			return
		}
		all[least].own, t.own = false, true
		if t.Calls == 0 && t.Total == 0 {
			t.change()
			t.Since = now
		}
	}
}

// Series returns all series, by name of the zone. They do not change afterwards, and their slices must not be changed.
func (s *State) Series() []Series {
	if s.byName == nil {
		for _, name := range slices.Sorted(maps.Keys(s.targets)) {
			s.byName = append(s.byName, s.targets[name])
		}
	}
	all := make([]Series, 0, len(s.byName)+1)
	for _, t := range s.byName {
		if t.own && t.Name != Other {
			all = append(all, t.lend())
		}
	}
	if s.other != nil {
		all = append(all, s.other.lend())
	}
	return all
}
