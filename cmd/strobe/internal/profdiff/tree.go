// SPDX-License-Identifier: BSD-3-Clause

package profdiff

import (
	"cmp"
	"slices"
)

// A Node is a function called by way of those above it, with the cost of all that it calls.
type Node struct {
	Name     string      `json:"name"`
	Cost     [2]float64  `json:"cost"`             // ns of a call, by side
	Bounds   *[2]float64 `json:"bounds,omitempty"` // of how much more it costs on the new side, for each node by itself; nil if there are too few runs
	Children []*Node     `json:"children,omitempty"`

	samples [2]int
	below   map[string]*Node
}

const (
	leastShare = 0.001 // of the cost of a call that a node must have to be kept
	nodeError  = 0.05  // of the bounds of a node
	deepest    = 200   // functions; a recursion ends there
)

// Tree returns the call tree of both sides together. Its root stands for the whole.
func (p *Profiles) Tree(cost Cost) *Node {
	moved := p.moved()
	v := p.comparer(cost, moved)
	v.error = nodeError
	v.waiting(p.single, p.disturbed())
	root := &Node{Name: "all"}
	for side := range p.sides {
		s := &p.sides[side]
		for _, r := range s.runs {
			for i, n := range r.count {
				at := root
				at.samples[side] += n
				for _, f := range s.stacks[i].frames[:min(len(s.stacks[i].frames), deepest)] {
					if to, ok := moved[f]; ok && side == Base {
						f = to
					}
					at = at.child(f)
					at.samples[side] += n
				}
			}
		}
	}
	whole := 0.0
	for side := range v.sides {
		whole = max(whole, v.share(side, tally{all: root.samples[side]}).value())
	}
	root.finish(&v, leastShare*whole)
	return root
}

// child returns the node of a function below.
func (n *Node) child(name string) *Node {
	if n.below == nil {
		n.below = map[string]*Node{}
	}
	c := n.below[name]
	if c == nil {
		c = &Node{Name: name}
		n.below[name] = c
	}
	return c
}

// finish computes the costs of a node and of those below it that cost enough.
func (n *Node) finish(v *comparer, enough float64) {
	base, latest := v.share(Base, tally{all: n.samples[Base]}), v.share(New, tally{all: n.samples[New]})
	n.Cost = [2]float64{base.value(), latest.value()}
	if iv := difference(base, latest, nodeError, v.pool); iv.Bounded() {
		n.Bounds = &[2]float64{iv.Lo, iv.Hi}
	}
	for _, c := range n.below {
		c.finish(v, enough)
		if max(c.Cost[Base], c.Cost[New]) >= enough {
			n.Children = append(n.Children, c)
		}
	}
	slices.SortFunc(n.Children, func(a, b *Node) int { return cmp.Compare(a.Name, b.Name) })
}
