// SPDX-License-Identifier: BSD-3-Clause

package unit

import (
	"math"

	"github.com/strobe-go/strobe/profile"
)

// A path is what the collector needs to know of a path of zones.
type path struct {
	parent int32 // -1: none
	zone   int32
	level  uint8 // units on the path, the one that it ends with included
	root   bool  // a span on it is a unit
}

// learn notes new paths. Those that are known do not change.
func learn(known []path, t *profile.Timeline) []path {
	for i := len(known); i < len(t.Paths); i++ {
		p := path{parent: -1, zone: profile.Other}
		if above := t.Paths[i].Parent; above >= 0 && above < i {
			p.parent = int32(above)
			p.level = known[above].level
		}
		if zone := t.Paths[i].Zone; zone >= 0 && zone < len(t.Zones) {
			p.zone = int32(zone)
			if t.Zones[zone].Root && p.level < math.MaxUint8 && !inside(known, p.parent, p.zone) {
				p.root = true
				p.level++
			}
		}
		known = append(known, p)
	}
	return known
}

// inside reports whether a path contains a zone. A call of a root zone inside a call of the same zone is not a unit.
func inside(known []path, at, zone int32) bool {
	for ; at >= 0; at = known[at].parent {
		if known[at].zone == zone {
			return true
		}
	}
	return false
}
