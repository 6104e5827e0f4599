// SPDX-License-Identifier: BSD-3-Clause

package unit

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

const (
	mostSpans = 512 // of a unit: the longest
	mostNotes = 32  // of a unit: the keys that came first
)

// A part is the work of one lane for a unit.
type part struct {
	lane      int
	goroutine int64
	records   []record
	top       record // of a linked part: its outermost span
	linked    bool   // begun with the task of the unit
}

// A place is where the time of a record counts: a path of the own lane, for which top is -1, or one of linked work, in which the
// path of the outermost span is top.
type place struct{ path, top int32 }

// A builder makes units in memory that it uses again.
type builder struct {
	unit   profile.Unit
	nodes  []int32       // by path: the node plus 1, on the own lane
	used   []int32       // paths that have one
	linked map[place]int // the nodes of linked work
	own    int           // nodes of the own lane, which come first
	sums   []time.Duration
	cuts   []time.Duration
	spans  []profile.UnitSpan
}

// begin begins the unit of a root span.
func (b *builder) begin(w *waiting) {
	for _, p := range b.used {
		b.nodes[p] = 0
	}
	clear(b.linked)
	u := &b.unit
	*u = profile.Unit{Zone: int(w.zone), Lane: w.lane.id, Goroutine: w.goroutine, Start: w.root.start, Took: w.root.took, Open: w.root.calls == 0,
		Tree: u.Tree[:0], Spans: u.Spans[:0], Notes: u.Notes[:0], Missing: u.Missing[:0]}
	b.spans, b.used, b.own = b.spans[:0], b.used[:0], 1
	u.Tree = append(u.Tree, profile.Node{Parent: -1, Zone: int(w.zone), Calls: uint64(w.root.calls), Total: w.root.took, Open: u.Open})
	b.put(place{w.root.path, -1}, 0)
}

// outline returns the unit of a root span without what is in it.
func (b *builder) outline(l *lane, root record, zone int32) *profile.Unit {
	u := &b.unit
	*u = profile.Unit{Zone: int(zone), Lane: l.id, Goroutine: l.goroutine, Start: root.start, Took: root.took,
		Tree: u.Tree[:0], Spans: u.Spans[:0], Notes: u.Notes[:0], Missing: u.Missing[:0]}
	return u
}

func (b *builder) put(at place, node int) {
	if at.top >= 0 {
		if b.linked == nil {
			b.linked = make(map[place]int)
		}
		b.linked[at] = node
		return
	}
	for int(at.path) >= len(b.nodes) {
		b.nodes = append(b.nodes, 0)
	}
	b.nodes[at.path] = int32(node) + 1
	b.used = append(b.used, at.path)
}

func (b *builder) get(at place) (node int, found bool) {
	if at.top >= 0 {
		node, found = b.linked[at]
		return node, found
	}
	if int(at.path) < len(b.nodes) && b.nodes[at.path] > 0 {
		return int(b.nodes[at.path]) - 1, true
	}
	return 0, false
}

// node returns the node of a place. Those around it, up to the unit or the outermost span, come before it.
func (b *builder) node(paths []path, at place) int {
	if node, found := b.get(at); found {
		return node
	}
	parent := 0
	if above := paths[at.path].parent; above >= 0 && at.path != at.top {
		parent = b.node(paths, place{above, at.top})
	}
	b.unit.Tree = append(b.unit.Tree, profile.Node{Parent: parent, Zone: int(paths[at.path].zone)})
	b.put(at, len(b.unit.Tree)-1)
	return len(b.unit.Tree) - 1
}

// add adds the spans of a part, as far as they lie in the unit. The part of the own lane comes first.
func (b *builder) add(paths []path, p part) {
	u, top := &b.unit, int32(-1)
	end := u.Start + clock.Instant(u.Took)
	if p.linked {
		top = p.top.path
	}
	for i := range p.records {
		r := &p.records[i]
		took, calls := r.took, uint64(r.calls)
		switch {
		case !p.linked && r.start+slack < u.Start: // left by a root span that never ended
			continue
		case p.linked && r.start >= end:
			continue
		case p.linked && r.end() > end:
			took, calls = time.Duration(end-r.start), 0
		}
		node := b.node(paths, place{r.path, top})
		if node == 0 { // not inside the unit
			continue
		}
		n := &u.Tree[node]
		n.Calls += calls
		n.Total += took
		n.Open = n.Open || r.calls == 0 && u.Open
		if r.calls > 1 {
			u.Left += uint64(r.calls)
			continue
		}
		depth := int(r.depth) - int(p.top.depth)
		b.spans = append(b.spans, profile.UnitSpan{Lane: p.lane, Goroutine: p.goroutine, Zone: int(paths[r.path].zone), Depth: depth, Start: r.start, Took: took, Linked: p.linked && depth == 0})
	}
	if !p.linked {
		b.own = len(u.Tree)
	}
}

// finish completes the unit: times of nodes without their children, and the longest spans.
func (b *builder) finish() *profile.Unit {
	b.settle()
	b.longest()
	return &b.unit
}

// settle computes self times. The sum of those on the own lane is the duration of the unit exactly: durations of spans are rounded
// one by one, and a span may be missing, so a node has at least the time of its children, and these together at most its own.
func (b *builder) settle() {
	tree := b.unit.Tree
	b.sums = append(b.sums[:0], make([]time.Duration, len(tree))...) // of the children
	b.cuts = append(b.cuts[:0], make([]time.Duration, len(tree))...) // by how much these are too long
	for i := len(tree) - 1; i > 0; i-- {                             // children come after their parents
		n := &tree[i]
		n.Total = max(n.Total, b.sums[i])
		if i < b.own || n.Parent > 0 {
			b.sums[n.Parent] += n.Total
		}
	}
	b.cuts[0] = max(0, b.sums[0]-tree[0].Total)
	for i := 1; i < b.own; i++ {
		n := &tree[i]
		by := min(n.Total, b.cuts[n.Parent])
		n.Total -= by
		b.sums[n.Parent] -= by
		b.cuts[n.Parent] -= by
		b.cuts[i] = max(0, b.sums[i]-n.Total)
	}
	for i := range tree {
		tree[i].Self = tree[i].Total - b.sums[i]
	}
}

// longest keeps the longest spans, by start. Of equal ones the outer come first, so that a span is never kept without those around
// it.
func (b *builder) longest() {
	u := &b.unit
	byStart := func(x, y profile.UnitSpan) int {
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.Lane, y.Lane), cmp.Compare(x.Depth, y.Depth))
	}
	if n := len(b.spans) - mostSpans; n > 0 {
		slices.SortFunc(b.spans, func(x, y profile.UnitSpan) int {
			return cmp.Or(cmp.Compare(y.Took, x.Took), cmp.Compare(x.Depth, y.Depth), byStart(x, y))
		})
		u.Left += uint64(n)
		b.spans = b.spans[:mostSpans]
	}
	slices.SortFunc(b.spans, byStart)
	u.Spans = append(u.Spans, b.spans...)
}

// note adds notes: the latest value of each key.
func (b *builder) note(notes []mark) {
	u := &b.unit
	for i := range notes {
		n := &notes[i]
		at := slices.IndexFunc(u.Notes, func(k profile.Note) bool { return k.Key == n.key })
		switch {
		case at >= 0:
			u.Notes = append(slices.Delete(u.Notes, at, at+1), profile.Note{Key: n.key, Value: n.text})
		case len(u.Notes) < mostNotes:
			u.Notes = append(u.Notes, profile.Note{Key: n.key, Value: n.text})
		default:
			b.misses("notes with more than " + strconv.Itoa(mostNotes) + " keys")
		}
	}
}

// misses notes, in words, what is missing.
func (b *builder) misses(what string) {
	if !slices.Contains(b.unit.Missing, what) {
		b.unit.Missing = append(b.unit.Missing, what)
	}
}

// Own returns how many nodes of a unit's tree are of its own lane: they come first, and their self times add up to the duration of
// the unit. The others are of linked spans; their outermost nodes are children of node 0 whose time is not part of the total of
// node 0.
func Own(u *profile.Unit) int {
	if len(u.Tree) == 0 {
		return 0
	}
	rest := u.Tree[0].Total - u.Tree[0].Self // of the children on the own lane
	for i := 1; i < len(u.Tree); i++ {
		if u.Tree[i].Parent != 0 {
			continue
		}
		if rest -= u.Tree[i].Total; rest < 0 {
			return i
		}
	}
	return len(u.Tree)
}

// Clone returns a copy of a unit that shares no memory with it. Texts are shared.
func Clone(u *profile.Unit) profile.Unit {
	k := *u
	k.Tree, k.Spans, k.Notes, k.Missing = slices.Clone(u.Tree), slices.Clone(u.Spans), slices.Clone(u.Notes), slices.Clone(u.Missing)
	return k
}
