// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"fmt"
	"maps"
	"time"

	"github.com/strobe-go/strobe/profile"
)

// A mutual is what is known of functions that call each other in turn, some of which are sampled, and of those that call these: how much
// self time they have together. How it divides among them is not known: what a call takes depends on how much is inside it, so the few calls
// that were timed tell little of those that were not. What they call, and what does not call them, is known all the same.
type mutual struct {
	zones map[int]bool // by number
	self  time.Duration
	share float64 // of the self times of all functions
}

// mostMembers is how many of them are shown, unless all functions are.
const mostMembers = 8

// String names them in a table.
func (m mutual) String() string {
	return fmt.Sprintf("%d functions that call each other", len(m.zones))
}

// together returns what is known of those of all lanes, of which each has some. What a lane knows of the functions of others is added.
func together(lanes []profile.LaneStats, each []mutual) mutual {
	all := mutual{zones: make(map[int]bool)}
	for _, m := range each {
		maps.Copy(all.zones, m.zones)
		all.self += m.self
	}
	for _, l := range lanes {
		for _, z := range l.Zones {
			if all.zones[z.Zone] && !z.SelfUnknown {
				all.self += z.Self
			}
		}
	}
	return all
}

// shown returns the functions for a table of at most so many rows, fewer than 0 for no limit. Of those that call each other, it has the ones
// with the most calls.
func shown(all []function, rows int) (some []function) {
	if rows < 0 {
		return all
	}
	members := 0
	for _, f := range all {
		if f.mutual {
			if members++; members > mostMembers {
				continue
			}
		}
		some = append(some, f)
	}
	return limit(some, rows)
}

// recursion is from which part on that the durations of all calls exceed the total a function counts as recursive.
const recursion = 0.05

// mutualOf finds the sampled functions of a lane that call each other, and those that call them, by index in zones, which at has by zone.
func mutualOf(nodes profile.Tree, zones []profile.ZoneStats, at map[int]int) map[int]bool {
	calls := make([]map[int]bool, len(zones))
	for i := range calls {
		calls[i] = make(map[int]bool)
	}
	for n, node := range nodes {
		if node.Parent < 0 || node.Parent >= n {
			continue
		}
		from, ok := at[nodes[node.Parent].Zone]
		if to, known := at[node.Zone]; ok && known && from != to {
			calls[from][to] = true
		}
	}
	members := make(map[int]bool)
	for i, z := range zones {
		if recursive(z) && comesBack(i, calls) {
			members[i] = true
		}
	}
	callers := make(map[int]bool)
	for from, to := range calls {
		for i := range to {
			if members[i] && !members[from] {
				callers[from] = true
			}
		}
	}
	for i := range callers {
		members[i] = true
	}
	return members
}

// recursive reports whether a zone is sampled, and many of its calls are inside others of it.
func recursive(z profile.ZoneStats) bool {
	return z.Timed < z.Calls && float64(z.Sum) > (1+recursion)*float64(z.Total)
}

// comesBack reports whether a zone was seen to call itself by way of another one.
func comesBack(zone int, calls []map[int]bool) bool {
	seen := make(map[int]bool)
	var from func(int) bool
	from = func(i int) bool {
		for to := range calls[i] {
			if to == zone {
				return true
			}
			if !seen[to] {
				seen[to] = true
				if from(to) {
					return true
				}
			}
		}
		return false
	}
	return from(zone)
}
