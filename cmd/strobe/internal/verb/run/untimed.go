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
// Callers are known from the calls that were timed. If the caller was not timed itself, that is not seen: what it called, timed or not,
// seems to be called by the nearest caller that was timed. As much of it belongs to the caller that was not as the timed calls of that
// one had, for each call.
//
// No more is taken from a caller than it has. What then remains is left out of the estimates that are the least certain.
//
// The self times of functions that call each other in turn are not known, but how much they have together.
func settled(l profile.LaneStats) ([]profile.ZoneStats, mutual) {
	u := untimed{nodes: l.Nodes, zones: slices.Clone(l.Zones), at: make(map[int]int, len(l.Zones))}
	some := false
	for i, z := range u.zones {
		u.at[z.Zone] = i
		some = some || z.Timed < z.Calls && !z.SelfUnknown
	}
	if !some {
		return u.zones, mutual{}
	}
	members := mutualOf(u.nodes, u.zones, u.at)
	timed := u.estimate()
	var claims []claim
	u.between()
	passed := time.Duration(0)
	for n, node := range u.nodes {
		i, ok := u.at[node.Zone]
		up := u.parent(n)
		if up < 0 {
			passed += node.Total
			if ok && timed[i] > 0 {
				passed += time.Duration(float64(u.zones[i].Total-timed[i]) * float64(node.Total) / float64(timed[i]))
			}
		}
		if !ok || up < 0 || node.Total <= 0 || u.inside(n) || u.among(members, up) {
			continue
		}
		guess := float64(u.zones[i].Total-timed[i]) * float64(node.Total) / float64(timed[i])
		add := func(from int, part time.Duration) {
			claims = append(claims, claim{n, from, time.Duration(guess * float64(part) / float64(node.Total)), doubt(u.zones[i])})
		}
		rest := u.split(n, func(by int, part time.Duration) {
			u.give(up, u.take(by, part))
			add(by, part)
		})
		add(up, rest)
	}
	slices.SortStableFunc(claims, func(a, b claim) int { return cmp.Compare(a.doubt, b.doubt) })
	for _, c := range claims {
		u.take(c.node, c.time-u.take(c.from, c.time))
	}
	m := mutual{zones: make(map[int]bool, len(members))}
	for i := range u.zones {
		z := &u.zones[i]
		if members[i] {
			z.SelfUnknown = true
			m.zones[z.Zone] = true
		} else {
			passed -= z.Self
		}
		if z.SelfUnknown {
			z.Self = 0
		}
	}
	if len(members) > 0 {
		m.self = max(0, passed)
	}
	return u.zones, m
}

// among reports whether the zone of a node is one of some, or the node is that of paths for which there was no room, which may be theirs.
func (u *untimed) among(some map[int]bool, node int) bool {
	i, ok := u.at[u.nodes[node].Zone]
	return ok && some[i] || !ok && len(some) > 0
}

// untimed is what was measured on a lane, some of whose zones are sampled.
type untimed struct {
	nodes profile.Tree
	zones []profile.ZoneStats
	at    map[int]int // index in zones, by zone

	through map[place][]below
	shares  map[int]float64 // what direct has returned
}

// A below is a node further down than a place, and how often a call there seems to be at the place, for each time that it does not.
type below struct {
	node  int
	times float64
}

// A place is where calls of a zone were: below a node.
type place struct{ node, zone int }

// A claim is the estimated time of calls that were not timed, which the self time of their caller has, too.
type claim struct {
	node, from int
	time       time.Duration
	doubt      float64
}

// doubt is the larger, the less is known of how long calls took.
func doubt(z profile.ZoneStats) float64 {
	if err := errorOf(z); err > 0 {
		return err
	}
	return math.Inf(1)
}

// errorOf returns the relative half-width of the 95 % interval of the mean duration of a sampled zone, from the scatter of the calls
// that were timed; 0 if all were, or too few.
func errorOf(z profile.ZoneStats) float64 {
	mean, ok := z.Mean()
	sd, known := z.Histogram.StdDev()
	if z.Timed >= z.Calls || !ok || !known || mean <= 0 || z.Timed < leastTimed {
		return 0
	}
	return normal95 * sd / mean / math.Sqrt(float64(z.Timed)) * math.Sqrt(1-float64(z.Timed)/float64(z.Calls))
}

const (
	normal95   = 1.96
	leastTimed = 30
)

// estimate makes the self times of zones those of timed calls, and all that others took, as if they called nothing. It returns what the
// timed calls took, without those inside others of the zone.
func (u *untimed) estimate() (timed []time.Duration) {
	timed = make([]time.Duration, len(u.zones))
	for i := range u.zones {
		u.zones[i].Self = 0
	}
	for n, node := range u.nodes {
		if i, ok := u.at[node.Zone]; ok {
			u.zones[i].Self += node.Self
			if !u.inside(n) {
				timed[i] += node.Total
			}
		}
	}
	for i := range u.zones {
		z := &u.zones[i]
		z.Total = max(z.Total, timed[i])
		z.Self += z.Total - timed[i]
	}
	return timed
}

// between finds, for the places where calls seem to be if those around them are not timed, the nodes where they are if these are timed.
// Calls inside others of their zone are left out.
func (u *untimed) between() {
	u.through, u.shares = make(map[place][]below), make(map[int]float64)
	for n, node := range u.nodes {
		if u.inside(n) {
			continue
		}
		times := 1.0
		for up := u.parent(n); up >= 0 && u.skipped(up) > 0; {
			times *= u.skipped(up)
			up = u.parent(up)
			u.through[place{up, node.Zone}] = append(u.through[place{up, node.Zone}], below{n, times})
		}
	}
}

// split calls f with the nodes that called what a node has, in calls that were not timed, and the time of each. It returns the rest, of
// which the node's parent is the caller: nothing if it is within the error of the others.
func (u *untimed) split(n int, f func(by int, part time.Duration)) (rest time.Duration) {
	node := u.nodes[n]
	all := u.through[place{u.parent(n), node.Zone}]
	parts := make([]float64, len(all))
	sum, variance := 0.0, 0.0 // of calls
	for i, b := range all {
		calls := float64(u.nodes[b.node].Calls)
		parts[i] = u.direct(b.node) * calls * b.times
		sum += parts[i]
		variance += calls * b.times * b.times
	}
	if sum == 0 {
		return node.Total
	}
	scale := 1.0
	if float64(node.Calls) < sum+certain*math.Sqrt(variance) {
		scale = float64(node.Calls) / sum
	}
	rest = node.Total
	for i, b := range all {
		part := time.Duration(scale * parts[i] / float64(max(node.Calls, 1)) * float64(node.Total))
		part = min(part, rest)
		rest -= part
		f(u.parent(b.node), part)
	}
	return rest
}

// direct returns the share of a node that was called by the node's parent itself.
func (u *untimed) direct(n int) float64 {
	share, ok := u.shares[n]
	if !ok {
		rest := u.split(n, func(int, time.Duration) {})
		share = float64(rest) / float64(max(u.nodes[n].Total, 1))
		u.shares[n] = share
	}
	return share
}

// certain is by how many standard errors something must differ to be more than chance.
const certain = 2

// skipped returns how many calls of a node's zone were not timed, for each that was.
func (u *untimed) skipped(node int) float64 {
	i, ok := u.at[u.nodes[node].Zone]
	if !ok || u.zones[i].Timed == 0 {
		return 0
	}
	return float64(u.zones[i].Calls-min(u.zones[i].Calls, u.zones[i].Timed)) / float64(u.zones[i].Timed)
}

// take takes time from the self time of a node's zone, and returns how much it had.
func (u *untimed) take(node int, d time.Duration) time.Duration {
	i, ok := u.at[u.nodes[node].Zone]
	if !ok {
		return 0
	}
	d = min(d, u.zones[i].Self)
	u.zones[i].Self -= d
	return d
}

func (u *untimed) give(node int, d time.Duration) { u.take(node, -d) }

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
