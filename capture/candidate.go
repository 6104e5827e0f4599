// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// A candidate is a slow unit.
type candidate struct {
	root     *root
	turn     turn
	usual    time.Duration // median of the units before it; 0 if there were too few
	near     []turn        // ordinary units before it, the latest first: the root has forgotten them when it is explained much later
	nearLong []turn        // the same of units that took longer, but were not slow
	unit     profile.Unit  // of a root zone
	most     int           // zone in which the unit spent most of its own time; -1 if it is unknown
	lost     time.Duration // how long before the flight recorder was read the unit began, if it does not keep events for so long; 0 if it does
}

func (c *candidate) excess() time.Duration { return c.turn.took - c.usual }

// ordinary returns up to mostUsual ordinary units of the same root in a time: those before this one, or later ones if they are more.
func (c *candidate) ordinary(from, to clock.Instant) []turn {
	return larger(within(c.near, from, to), c.root.ordinary(from, to, mostUsual))
}

// longer is as ordinary, for units that took longer, but were not slow.
func (c *candidate) longer(from, to clock.Instant, o *Options) []turn {
	return larger(within(c.nearLong, from, to), c.root.longer(from, to, mostUsual, o))
}

// within returns the units that began and ended in a time.
func within(all []turn, from, to clock.Instant) (some []turn) {
	for _, t := range all {
		if t.from >= from && t.to() <= to {
			some = append(some, t)
		}
	}
	return some
}

func larger(a, b []turn) []turn {
	if len(b) > len(a) {
		return b
	}
	return a
}
