// SPDX-License-Identifier: BSD-3-Clause

package profile

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"
)

// A run is a made-up program that enters zones at random and counts independently what a tree must contain.
type run struct {
	r     *rand.Rand
	tree  Tree
	index map[string]int
	path  []int

	calls         map[[2]int]uint64        // by caller and called zone
	total         map[[2]int]time.Duration // the same for the time, of nested calls once
	within        map[[2]int]int
	self, outside time.Duration
}

func newRun(seed uint64) *run {
	return &run{r: rand.New(rand.NewPCG(seed, 0)), index: map[string]int{}, calls: map[[2]int]uint64{},
		total: map[[2]int]time.Duration{}, within: map[[2]int]int{}}
}

// call runs a span of a zone and returns its duration.
func (p *run) call(zone, parent int, depth int) time.Duration {
	caller := int(Other)
	if parent >= 0 {
		caller = p.tree[parent].Zone
	}
	edge := [2]int{caller, zone}
	p.path = append(p.path, zone)
	key := fmt.Sprint(p.path)
	i, ok := p.index[key]
	if !ok {
		i = int(len(p.tree))
		p.index[key] = i
		p.tree = append(p.tree, Node{Parent: parent, Zone: zone})
	}
	p.within[edge]++
	self := time.Duration(p.r.IntN(100))
	took := self
	for range p.r.IntN(4) {
		if depth > 0 {
			took += p.call(int(p.r.IntN(3)), i, depth-1)
		}
	}
	p.within[edge]--
	p.calls[edge]++
	if p.within[edge] == 0 {
		p.total[edge] += took
	}
	p.self += self
	p.path = p.path[:len(p.path)-1]
	n := &p.tree[i]
	n.Calls++
	n.Total += took
	n.Self += self
	return took
}

func TestCallersAndCalleesAgreeWithACountMadeByHand(t *testing.T) {
	for seed := range uint64(200) {
		p := newRun(seed)
		for range 3 {
			p.outside += p.call(int(p.r.IntN(3)), -1, 6)
		}
		for zone := range int(3) {
			var callers, callees []Call
			for edge, calls := range p.calls {
				if edge[1] == zone {
					callers = append(callers, Call{edge[0], calls, p.total[edge]})
				}
				if edge[0] == zone {
					callees = append(callees, Call{edge[1], calls, p.total[edge]})
				}
			}
			if got := p.tree.Callers(zone); !same(got, callers) {
				t.Fatalf("seed %d: zone %d is called from %+v, want %+v", seed, zone, got, callers)
			}
			if got := p.tree.Callees(zone); !same(got, callees) {
				t.Fatalf("seed %d: zone %d calls %+v, want %+v", seed, zone, got, callees)
			}
		}
	}
}

// same reports whether two lists hold the same calls, the first of them by total.
func same(got, want []Call) bool {
	if !slices.IsSortedFunc(got, func(a, b Call) int { return int(b.Total - a.Total) }) || len(got) != len(want) {
		return false
	}
	for _, c := range want {
		if !slices.Contains(got, c) {
			return false
		}
	}
	return true
}

// A zone that calls itself ten deep took 100 ns, not the sum over the levels.
func TestRecursionDoesNotInflateTotals(t *testing.T) {
	var tree Tree
	for i := range int(10) {
		tree = append(tree, Node{Parent: i - 1, Calls: 1, Total: 100 - time.Duration(i)*10, Self: 10})
	}
	want := []Call{{0, 9, 90}, {Other, 1, 100}}
	if got := tree.Callers(0); len(got) != 2 || got[0] != want[1] || got[1] != want[0] {
		t.Errorf("called from %+v", got)
	}
	if got := tree.Callees(0); len(got) != 1 || got[0] != want[0] {
		t.Errorf("calls %+v", got)
	}
}

func TestCallsInsideCallsOfTheSameTwoZonesCountOnce(t *testing.T) {
	tree := Tree{{Parent: -1, Zone: 0, Calls: 1, Total: 100}, {Parent: 0, Zone: Other, Total: 80}, {Parent: 1, Zone: 0, Calls: 2, Total: 60},
		{Parent: 2, Zone: 1, Calls: 3, Total: 30}, {Parent: 3, Zone: 0, Calls: 4, Total: 20}, {Parent: 4, Zone: 1, Calls: 5, Total: 10}}
	if got, want := tree.Callers(0), []Call{{Zone: Other, Calls: 3, Total: 100}, {Zone: 1, Calls: 4, Total: 20}}; !same(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := tree.Callees(0), []Call{{Zone: Other, Total: 80}, {Zone: 1, Calls: 8, Total: 30}}; !same(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestMergeKeepsEveryPathOnceWithItsSums(t *testing.T) {
	for seed := range uint64(100) {
		a, b := newRun(seed), newRun(seed+1000)
		a.outside = a.call(0, -1, 5)
		b.outside = b.call(1, -1, 5) + b.call(0, -1, 4)
		got := Merge(a.tree, b.tree, nil)
		paths, self, outside := map[string]Node{}, time.Duration(0), time.Duration(0)
		for i, n := range got {
			if n.Parent >= i {
				t.Fatalf("seed %d: the parent of node %d is %d", seed, i, n.Parent)
			}
			if n.Parent < 0 {
				outside += n.Total
			}
			self += n.Self
			key := fmt.Sprint(path(got, i))
			if _, twice := paths[key]; twice {
				t.Fatalf("seed %d: the path %s is there twice", seed, key)
			}
			paths[key] = n
		}
		if self != a.self+b.self || outside != a.outside+b.outside {
			t.Fatalf("seed %d: %v and %v, want %v and %v", seed, self, outside, a.self+b.self, a.outside+b.outside)
		}
		for _, p := range []*run{a, b} {
			for key, i := range p.index {
				n, want := paths[key], p.tree[i]
				if j, both := map[*run]*run{a: b, b: a}[p].index[key]; both {
					o := map[*run]*run{a: b, b: a}[p].tree[j]
					want.Calls, want.Total, want.Self = want.Calls+o.Calls, want.Total+o.Total, want.Self+o.Self
				}
				if n.Calls != want.Calls || n.Total != want.Total || n.Self != want.Self {
					t.Fatalf("seed %d: %s is %+v, want %+v", seed, key, n, want)
				}
			}
		}
	}
}

func path(t Tree, i int) (zones []int) {
	for ; i >= 0; i = int(t[i].Parent) {
		zones = append(zones, t[i].Zone)
	}
	slices.Reverse(zones)
	return zones
}

func TestMergeOrdersChildrenByTotalAndLeavesOutWhatIsIdle(t *testing.T) {
	a := Tree{
		{Parent: -1, Zone: 0, Calls: 1, Total: 10, Self: 2},
		{Parent: 0, Zone: 1, Calls: 1, Total: 3, Self: 3},
		{Parent: 0, Zone: 2, Calls: 1, Total: 5, Self: 5},
		{Parent: 0, Zone: 3},             // idle
		{Parent: 3, Zone: 4, Open: true}, // keeps its parent
		{Parent: -1, Zone: 5},            // idle
		{Parent: -1, Zone: Other, Calls: 1, Total: 99},
	}
	var got []int
	for _, n := range Merge(a) {
		got = append(got, n.Zone)
	}
	if want := []int{Other, 0, 2, 1, 3, 4}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	s := Snapshot{Lanes: []LaneStats{{Nodes: a[:3]}, {Nodes: a[:2]}}}
	if tree := s.Tree(); len(tree) != 3 || tree[0].Total != 20 || tree[1].Zone != 1 || tree[1].Total != 6 {
		t.Errorf("%+v", tree)
	}
	if tree := (Snapshot{}).Tree(); len(tree) != 0 || !reflect.DeepEqual(Merge(), Tree{}) {
		t.Errorf("%+v", tree)
	}
}
