// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"time"

	"github.com/strobe-go/strobe/internal/unit"
	"github.com/strobe-go/strobe/profile"
)

// The lanes of the paths of units. A unit may run on any lane, so what counts is whether a span is on that lane or linked.
const (
	ownLane    = -2
	linkedLane = -3
)

// Root zones that a viewer may ask for, beside the numbers of zones from 1 on.
const (
	noRoot  = 0
	anyRoot = -1 // the one with most time in units, if there is no loop
)

const (
	slowIsOpen = time.Second // a unit that has taken longer is shown before it ends
	mostOpen   = 20          // such units
)

// units are the calls of root zones: those that have not ended, and those that are kept.
type units struct {
	collector *unit.Collector
	keeper    *unit.Keeper
}

// newUnits returns units that use at most half of limit, and as much, or a megabyte, for spans of those that have not ended.
func newUnits(limit int64) units {
	return units{unit.NewCollector(max(limit/2, 1<<20)), unit.NewKeeper(limit / 2)}
}

// read processes a reading, and reports whether there is a new root zone: one with a unit that has ended, or has taken long.
func (u *units) read(t profile.Timeline) (more bool) {
	n := len(u.keeper.Roots())
	u.collector.Read(t, u.keeper.Add)
	if len(u.keeper.Roots()) == 0 {
		for _, open := range u.collector.Open(slowIsOpen, 1) {
			u.keeper.Declare(open.Zone)
		}
	}
	return len(u.keeper.Roots()) > n
}
