// SPDX-License-Identifier: BSD-3-Clause

package soak

import (
	"fmt"
	"math"
	"sync"
)

// A Check says how often something was looked at, and how often it was wrong.
type Check struct {
	Number uint64
	Wrong  uint64
	First  string // what was wrong first
}

// add adds another check of the same thing.
func (c *Check) add(o Check) {
	c.Number, c.Wrong = c.Number+o.Number, c.Wrong+o.Wrong
	if c.First == "" {
		c.First = o.First
	}
}

// checks has a Check for each name. Safe for concurrent use.
type checks struct {
	mu  sync.Mutex
	all map[string]Check
}

func (c *checks) add(name string, one Check) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil {
		c.all = map[string]Check{}
	}
	sum := c.all[name]
	sum.add(one)
	c.all[name] = sum
}

// that counts one look, with what to say if it was wrong.
func (c *checks) that(right bool, name, format string, args ...any) {
	one := Check{Number: 1}
	if !right {
		one.Wrong, one.First = 1, fmt.Sprintf(format, args...)
	}
	c.add(name, one)
}

// list returns a copy.
func (c *checks) list() map[string]Check {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := make(map[string]Check, len(c.all))
	for name, one := range c.all {
		out[name] = one
	}
	return out
}

// counts are calls by zone, as a source says.
type counts []uint64

// A source says counts again and again: they never fall, and lie between what had ended before and what had begun after; those of zones
// that are misused are compared at the end.
type source struct {
	name   string
	latest counts
}

func (s *source) compare(c *checks, said, ended, begun counts) {
	for z := range said {
		var before uint64
		if s.latest != nil {
			before = s.latest[z]
		}
		least, most := max(ended[z], before), begun[z]
		if misused[z] {
			least, most = before, math.MaxUint64
		}
		c.that(least <= said[z] && said[z] <= most, s.name, "%s: %d calls of %q, after %d, where %d had ended and %d begun",
			s.name, said[z], kinds[z].name, before, ended[z], begun[z])
	}
	s.latest = said
}
