// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/race"
	"github.com/strobe-go/strobe/profile"
)

// ledger is the content of a lane, in ticks.
type ledger map[*Zone]*entry

type entry struct {
	calls, total uint64
	self         int64
}

func (l *Lane) ledger() ledger {
	out := ledger{}
	of := func(z *Zone) *entry {
		if out[z] == nil {
			out[z] = new(entry)
		}
		return out[z]
	}
	for id := uint64(1); id < l.tree.count.Get(); id++ {
		n := l.tree.node(id)
		e := of(n.zone)
		e.calls += n.calls.Get()
		e.self += int64(n.total.Get())
		if !n.again {
			e.total += n.total.Get()
		}
		if n.parent.parent != nil && n.parent != l.tree.other {
			of(n.parent.zone).self -= int64(n.total.Get())
		}
		if f := l.folding; f != nil && f.moved.Load() != nil && int(id) < len(*f.moved.Load()) {
			e.self += int64((*f.moved.Load())[id].self.Get())
		}
	}
	return out
}

// withShared returns the entry of a zone, including the shared lane, on which self times are unknown.
func (x ledger) withShared(z *Zone) (e entry, shared bool) {
	if x[z] != nil {
		e = *x[z]
	}
	if p := z.pool.Load(); p != nil {
		for i := range p.stripes {
			e.calls += p.stripes[i].calls.Load()
			e.total += p.stripes[i].total.Load()
			shared = shared || p.stripes[i].calls.Load() > 0
		}
	}
	return e, shared
}

func TestTotalIsSelfAndTotalsInsideToTheTick(t *testing.T) {
	outer, a, b, leaf := NewZone("outer"), NewZone("a"), NewZone("b"), NewZone("leaf")
	l, s := on(t, func(l *Lane) {
		for range 100 {
			o := l.Enter(outer)
			spin(10)
			x := l.Enter(a)
			for range 3 {
				y := l.Enter(leaf)
				spin(5)
				y.Exit()
			}
			x.Exit()
			y := l.Enter(b)
			spin(20)
			y.Exit()
			o.Exit()
		}
	})
	x := l.ledger()
	if int64(x[outer].total) != x[outer].self+int64(x[a].total)+int64(x[b].total) || x[outer].self <= 0 {
		t.Errorf("total of outer is %d ticks, self %d, totals inside %d", x[outer].total, x[outer].self, x[a].total+x[b].total)
	}
	if int64(x[a].total) != x[a].self+int64(x[leaf].total) {
		t.Errorf("total of a is %d ticks, self %d, totals inside %d", x[a].total, x[a].self, x[leaf].total)
	}
	if of(s, outer).Calls != 100 || of(s, leaf).Calls != 300 || s.Open != 0 || len(s.Nodes) != 4 {
		t.Errorf("%+v", s)
	}
}

func TestATreeHasANodeForEachPath(t *testing.T) {
	a, b, c := NewZone("a"), NewZone("b"), NewZone("c")
	_, s := on(t, func(l *Lane) {
		run := func(zones ...*Zone) {
			for _, z := range zones {
				defer l.Enter(z).Exit()
				nextTick()
			}
		}
		run(a, b, c)
		run(a, c)
		run(c)
		run(a, b, a)
		run(a, b)
	})
	want := map[string]uint64{"a": 4, "a b": 3, "a b c": 1, "a c": 1, "c": 1, "a b a": 1}
	got := map[string]uint64{}
	names := map[int]string{int(a.id): "a", int(b.id): "b", int(c.id): "c"}
	for i, n := range s.Nodes {
		path := names[n.Zone]
		for p := n.Parent; p >= 0; p = s.Nodes[p].Parent {
			if int(p) >= i {
				t.Fatalf("node %d comes before its parent %d", i, p)
			}
			path = names[s.Nodes[p].Zone] + " " + path
		}
		got[path] = n.Calls
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	if x := of(s, a); x.Calls != 5 || x.Total >= x.Sum {
		t.Errorf("a inside a counts once in the total, %v, and twice in the sum, %v; %d calls", x.Total, x.Sum, x.Calls)
	}
}

// A model counts independently what a lane must contain. It is told of each enter and exit, and measures no time.
type model struct {
	l     *Lane
	zones []*Zone
	rng   *rand.Rand
	calls map[*Zone]uint64
	left  int
}

func (m *model) run(depth, most int) {
	for range 1 + m.rng.IntN(4) {
		if m.left--; m.left < 0 {
			return
		}
		z := m.zones[m.rng.IntN(len(m.zones))]
		m.calls[z]++
		s := m.l.Enter(z)
		if m.rng.IntN(4) == 0 {
			spin(m.rng.IntN(4))
		}
		if depth < most && m.rng.IntN(10) > 0 {
			m.run(depth+1+m.rng.IntN(2), most)
		}
		s.Exit()
	}
}

// Whatever the calls are, and whether or not the tree has room for them, no call is lost, and the sum of all self times is the
// time of the outermost span, to the tick.
func TestCallsAndTimesAddUpInRandomPrograms(t *testing.T) {
	race.Sequential(t)
	if !alone(t) { // its trees would stay for the readings of all other tests
		return
	}
	amplyBudgeted(t)
	programs := 300
	if testing.Short() {
		programs = 60
	}
	folded := 0
	for seed := range uint64(programs) {
		rng := rand.New(rand.NewPCG(seed, 1))
		m := &model{l: NewLane("model"), rng: rng, calls: map[*Zone]uint64{}, left: 2000}
		for i := range 1 + rng.IntN(30) {
			m.zones = append(m.zones, NewZone(fmt.Sprint("z", i)))
		}
		root := NewZone("root")
		most := 20
		if seed%3 == 0 {
			most = 2 * maxDepth
		}
		r := m.l.Enter(root)
		for m.left > 0 {
			m.run(0, most)
		}
		r.Exit()
		after := m.l.ledger()
		var self int64
		unknown := false // some of the self times
		for _, z := range m.zones {
			got, shared := after.withShared(z)
			unknown = unknown || shared
			self += got.self
			if got.calls != m.calls[z] {
				t.Fatalf("seed %d: zone %s has %d calls, want %d", seed, z.name, got.calls, m.calls[z])
			}
		}
		if after[&otherZone] != nil {
			folded++
		}
		outer, _ := after.withShared(root)
		if self += outer.self; int64(outer.total) != self && !unknown || int64(outer.total) < self {
			t.Fatalf("seed %d: the root took %d ticks, all self times together %d", seed, outer.total, self)
		}
		m.l.Close()
	}
	t.Logf("%d of %d programs went beyond the limits of a tree", folded, programs)
}

func TestRecursionCountsItsTotalOnce(t *testing.T) {
	race.Sequential(t)
	amplyBudgeted(t)
	z, leaf := NewZone("recursive"), NewZone("leaf")
	var down func(l *Lane, n int)
	down = func(l *Lane, n int) {
		defer l.Enter(z).Exit()
		l.Enter(leaf).Exit()
		if n > 0 {
			down(l, n-1)
		}
	}
	for _, depth := range []int{1, 5, maxDepth - 1, maxDepth, maxDepth + 1, 3 * maxDepth, 100_000} {
		l, s := on(t, func(l *Lane) { down(l, depth) })
		x := l.ledger()
		all := x[z].self + x[leaf].self
		if int64(x[z].total) != all || of(s, z).Calls != uint64(depth+1) || of(s, leaf).Calls != uint64(depth+1) || s.Open != 0 {
			t.Errorf("depth %d: total %d, self %d ticks, %+v", depth, x[z].total, all, of(s, z))
		}
		if z := of(s, z); z.Sum < z.Total {
			t.Errorf("depth %d: all calls together took %v, the outermost %v", depth, z.Sum, z.Total)
		}
	}
}

func TestBeyondTheLimitsOfATreeSpansFold(t *testing.T) {
	amplyBudgeted(t)
	zones := make([]*Zone, 100)
	for i := range zones {
		zones[i] = NewZone("wide")
	}
	outer := NewZone("outer")
	l, s := on(t, func(l *Lane) {
		o := l.Enter(outer)
		for _, a := range zones {
			x := l.Enter(a)
			for _, b := range zones {
				l.Enter(b).Exit()
			}
			x.Exit()
		}
		o.Exit()
	})
	if n := l.tree.count.Get(); n > maxNodes+maxOther {
		t.Errorf("%d nodes", n)
	}
	var calls uint64
	for _, z := range zones {
		calls += of(s, z).Calls
	}
	if calls != 100+100*100 || of(s, outer).Calls != 1 {
		t.Errorf("%d calls, want %d", calls, 100+100*100)
	}
	other := false
	for _, n := range s.Nodes {
		other = other || n.Zone == profile.Other
		if n.Self < 0 || n.Total < 0 {
			t.Errorf("%+v", n)
		}
	}
	if !other {
		t.Error("no node stands for the paths beyond the limits")
	}
	if notes := fmt.Sprint(TakeSnapshot().Notes); !contains(notes, "exceeded the limits of a call tree") {
		t.Errorf("nobody says that spans were folded: %s", notes)
	}
}

func TestWhatFoldingMovesIsInSnapshots(t *testing.T) {
	race.Sequential(t)
	zones := make([]*Zone, 80)
	for i := range zones {
		zones[i] = NewZone("z")
	}
	deep := NewZone("deep")
	recursion := func(l *Lane) {
		var spans []Span
		for range maxDepth + 50 {
			spans = append(spans, l.Enter(deep))
			nextTick()
		}
		for i := range spans {
			spans[len(spans)-1-i].Exit()
		}
	}
	l, _ := on(t, recursion)
	foldedAsMeasured(t, l, append(zones, deep))
	l, _ = on(t, func(l *Lane) {
		recursion(l)
		o := l.Enter(NewZone("outer"))
		for _, a := range zones { // more paths than there can be nodes
			x := l.Enter(a)
			for _, b := range zones {
				y := l.Enter(b)
				l.Enter(deep).Exit()
				y.Exit()
			}
			x.Exit()
		}
		o.Exit()
	})
	foldedAsMeasured(t, l, append(zones, deep))
}

// foldedAsMeasured compares a snapshot of the lane with what is stored, in ticks.
func foldedAsMeasured(t *testing.T, l *Lane, zones []*Zone) {
	t.Helper()
	s := TakeSnapshot()
	lane, model := laneIn(t, s, l), l.ledger()
	ticks := func(d time.Duration) float64 { return float64(d) / s.NsPerTick }
	moved := *l.folding.moved.Load()
	var top, self time.Duration
	for _, n := range lane.Nodes {
		if self += n.Self; n.Parent < 0 && n.Zone != profile.Other { // the time of Other lies in other spans
			top += n.Total
		}
	}
	if d := ticks(top - self); math.Abs(d) > 1e-6*ticks(top)+float64(len(lane.Nodes))*5 {
		t.Errorf("self times make up %v of %v", self, top)
	}
	for _, z := range zones {
		if model[z] == nil {
			continue
		}
		x, sum := of(lane, z), uint64(0)
		for id := uint64(1); id < l.tree.count.Get(); id++ {
			if n := l.tree.node(id); n.zone == z {
				sum += n.total.Get()
				if int(id) < len(moved) {
					sum += moved[id].sum.Get()
				}
			}
		}
		near := func(d time.Duration, n float64) bool {
			return math.Abs(ticks(d)-n) <= 1e-6*n+5*float64(len(lane.Nodes))
		}
		if !near(x.Self, float64(model[z].self)) || !near(x.Sum, float64(sum)) || x.Calls != model[z].calls {
			t.Errorf("zone %d: %+v; want %d calls, self %d, sum %d ticks of %v ns", z.id, x, model[z].calls, model[z].self, sum, s.NsPerTick)
		}
	}
}

// The numbers are those of the package comment.
func TestTreesGrowUpToTheirLimits(t *testing.T) {
	race.Sequential(t)
	amplyBudgeted(t)
	zones := make([]*Zone, 5000)
	for i := range zones {
		zones[i] = NewZone("z")
	}
	recursive := NewZone("recursive")
	for name, c := range map[string]struct {
		grow                func(l *Lane)
		nodes, again, depth int
	}{
		"depth": {func(l *Lane) {
			for i := range 400 {
				l.Enter(zones[i])
			}
		}, 255, 0, 255},
		"paths": {func(l *Lane) {
			for _, z := range zones {
				l.Enter(z).Exit()
			}
		}, 4096, 0, 1},
		"recursive paths": {func(l *Lane) {
			r := l.Enter(recursive)
			for _, z := range zones[:1500] {
				o := l.Enter(z)
				l.Enter(recursive).Exit()
				o.Exit()
			}
			r.Exit()
		}, 1 + 1500 + 1024, 1024, 3},
	} {
		l := newNamedLane(name)
		c.grow(l)
		nodes, again, depth := 0, 0, 0
		for id := uint64(1); id < l.tree.count.Get(); id++ {
			n := l.tree.node(id)
			if n == l.tree.other || n.parent == l.tree.other {
				continue
			}
			nodes++
			depth = max(depth, int(n.depth))
			if n.again {
				again++
			}
		}
		if nodes != c.nodes || again != c.again || depth != c.depth {
			t.Errorf("%s: %d nodes, %d recursive, depth %d; want %d, %d, %d", name, nodes, again, depth, c.nodes, c.again, c.depth)
		}
		l.abandon() // reports include open spans
	}
}

func TestDurationsAreAddedUnlessTheZoneIsOff(t *testing.T) {
	for _, c := range []struct {
		sampling int
		calls    uint64
	}{{0, 2}, {8, 2}, {-1, 0}} {
		z := NewZone("z")
		z.SetSampling(c.sampling)
		newNamedLane("l").Add(z, 5)
		z.Add(7)
		if x := TakeSnapshot().Totals()[z.id]; x.Calls != c.calls {
			t.Errorf("SetSampling(%d): %d calls, want %d", c.sampling, x.Calls, c.calls)
		}
	}
	new(Lane).Add(NewZone("z"), 5) // the zero Lane measures nothing
	newNamedLane("l").Add(new(Zone), 5)
	new(Zone).Add(5)
}

func TestZonesWhoseNumbersCollideHaveNodesOfTheirOwn(t *testing.T) {
	if !alone(t) { // readers of other tests would look for these zones, and make room for the numbers between them
		return
	}
	l := newNamedLane("collide")
	var all []*Zone
	for i := range 5 { // as if a program had that many zones; no table is that large
		z := &Zone{id: uint32(i) << 20, name: "far"}
		z.mode.Store(full)
		all = append(all, z)
	}
	for range 3 {
		for _, z := range all {
			l.Enter(z).Exit()
		}
	}
	if n := l.tree.count.Get(); n != 1+5 {
		t.Errorf("%d nodes, want 6", n)
	}
	for id := uint64(1); id < 6; id++ {
		if n := l.tree.node(id); n.calls.Get() != 3 {
			t.Errorf("node %d has %d calls, want 3", id, n.calls.Get())
		}
	}
}

func TestManyChildrenAreFound(t *testing.T) {
	amplyBudgeted(t)
	l := newNamedLane("wide")
	rng := rand.New(rand.NewPCG(1, 2))
	var zones []*Zone
	for range 1000 {
		z := NewZone("z")
		if rng.IntN(3) > 0 {
			zones = append(zones, z)
		}
	}
	for range 3 {
		rng.Shuffle(len(zones), func(i, j int) { zones[i], zones[j] = zones[j], zones[i] })
		for _, z := range zones {
			l.Enter(z).Exit()
		}
	}
	root := l.tree.root()
	for _, z := range zones {
		if n := root.child(z); n.zone != z || n.calls.Get() != 3 {
			t.Fatalf("zone %d is not in the table, or has not 3 calls", z.id)
		}
	}
	if size := int(root.mask) + 1; size > 16*len(zones) {
		t.Errorf("a table of %d places for %d children", size, len(zones))
	}
}

// A few children whose numbers collide in small tables get a larger table.
func TestChildrenFarApartAreFound(t *testing.T) {
	amplyBudgeted(t)
	var zones []*Zone
	for i := range 5*64 + 1 {
		z := NewZone("z")
		if i%64 == 0 {
			zones = append(zones, z)
		}
	}
	l := newNamedLane("far apart")
	for _, z := range zones {
		l.Enter(z).Exit()
	}
	for _, z := range zones {
		if n := l.tree.root().child(z); n.zone != z {
			t.Errorf("zone %d is not in the table", z.id)
		}
	}
}

func TestDurationsMeasuredElsewhereAreAdded(t *testing.T) {
	z, outer := NewZone("gpu"), NewZone("outer")
	begin := clock.Now()
	_, s := on(t, func(l *Lane) {
		o := l.Enter(outer)
		l.Add(z, time.Second)
		l.Add(z, 3*time.Second)
		l.Add(z, -time.Second)
		o.Exit()
	})
	most := clock.Since(begin)
	most += most/100 + time.Microsecond // the rate of the ticks is being refined
	x := of(s, z)
	if x.Calls != 3 || x.Total < 3960*time.Millisecond || x.Total > 4040*time.Millisecond || x.Max < 2*time.Second || x.Min != 0 {
		t.Errorf("%+v", x)
	}
	if o := of(s, outer); o.Self != o.Total || o.Total > most {
		t.Errorf("what was added counts in the span that was open, within %v: %+v", most, o)
	}
}
