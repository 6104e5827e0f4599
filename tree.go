// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"sync/atomic"

	"github.com/strobe-go/strobe/internal/budget"
	"github.com/strobe-go/strobe/internal/word"
)

// A tree is the call tree of a lane, with one node for each path of zones that was entered. Its lane's goroutine writes it.
type tree struct {
	slabs  atomic.Pointer[[]*slab]
	count  word.Word // nodes made; the root is the first
	again  int       // of these, nodes with another node of their zone above them
	other  *node     // parent of spans whose path has no room; nil until there are any
	others int       // the number of its children

	accs []*accumulator // in order of creation
}

// makeRoot creates the root. It returns false if the budget does not allow it.
func (t *tree) makeRoot(pooled bool) bool {
	slabs := []*slab{}
	t.slabs.Store(&slabs)
	return t.add(nil, &rootZone, false, pooled) != nil
}

// Zones that users do not see.
var (
	rootZone  Zone // of the node that stands for the lane itself
	otherZone Zone // of tree.other
)

func (t *tree) root() *node { return &(*t.slabs.Load())[0][0] }

// node returns the node with a number below count.
func (t *tree) node(id uint64) *node {
	return &(*t.slabs.Load())[id/uint64(len(slab{}))][id%uint64(len(slab{}))]
}

// grow returns the child of parent for zone z, which it makes at first use; nil if the limits or the budget do not allow one.
func (t *tree) grow(parent *node, z *Zone, pooled bool) *node {
	if c := parent.child(z); c.zone == z {
		return c
	}
	if parent.flags&overfull != 0 {
		for id := range t.count.Get() {
			if n := t.node(id); n.parent == parent && n.zone == z {
				return n
			}
		}
	}
	if parent == t.other {
		if t.others == maxOther {
			return nil
		}
		n := t.add(parent, z, false, pooled)
		if n != nil {
			t.others++
		}
		return n
	}
	if t.full(parent, false) {
		return nil
	}
	again := inside(parent, z)
	if t.full(parent, again) {
		return nil
	}
	n := t.add(parent, z, again, pooled)
	if n != nil && again {
		t.again++
	}
	return n
}

// full reports whether the limits allow no further child of parent, of a zone that a node above has, again, or has not.
func (t *tree) full(parent *node, again bool) bool {
	return parent.depth == maxDepth || t.count.Get()-uint64(t.others) > maxNodes || again && t.again >= maxAgain
}

// room returns the length for a table by node that had another length: not one more each time, since nodes may come one by one.
func (t *tree) room(had int) int { return max(int(t.count.Get()), min(2*had, maxNodes+maxOther)) }

// inside reports whether n or a node above it has the zone z.
func inside(n *node, z *Zone) bool {
	for ; n != nil; n = n.parent {
		if n.zone == z {
			return true
		}
	}
	return false
}

// rest returns the parent node of spans whose path does not fit into the tree; nil if the budget does not allow it.
func (t *tree) rest() *node {
	if t.other == nil {
		t.other = t.add(t.root(), &otherZone, false, true)
	}
	return t.other
}

// add makes a node. again is set if a node above has the same zone.
func (t *tree) add(parent *node, z *Zone, again, pooled bool) *node {
	id := t.count.Get()
	slabs := *t.slabs.Load()
	if int(id)/len(slab{}) == len(slabs) {
		if !memory.Take(slabBytes, budget.Essential) {
			return nil
		}
		more := append(slabs, new(slab)) // readers of the old slice do not look beyond its end
		t.slabs.Store(&more)
		slabs = more
	}
	n := &slabs[id/uint64(len(slab{}))][id%uint64(len(slab{}))]
	n.children, n.parent, n.zone, n.id, n.again = &noChildren[0], parent, z, uint16(id), again
	if !pooled {
		n.acc.Store(t.accumulator(z))
	}
	if parent != nil {
		n.depth = parent.depth + 1
		parent.adopt(n)
	}
	t.count.Set(id + 1) // now readers see the node
	return n
}

// accumulator returns the accumulator of a zone, which it makes at first use; nil if the budget does not allow one.
func (t *tree) accumulator(z *Zone) *accumulator {
	if z == &rootZone {
		return nil
	}
	for _, a := range t.accs {
		if a.zone == z {
			return a
		}
	}
	if !memory.Take(accumulatorBytes, budget.Detail) {
		return nil
	}
	a := newAccumulator(z)
	t.accs = append(t.accs, a)
	return a
}
