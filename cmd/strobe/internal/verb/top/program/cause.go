// SPDX-License-Identifier: BSD-3-Clause

package program

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
)

// keptParts is of how many zones the time in a frame is kept, those with the most.
const keptParts = 8

// causes is what is known of the zones in each frame.
type causes struct {
	paths  map[int64]feed.Path
	sums   map[int64]int64  // time in a zone without inner zones, of all frames
	took   int64            // sum of all frames
	n      int64            // how many frames that is
	frames map[int64][]part // of each frame that is kept
}

// A part is the time in a zone during a frame, without inner zones.
type part struct{ zone, self int64 }

func (c *causes) clone() causes {
	return causes{maps.Clone(c.paths), maps.Clone(c.sums), c.took, c.n, maps.Clone(c.frames)}
}

// name takes in new paths.
func (c *causes) name(paths []feed.Path) {
	if c.paths == nil {
		*c = causes{paths: map[int64]feed.Path{}}
	}
	for _, p := range paths {
		if len(c.paths) < keptPaths {
			c.paths[p.Number] = p
		}
	}
}

// add takes in a frame of the given parts, as [feed.Frame] has them.
func (c *causes) add(f feed.Frame, parts []int64) {
	if c.frames == nil {
		c.sums, c.frames = map[int64]int64{}, map[int64][]part{}
	}
	selves := map[int64]int64{}
	for i := 0; i+2 < len(parts); i += 3 {
		path, ok := c.paths[parts[i]]
		if !ok {
			continue
		}
		selves[path.Zone] += parts[i+2]
		if around, ok := c.paths[path.Parent]; ok {
			selves[around.Zone] -= parts[i+2]
		}
	}
	var all []part
	for zone, self := range selves {
		c.sums[zone] += self
		all = append(all, part{zone, self})
	}
	c.n++
	c.took += f.Took
	slices.SortFunc(all, func(a, b part) int { return cmp.Or(cmp.Compare(b.self, a.self), cmp.Compare(a.zone, b.zone)) })
	c.frames[f.Number] = slices.Clip(slices.Clone(all[:min(len(all), keptParts)]))
}

// forget forgets the frames before one.
func (c *causes) forget(first int64) {
	if len(c.frames) <= keptFrames+keptFrames/8 {
		return
	}
	maps.DeleteFunc(c.frames, func(number int64, _ []part) bool { return number < first })
}

// Cause returns the zone that took most more time in a frame than in the mean frame, inner zones left out, and how much more.
// Zones that wait count only if no other took more. The zone is empty if none accounts for half of what the frame took more. ok is
// false if that is not known.
func (p *Program) Cause(f feed.Frame) (zone string, more time.Duration, ok bool) {
	parts, ok := p.why.frames[f.Number]
	if !ok {
		return "", 0, false
	}
	waits := true
	for _, x := range parts {
		if x.zone < 0 || x.zone >= int64(len(p.Hello.Zones)) {
			continue
		}
		z := p.Hello.Zones[x.zone]
		d := time.Duration(x.self - p.why.sums[x.zone]/p.why.n)
		if waits && !z.Wait && d > 0 || waits == z.Wait && d > more {
			zone, more, waits = z.Name, d, z.Wait
		}
	}
	if excess := f.Took - p.why.took/p.why.n; more <= 0 || int64(more) < excess/2 {
		return "", 0, true
	}
	return zone, more, true
}
