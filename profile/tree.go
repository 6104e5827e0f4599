// SPDX-License-Identifier: BSD-3-Clause

package profile

import (
	"cmp"
	"slices"
	"time"
)

// A Tree is a call tree: one node for each path of zones. Parents come before their children.
type Tree []Node

// A Node holds the measurements of one path of zones.
type Node struct {
	Parent  int           `json:"parent"`            // index of the parent in the tree; -1 if the span lies in no other
	Zone    int           `json:"zone"`              // index of the zone; -1, which is Other, for spans beyond the limits of the tree
	Calls   uint64        `json:"calls"`             // calls that have ended; of a sampled zone, those that were timed
	Untimed uint64        `json:"untimed,omitempty"` // of a sampled zone: calls that were not timed, for which those stand
	Total   time.Duration `json:"total_ns"`          // time on the path, including the spans inside; without calls that were not timed
	Self    time.Duration `json:"self_ns"`           // time on the path, without the spans inside; with an estimate for calls that were not timed
	Open    bool          `json:"open,omitempty"`    // a span has not ended
}

// Other is the Zone of the node that collects spans whose path did not fit into the tree.
const Other = -1

// Tree merges the call trees of all lanes: nodes of the same path become one. Children of a node are in the order of
// their Total, the largest first, and each node is directly followed by its descendants.
func (s Snapshot) Tree() Tree {
	trees := make([]Tree, 0, len(s.Lanes))
	for i := range s.Lanes {
		trees = append(trees, s.Lanes[i].Nodes)
	}
	return Merge(trees...)
}

// Merge merges call trees: nodes of the same path become one, with calls and times added up. Children of a node are in
// the order of their Total, the largest first, and each node is directly followed by its descendants. Nodes without calls
// and without time are left out.
func Merge(trees ...Tree) Tree {
	var m merger
	for _, t := range trees {
		m.add(t)
	}
	out := make(Tree, 0, len(m.nodes))
	m.mark()
	return m.list(out, m.first, -1)
}

// A merger holds the merged nodes and finds each by its parent and zone.
type merger struct {
	nodes []merged
	first []int
	find  map[edge]int
	index []int // of the nodes of the tree that is being added
}

type merged struct {
	Node
	children []int
	busy     bool
}

type edge struct{ parent, zone int }

func (m *merger) add(t Tree) {
	if m.find == nil {
		m.find = make(map[edge]int)
	}
	m.index = slices.Grow(m.index[:0], len(t))
	for _, n := range t {
		parent := int(-1)
		if n.Parent >= 0 && n.Parent < len(m.index) {
			parent = m.index[n.Parent]
		}
		i, ok := m.find[edge{parent, n.Zone}]
		if !ok {
			i = int(len(m.nodes))
			m.find[edge{parent, n.Zone}] = i
			m.nodes = append(m.nodes, merged{Node: Node{Parent: parent, Zone: n.Zone}})
			if parent < 0 {
				m.first = append(m.first, i)
			} else {
				m.nodes[parent].children = append(m.nodes[parent].children, i)
			}
		}
		m.index = append(m.index, i)
		to := &m.nodes[i].Node
		to.Calls += n.Calls
		to.Untimed += n.Untimed
		to.Total += n.Total
		to.Self += n.Self
		to.Open = to.Open || n.Open
	}
}

// list appends the nodes and their descendants.
func (m *merger) list(out Tree, nodes []int, parent int) Tree {
	slices.SortFunc(nodes, func(a, b int) int {
		return cmp.Or(cmp.Compare(m.nodes[b].Total, m.nodes[a].Total), cmp.Compare(m.nodes[a].Zone, m.nodes[b].Zone))
	})
	for _, i := range nodes {
		n := &m.nodes[i]
		if !n.busy {
			continue
		}
		n.Parent = parent
		at := int(len(out))
		out = m.list(append(out, n.Node), n.children, at)
	}
	return out
}

// mark finds the nodes in which, or beneath which, anything was measured.
func (m *merger) mark() {
	for i := len(m.nodes) - 1; i >= 0; i-- { // children come after their parents
		n := &m.nodes[i]
		n.busy = n.busy || n.Calls+n.Untimed > 0 || n.Total+n.Self > 0 || n.Open
		if n.busy && n.Parent >= 0 {
			m.nodes[n.Parent].busy = true
		}
	}
}

// A Call is the number and the total time of the calls between two zones.
type Call struct {
	Zone  int           `json:"zone"`     // index of the other zone; Other where there is none
	Calls uint64        `json:"calls"`    // calls that have ended
	Total time.Duration `json:"total_ns"` // time in the called zone; calls inside a call of the same two zones count once
}

// Callers returns the zones that zone was called from, directly, by Total, the largest first. Zone Other stands for no
// zone: spans that are not inside another, and those whose path did not fit into the tree.
func (t Tree) Callers(zone int) []Call {
	return t.calls(func(i int) (int, bool) { return t.zoneOf(t.parent(i)), t[i].Zone == zone })
}

// Callees returns the zones that were called from zone, directly, by Total, the largest first.
func (t Tree) Callees(zone int) []Call {
	return t.calls(func(i int) (int, bool) { p := t.parent(i); return t[i].Zone, p >= 0 && t[p].Zone == zone })
}

// parent returns the index of the parent of node i, -1 if there is none. A parent that does not come before its child
// counts as none: trees may come from another process.
func (t Tree) parent(i int) int {
	if p := int(t[i].Parent); p >= 0 && p < i {
		return p
	}
	return -1
}

func (t Tree) zoneOf(i int) int {
	if i < 0 {
		return Other
	}
	return t[i].Zone
}

// calls adds up the nodes that other selects, by what it returns.
func (t Tree) calls(other func(node int) (zone int, ok bool)) []Call {
	by := make(map[int]*Call)
	for i := range t {
		zone, ok := other(i)
		if !ok {
			continue
		}
		c := by[zone]
		if c == nil {
			c = &Call{Zone: zone}
			by[zone] = c
		}
		c.Calls += t[i].Calls
		if !t.inside(i) {
			c.Total += t[i].Total
		}
	}
	out := make([]Call, 0, len(by))
	for _, c := range by {
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b Call) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Zone, b.Zone))
	})
	return out
}

// inside reports whether a node above node i is of the same zone and has a parent of the same zone as the parent of i.
func (t Tree) inside(i int) bool {
	above := t.parent(i)
	from := t.zoneOf(above)
	for ; above >= 0; above = t.parent(above) {
		if t[above].Zone == t[i].Zone && t.zoneOf(t.parent(above)) == from {
			return true
		}
	}
	return false
}
