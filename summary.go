// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import "github.com/strobe-go/strobe/profile"

// summed is the ID of a lane that stands for several.
const summed = -1

// A summary adds up lanes.
type summary struct {
	*converter
	paths *paths
	nodes []count   // by path
	zones []zoneSum // by ID
	rest  []uint64  // by path: number of lanes on which only time has passed, in spans of which the innermost has the path
	open  int
}

// add adds the lane of which the converter has the shape and the tally, since an earlier tally.
func (s *summary) add(l *Lane, before *tally) {
	s.sum(before)
	for i := range s.since {
		c := &s.since[i]
		n := s.node(s.paths.of(l, l.tree.node(uint64(i+1))))
		n.calls, n.total, n.self, n.open = n.calls+c.calls, n.total+c.total, n.self+c.self, n.open || c.open
		n.beyond.skipped, n.beyond.beside = n.beyond.skipped+c.beyond.skipped, n.beyond.beside+c.beyond.beside
	}
	for i := range s.sums {
		s.zone(s.sums[i].zone).add(&s.sums[i])
		s.open += s.sums[i].open
	}
}

// pass adds a lane on which only time has passed.
func (s *summary) pass(path int) {
	s.node(path)
	for len(s.rest) <= path {
		s.rest = append(s.rest, 0)
	}
	s.rest[path]++
}

func (s *summary) node(path int) *count {
	for len(s.nodes) <= path {
		s.nodes = append(s.nodes, count{})
	}
	return &s.nodes[path]
}

func (s *summary) zone(id int) *zoneSum {
	for len(s.zones) <= id {
		s.zones = append(s.zones, zoneSum{zone: len(s.zones)})
	}
	return &s.zones[id]
}

// result returns the sums. d is the time, in ticks, that has passed on the lanes of pass.
func (s *summary) result(d uint64) (profile.Tree, []profile.ZoneStats, int) {
	for path, n := range s.rest {
		if n > 0 {
			s.passed(path, n, d)
		}
	}
	var nodes profile.Tree
	if len(s.nodes) > 0 { // also those without activity, so that a path keeps its index
		nodes = s.tree(len(s.paths.all))
	}
	for i, p := range s.paths.all[:len(nodes)] {
		n := s.node(i)
		nodes[i] = profile.Node{Parent: p.Parent, Zone: p.Zone, Calls: n.calls + n.beyond.beside, Untimed: n.beyond.skipped, Total: s.duration(n.total), Self: s.duration(n.self), Open: n.open}
	}
	s.none()
	s.sums = append(s.sums, s.zones...)
	return nodes, s.sorted(true), s.open
}

// passed adds d ticks on n lanes to the spans of a path.
func (s *summary) passed(path int, n, d uint64) {
	self := n * d
	for p := path; p >= 0; p = s.paths.all[p].Parent {
		x, z := s.node(p), s.zone(int(s.paths.all[p].Zone))
		x.total, x.self, x.open = x.total+n*d, x.self+self, true
		if !s.paths.again(p) {
			z.total += n * d
		}
		z.self += self
		z.open += int(n)
		s.open += int(n)
		self = 0
	}
}
