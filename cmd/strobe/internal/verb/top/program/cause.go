// SPDX-License-Identifier: BSD-3-Clause

package program

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
)

// A Cause is what made a frame longer than usual. live/page/cause.js implements the same rule; the tests of both read
// live/testdata/causes.json.
type Cause struct {
	Zone    string        // "" if no zone accounts for half of the excess
	Outside bool          // the time passed outside any zone of the loop's goroutine
	More    time.Duration // by how much the time in the zone, without inner zones, or outside any zone exceeds the usual one
	Waited  string        // zone that waited meanwhile, so that the frame was long; "" if none did
}

// Cause returns what made a frame longer than the mean frame; ok is false if that is unknown.
func (p *Program) Cause(f feed.Frame) (c Cause, ok bool) {
	s, ok := p.why.frames[f.Number]
	if !ok || p.why.n == 0 {
		return Cause{}, false
	}
	s.took = f.Took
	b, found := p.why.blame(p.Hello, s, p.why.mean())
	if !found {
		return Cause{}, true
	}
	name := func(path int64) string {
		if x, ok := p.why.paths[path]; ok && x.Zone >= 0 && x.Zone < int64(len(p.Hello.Zones)) {
			return p.Hello.Zones[x.Zone].Name
		}
		return ""
	}
	return Cause{name(b.path), b.path == outside, time.Duration(b.more), name(b.waited)}, true
}

// outside stands for the path of the time outside any zone, and for no path.
const outside = -1

// spent has the duration of a frame and its time by path.
type spent struct {
	took   int64
	inside int64           // in zones of the loop's lane
	self   map[int64]int64 // time on each path without the paths below
}

// blamed has a path or outside, by how much its time exceeds the usual one, and the path that waited meanwhile.
type blamed struct{ path, more, waited int64 }

// blame returns what made a frame longer than usual: the path on the loop's lane, or on all lanes if that is unknown, whose own
// time exceeds the usual one most, or the time outside any zone. If that path waits and another one, on any lane, accounts for
// half of the excess, it is that one. ok is false if nothing accounts for half.
func (c *causes) blame(h feed.Hello, frame, usual spent) (b blamed, ok bool) {
	excess := frame.took - usual.took
	best, busy := blamed{outside, 0, outside}, blamed{outside, 0, outside}
	if h.Lane != nil {
		best.more = excess - (frame.inside - usual.inside)
	}
	paths := slices.Sorted(maps.Keys(frame.self))
	for _, path := range paths {
		more := frame.self[path] - usual.self[path]
		if (h.Lane == nil || c.paths[path].Lane == *h.Lane) && more > best.more {
			best.path, best.more = path, more
		}
		if !c.waits(h, path) && more > busy.more {
			busy.path, busy.more = path, more
		}
	}
	if best.more <= 0 || 2*best.more < excess {
		return blamed{}, false
	}
	if best.path != outside && c.waits(h, best.path) && busy.path != outside && 2*busy.more >= excess {
		busy.waited = best.path
		return busy, true
	}
	return best, true
}

// waits reports whether the zone of a path, or an outer one, is a wait zone.
func (c *causes) waits(h feed.Hello, path int64) bool {
	for {
		p, ok := c.paths[path]
		if !ok {
			return false
		}
		if p.Zone >= 0 && p.Zone < int64(len(h.Zones)) && h.Zones[p.Zone].Wait {
			return true
		}
		if p.Parent >= path { // a parent's number is smaller
			return false
		}
		path = p.Parent
	}
}

// keptParts is the number of wait zones, and of other zones, whose time in a frame is kept: those with the longest times.
const keptParts = 8

// causes holds what is known about the zones in each frame.
type causes struct {
	paths  map[int64]feed.Path
	sums   spent           // of all frames
	n      int64           // number of frames in sums
	frames map[int64]spent // frames that are kept
}

func (c *causes) clone() causes {
	sums := c.sums
	sums.self = maps.Clone(c.sums.self)
	return causes{maps.Clone(c.paths), sums, c.n, maps.Clone(c.frames)}
}

// name adds new paths.
func (c *causes) name(paths []feed.Path) {
	if c.paths == nil {
		c.paths = map[int64]feed.Path{}
	}
	for _, p := range paths {
		if len(c.paths) < keptPaths && p.Number >= 0 {
			c.paths[p.Number] = p
		}
	}
}

// restart forgets all frames.
func (c *causes) restart() { *c = causes{paths: c.paths} }

// add adds a frame with the given parts, in the form of [feed.Frame].
func (c *causes) add(h feed.Hello, f feed.Frame, parts []int64) {
	c.count(h, f.Took, parts)
	c.keep(h, f.Number, f.Took, parts)
}

// count adds a frame or unit to the sums.
func (c *causes) count(h feed.Hello, took int64, parts []int64) {
	if c.sums.self == nil {
		c.sums.self = map[int64]int64{}
	}
	s := c.spent(h, took, parts)
	for path, self := range s.self {
		c.sums.self[path] += self
	}
	c.sums.took, c.sums.inside, c.n = c.sums.took+s.took, c.sums.inside+s.inside, c.n+1
}

// keep keeps a frame or unit by its number.
func (c *causes) keep(h feed.Hello, number, took int64, parts []int64) {
	if c.frames == nil {
		c.frames = map[int64]spent{}
	}
	s := c.spent(h, took, parts)
	var waiting, others []int64
	for path := range s.self {
		if c.waits(h, path) {
			waiting = append(waiting, path)
		} else {
			others = append(others, path)
		}
	}
	few := make(map[int64]int64, keptParts)
	for _, paths := range [][]int64{waiting, others} {
		slices.SortFunc(paths, func(a, b int64) int { return cmp.Or(cmp.Compare(s.self[b], s.self[a]), cmp.Compare(a, b)) })
		for _, path := range paths[:min(len(paths), keptParts)] {
			few[path] = s.self[path]
		}
	}
	s.self = few
	c.frames[number] = s
}

// spent returns the time of a frame by path.
func (c *causes) spent(h feed.Hello, took int64, parts []int64) spent {
	s := spent{took: took, self: map[int64]int64{}}
	for i := 0; i+2 < len(parts); i += 3 {
		path, ok := c.paths[parts[i]]
		if !ok {
			continue
		}
		s.self[path.Number] += parts[i+2]
		if _, ok := c.paths[path.Parent]; ok {
			s.self[path.Parent] -= parts[i+2]
		} else if h.Lane != nil && path.Lane == *h.Lane {
			s.inside += parts[i+2]
		}
	}
	return s
}

// mean returns the mean frame, which is the usual one.
func (c *causes) mean() spent {
	m := spent{c.sums.took / c.n, c.sums.inside / c.n, make(map[int64]int64, len(c.sums.self))}
	for path, self := range c.sums.self {
		m.self[path] = self / c.n
	}
	return m
}

// forget forgets the frames before one.
func (c *causes) forget(first int64) {
	if len(c.frames) <= keptFrames+keptFrames/8 {
		return
	}
	maps.DeleteFunc(c.frames, func(number int64, _ spent) bool { return number < first })
}
