// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"math/rand/v2"
	"strings"
	"time"

	"github.com/strobe-go/strobe/profile"
)

// A known is a made-up program of nested and recursive spans on two lanes, as a snapshot, with sums that were computed span by
// span, without a tree.
type known struct {
	snapshot profile.Snapshot

	calls       [5]uint64
	self, total [5]time.Duration
	paths       map[string]time.Duration // self time by path
	edges       map[[2]int]time.Duration // time in the second zone called by the first; the self time of each stack counts once
}

func (p *known) names() []string { return []string{"zone0", "zone1", "zone2", "zone3", "zone4"} }

func newKnown(seed uint64) *known {
	p := &known{paths: map[string]time.Duration{}, edges: map[[2]int]time.Duration{}}
	for _, name := range p.names() {
		p.snapshot.Zones = append(p.snapshot.Zones, profile.ZoneInfo{Name: name, Every: 1})
	}
	r := rand.New(rand.NewPCG(seed, 0))
	for id, name := range []string{"main", "worker"} {
		l := profile.LaneStats{LaneInfo: profile.LaneInfo{ID: id, Name: name}}
		index := map[string]int{}
		for range 20 {
			p.span(r, &l.Nodes, index, nil, -1)
		}
		p.snapshot.Lanes = append(p.snapshot.Lanes, l)
	}
	return p
}

// span runs a span of a random zone inside those of path and returns how long it took.
func (p *known) span(r *rand.Rand, tree *profile.Tree, index map[string]int, path []int, parent int) time.Duration {
	zone := r.IntN(5)
	path = append(path[:len(path):len(path)], zone)
	var names []string
	for _, z := range path {
		names = append(names, p.names()[z])
	}
	key := strings.Join(names, ";")
	node, ok := index[key]
	if !ok {
		node = int(len(*tree))
		index[key] = node
		*tree = append(*tree, profile.Node{Parent: parent, Zone: zone})
	}
	self := time.Duration(1 + r.IntN(5000))
	took := self
	for range r.IntN(3) {
		if len(path) < 6 {
			took += p.span(r, tree, index, path, node)
		}
	}
	n := &(*tree)[node]
	n.Calls++
	n.Self += self
	n.Total += took

	p.calls[zone]++
	p.self[zone] += self
	p.paths[key] += self
	seen, called := map[int]bool{}, map[[2]int]bool{}
	for i, z := range path {
		if !seen[z] {
			p.total[z] += self
		}
		seen[z] = true
		if i > 0 && !called[[2]int{path[i-1], z}] {
			p.edges[[2]int{path[i-1], z}] += self
			called[[2]int{path[i-1], z}] = true
		}
	}
	return took
}
