// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/strobe-go/strobe/profile"
)

// settled returns what was measured on a lane, with the time of calls that were not timed in the self times of their zones alone. As
// measured, it is in the self times of their callers, too: to these, calls that were not timed are like functions without a zone.
//
// Callers are known from the calls that were timed. If the caller was not timed itself, that is not seen: the call then seems to be one
// of the nearest caller that was. It is taken to be a call of the zone between the two, if there has been such a call.
//
// No more is taken from a caller than it has. What then remains is left out of the estimates that are the least certain.
func settled(l profile.LaneStats) []profile.ZoneStats {
	u := untimed{nodes: l.Nodes, zones: append([]profile.ZoneStats(nil), l.Zones...), at: make(map[int]int, len(l.Zones))}
	own := make([]time.Duration, len(u.zones))
	some := false
	for i, z := range u.zones {
		u.at[z.Zone], own[i] = i, z.Self
		some = some || z.Timed < z.Calls
	}
	if !some {
		return u.zones
	}
	timed := make([]time.Duration, len(u.zones)) // self times of timed calls that are in no other call of the zone
	for n, node := range u.nodes {
		if i, ok := u.at[node.Zone]; ok {
			own[i] -= node.Self
			if !u.inside(n) {
				timed[i] += node.Self
			}
		}
	}
	through := u.between()
	var claims []claim
	for n, node := range u.nodes {
		if i, ok := u.at[node.Zone]; ok && u.sampled(n) && own[i] > 0 && timed[i] > 0 && u.parent(n) >= 0 && !u.inside(n) {
			claims = append(claims, claim{n, time.Duration(float64(own[i]) * float64(node.Self) / float64(timed[i])), doubt(u.zones[i])})
		}
	}
	slices.SortStableFunc(claims, func(a, b claim) int { return cmp.Compare(a.doubt, b.doubt) })
	for _, c := range claims {
		for _, by := range through[place{u.parent(c.node), u.nodes[c.node].Zone}] {
			c.time -= u.take(by, c.time)
		}
		c.time -= u.take(u.parent(c.node), c.time)
		u.take(c.node, c.time) // the estimate was too high: the callers did not take so long
	}
	return u.zones
}

// untimed is what was measured on a lane, some of whose zones are sampled.
type untimed struct {
	nodes profile.Tree
	zones []profile.ZoneStats
	at    map[int]int // index in zones, by zone
}

// A claim is the estimated self time of calls that were not timed.
type claim struct {
	node  int
	time  time.Duration
	doubt float64
}

// doubt is the larger, the less is known of how long calls took.
func doubt(z profile.ZoneStats) float64 {
	if err := errorOf(z); err > 0 {
		return err
	}
	return math.Inf(1)
}

// A place is where calls of a zone were: below a node.
type place struct{ node, zone int }

// between returns the nodes of sampled zones from which calls of others seem to come from further up, if their own call is not timed.
func (u *untimed) between() map[place][]int {
	through := make(map[place][]int)
	for n, node := range u.nodes {
		if u.inside(n) {
			continue // its time is that of the call around it
		}
		by := u.parent(n)
		for up := by; up >= 0 && u.sampled(up); {
			up = u.parent(up)
			through[place{up, node.Zone}] = append(through[place{up, node.Zone}], by)
		}
	}
	return through
}

// take takes time from the self time of a node's zone, and returns how much it had.
func (u *untimed) take(node int, d time.Duration) time.Duration {
	if node < 0 {
		return 0
	}
	i, ok := u.at[u.nodes[node].Zone]
	if !ok {
		return 0
	}
	d = min(d, u.zones[i].Self)
	u.zones[i].Self -= d
	return d
}

// sampled reports whether some calls of a node's zone were not timed.
func (u *untimed) sampled(node int) bool {
	i, ok := u.at[u.nodes[node].Zone]
	return ok && u.zones[i].Timed < u.zones[i].Calls
}

// inside reports whether a node is below another of its zone.
func (u *untimed) inside(node int) bool {
	for up := u.parent(node); up >= 0; up = u.parent(up) {
		if u.nodes[up].Zone == u.nodes[node].Zone {
			return true
		}
	}
	return false
}

// parent returns the index of a node's parent; -1 if it has none.
func (u *untimed) parent(node int) int {
	if p := u.nodes[node].Parent; p < node {
		return p
	}
	return -1
}
