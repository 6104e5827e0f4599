// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// A crowd is the lanes that stay in the same spans for long, such as those of thousands of connections on which nothing happens.
// Only their number on each path is used in a reading.
type crowd struct {
	lanes []parked // by ID
	size  int
	on    []int // by path: lanes on which a span is open there
}

// A parked lane is one of the crowd.
type parked struct {
	path   int             // of the innermost span
	seen   clock.Instant   // when the spans were open
	starts []clock.Instant // of the spans, the innermost first; empty if the lane is not one of the crowd
}

// join adds a lane to the crowd, unless its spans are not those of one path.
func (c *crowd) join(l *track, paths []profile.Path) bool {
	path := l.open[0].path
	for _, r := range l.open {
		if r.path != path || path < 0 {
			return false
		}
		path = paths[path].Parent
	}
	if path >= 0 {
		return false
	}
	for len(c.lanes) <= l.id {
		c.lanes = append(c.lanes, parked{})
	}
	k := &c.lanes[l.id]
	*k = parked{l.open[0].path, l.open[0].seen, make([]clock.Instant, len(l.open))}
	c.size++
	for i, r := range l.open {
		k.starts[i] = r.start
		for len(c.on) <= r.path {
			c.on = append(c.on, 0)
		}
		c.on[r.path]++
	}
	return true
}

// leave removes a lane on which something has happened, and returns its spans, which were passed on up to done.
func (c *crowd) leave(id int, paths []profile.Path, done clock.Instant) (open []running) {
	if id >= len(c.lanes) || len(c.lanes[id].starts) == 0 {
		return nil
	}
	k := c.lanes[id]
	path := k.path
	for i, start := range k.starts {
		c.on[path]--
		open = append(open, running{path: path, depth: len(k.starts) - 1 - i, start: start, from: done, seen: k.seen})
		path = paths[path].Parent
	}
	c.lanes[id] = parked{}
	c.size--
	return open
}

// advance passes on the time from done to upTo.
func (c *crowd) advance(done, upTo clock.Instant, pass func(piece)) {
	for path, n := range c.on {
		if n > 0 && done < upTo {
			pass(piece{lane: allLanes, path: path, from: done, to: upTo, times: n})
		}
	}
}
