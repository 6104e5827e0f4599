// SPDX-License-Identifier: BSD-3-Clause

package unit

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// A simulated span of a program, with the spans in it.
type simulated struct {
	zone        int
	start, end  clock.Instant
	path, depth int
	goroutine   int64
	inside      []*simulated
	around      *simulated
	task        uint64 // of the span, if it is linked
	own         uint64 // number of the unit, if it has one
	notes       []profile.Event
}

func (s *simulated) each(visit func(*simulated)) { // in the order in which they end
	for _, k := range s.inside {
		k.each(visit)
	}
	visit(s)
}

// A program is the lanes of a simulated one. Zones 0 and 1 are root zones.
type program struct {
	rand       *rand.Rand
	lanes      [][]*simulated
	paths      []profile.Path
	known      map[profile.Path]int
	tasks      uint64
	goroutines int64                    // every other outermost span is that of a new one
	times      map[uint64]clock.Instant // when the task was made
	end        clock.Instant
}

var simulatedZones = []profile.ZoneInfo{{Name: "request", Root: true, Every: 1}, {Name: "job", Root: true, Every: 1}, {Name: "a", Every: 1}, {Name: "b", Every: 1}, {Name: "wait", Wait: true, Every: 1}}

func newProgram(r *rand.Rand, lanes, spans int) *program {
	p := &program{rand: r, known: map[profile.Path]int{}, times: map[uint64]clock.Instant{}}
	for lane := range lanes {
		at := clock.Instant(1000 + r.IntN(5000))
		p.goroutines++
		var tops []*simulated
		for range spans {
			p.goroutines += int64(r.IntN(2))
			s := p.span(nil, at, at+clock.Instant(50_000+r.IntN(400_000)), lane)
			tops = append(tops, s)
			at = s.end + clock.Instant(r.IntN(20_000)*r.IntN(2)) // often immediately
		}
		p.lanes = append(p.lanes, tops)
		p.end = max(p.end, at)
	}
	return p
}

func (p *program) path(around *simulated, zone int) int {
	key := profile.Path{Parent: -1, Zone: zone}
	if around != nil {
		key.Parent = around.path
	}
	n, found := p.known[key]
	if !found {
		n = len(p.paths)
		p.known[key] = n
		p.paths = append(p.paths, key)
	}
	return n
}

// span makes a random span in a stretch of time.
func (p *program) span(around *simulated, from, to clock.Instant, lane int) *simulated {
	s := &simulated{zone: p.rand.IntN(len(simulatedZones)), start: from, end: to, around: around, goroutine: p.goroutines}
	s.path = p.path(around, s.zone)
	if around != nil {
		s.depth = around.depth + 1
	}
	if p.rand.IntN(4) == 0 && len(p.times) > 0 {
		if t := 1 + p.rand.Uint64N(p.tasks); p.times[t] < from && !p.works(around, t) {
			s.task = t
		}
	}
	for at := from + 1000; s.depth < 6 && to-at > 5000 && p.rand.IntN(5) > 0; {
		end := at + 1000 + clock.Instant(p.rand.Int64N(int64(to-at)-2000))
		s.inside = append(s.inside, p.span(s, at, end, lane))
		at = end + clock.Instant(p.rand.IntN(3)*300)
	}
	if s.unit() && p.rand.IntN(2) == 0 {
		p.tasks++
		s.own = p.tasks
		p.times[s.own] = from + 500
	}
	for k := range p.rand.IntN(3) {
		s.notes = append(s.notes, profile.Event{Kind: profile.NoteEvent, Start: from + 300 + clock.Instant(k), Name: fmt.Sprint("key ", p.rand.IntN(3)), Text: fmt.Sprint(lane, " at ", from)})
	}
	return s
}

// works reports whether a lane works for a task already.
func (p *program) works(s *simulated, task uint64) bool {
	for ; s != nil; s = s.around {
		if s.task == task {
			return true
		}
	}
	return false
}

// unit reports whether a span is a unit.
func (s *simulated) unit() bool {
	if s.zone > 1 {
		return false
	}
	for k := s.around; k != nil; k = k.around {
		if k.zone == s.zone {
			return false
		}
	}
	return true
}

// worksFor returns the span through which the lane works for a unit in s.
func (s *simulated) worksFor() *simulated {
	for ; s != nil; s = s.around {
		if s.unit() || s.task != 0 {
			return s
		}
	}
	return nil
}

// want returns the units of the program, computed from the whole.
func (p *program) want() (units []profile.Unit) {
	for lane, tops := range p.lanes {
		for _, top := range tops {
			top.each(func(s *simulated) {
				if s.unit() {
					units = append(units, p.unit(lane, s))
				}
			})
		}
	}
	return sorted(units)
}

func sorted(units []profile.Unit) []profile.Unit {
	slices.SortFunc(units, func(a, b profile.Unit) int {
		return cmp.Or(cmp.Compare(a.Lane, b.Lane), cmp.Compare(a.Start, b.Start), cmp.Compare(a.Zone, b.Zone))
	})
	return units
}

func (p *program) unit(lane int, root *simulated) profile.Unit {
	u := profile.Unit{Zone: root.zone, Lane: lane, Goroutine: root.goroutine, Start: root.start, Took: root.end.Sub(root.start)}
	tree := profile.Tree{{Parent: -1, Zone: root.zone, Calls: 1, Total: u.Took}}
	var notes []profile.Event
	node := func(parent, zone, from int) int { // among those from one on
		for i := from; i < len(tree); i++ {
			if tree[i].Parent == parent && tree[i].Zone == zone {
				return i
			}
		}
		tree = append(tree, profile.Node{Parent: parent, Zone: zone})
		return len(tree) - 1
	}
	var add func(s *simulated, parent, from, lane, depth int)
	add = func(s *simulated, parent, from, lane, depth int) {
		at := 0
		if s != root {
			if s.start >= root.end {
				return
			}
			at = node(parent, s.zone, from)
			took, calls := min(s.end, root.end).Sub(s.start), uint64(1)
			if s.end > root.end {
				calls = 0
			}
			tree[at].Calls += calls
			tree[at].Total += took
			u.Spans = append(u.Spans, profile.UnitSpan{Lane: lane, Goroutine: s.goroutine, Zone: s.zone, Depth: depth, Start: s.start, Took: took, Linked: from > 0 && depth == 0})
		}
		for _, k := range s.inside {
			add(k, at, from, lane, depth+1)
		}
	}
	collect := func(s, of *simulated) {
		s.each(func(k *simulated) {
			if k.worksFor() == of {
				notes = append(notes, k.notes...)
			}
		})
	}
	add(root, 0, 0, lane, 0)
	collect(root, root)
	own := len(tree)
	if root.own != 0 {
		type work struct {
			lane int
			s    *simulated
		}
		var all []work
		for lane, tops := range p.lanes {
			for _, top := range tops {
				top.each(func(s *simulated) {
					if s.task == root.own && s.start < root.end {
						all = append(all, work{lane, s})
					}
				})
			}
		}
		groups := map[int]int{} // by path of the outermost span: where its nodes begin
		slices.SortFunc(all, func(a, b work) int { return cmp.Or(cmp.Compare(a.s.path, b.s.path)) })
		for _, w := range all {
			from, found := groups[w.s.path]
			if !found {
				from = len(tree)
				groups[w.s.path] = from
			}
			add(w.s, 0, from, w.lane, 0)
			if !w.s.unit() {
				collect(w.s, w.s)
			}
		}
	}
	slices.SortStableFunc(notes, func(a, b profile.Event) int { return cmp.Compare(a.Start, b.Start) })
	for _, n := range notes {
		if n.Start > root.end {
			continue
		}
		u.Notes = slices.DeleteFunc(u.Notes, func(k profile.Note) bool { return k.Key == n.Name })
		u.Notes = append(u.Notes, profile.Note{Key: n.Name, Value: n.Text})
	}
	for i := range tree {
		tree[i].Self = tree[i].Total
		for k := range tree {
			if tree[k].Parent == i && !(i == 0 && k >= own) && k > 0 {
				tree[i].Self -= tree[k].Total
			}
		}
	}
	slices.SortFunc(u.Spans, func(a, b profile.UnitSpan) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Lane, b.Lane), cmp.Compare(a.Depth, b.Depth))
	})
	u.Tree = tree
	return u
}

// readings returns what a TimelineReader could have read of the program: spans that ended just after a reading may be in it.
func (p *program) readings(r *rand.Rand, n int) (all []profile.Timeline) {
	var at []clock.Instant
	for range n {
		at = append(at, clock.Instant(r.Int64N(int64(p.end))))
	}
	slices.Sort(at)
	at = append(at, p.end+10, p.end+20, p.end+30)
	done, marked := make([]clock.Instant, len(p.lanes)), clock.Instant(0)
	for _, at := range at {
		t := profile.Timeline{At: at, Zones: simulatedZones, Paths: p.paths}
		upTo := at + clock.Instant(r.IntN(200)) // marks
		var marks []profile.Event
		for lane, tops := range p.lanes {
			until := max(upTo, done[lane]) + clock.Instant(r.IntN(3000)*r.IntN(2))
			var open []profile.Event
			first := len(t.Events)
			for _, top := range tops {
				top.each(func(s *simulated) {
					e := profile.Event{Kind: profile.SpanEvent, Lane: len(t.Lanes), Zone: s.zone, Path: s.path, Depth: s.depth, Goroutine: s.goroutine, Start: s.start, Took: s.end.Sub(s.start)}
					switch {
					case s.end > done[lane] && s.end <= until:
						t.Events = append(t.Events, e)
					case s.end > until && s.start <= at:
						e.Open, e.Took = true, at.Sub(s.start)
						open = append(open, e)
					}
					if s.task != 0 && s.start > marked && s.start <= upTo {
						marks = append(marks, profile.Event{Kind: profile.LinkEvent, Lane: len(t.Lanes), Start: s.start, Depth: s.depth, Task: s.task})
					}
					if k := s.start + 500; s.own != 0 && k > marked && k <= upTo {
						marks = append(marks, profile.Event{Kind: profile.TaskEvent, Lane: len(t.Lanes), Start: k, Task: s.own})
					}
					for _, n := range s.notes {
						if n.Start > marked && n.Start <= upTo {
							n.Lane = len(t.Lanes)
							marks = append(marks, n)
						}
					}
				})
			}
			t.Events = append(t.Events, open...)
			done[lane] = until
			if len(t.Events) > first || len(marks) > 0 {
				t.Lanes = append(t.Lanes, profile.TimelineLane{LaneInfo: profile.LaneInfo{ID: lane}})
			}
		}
		if len(t.Lanes) == 0 {
			t.Lanes = append(t.Lanes, profile.TimelineLane{})
		}
		slices.SortStableFunc(marks, func(a, b profile.Event) int { return cmp.Compare(a.Start, b.Start) })
		t.Events = append(t.Events, marks...)
		marked = upTo
		all = append(all, t)
	}
	return all
}

// collect returns the units that a collector makes of readings.
func collect(c *Collector, readings []profile.Timeline) (units []profile.Unit) {
	for _, t := range readings {
		c.Read(t, func(u *profile.Unit) { units = append(units, Clone(u)) })
	}
	return sorted(units)
}

// canonical returns a tree whose nodes do not depend on the order of spans: the own ones, then the linked ones, each level by zone.
func canonical(u profile.Unit) (lines []string) {
	own := Own(&u)
	var walk func(node int, indent string)
	walk = func(node int, indent string) {
		n := u.Tree[node]
		linked := ""
		if node >= own {
			linked = " linked"
		}
		lines = append(lines, fmt.Sprint(indent, n.Zone, linked, " calls ", n.Calls, " total ", n.Total, " self ", n.Self))
		var below []int
		for k := node + 1; k < len(u.Tree); k++ {
			if u.Tree[k].Parent == node {
				below = append(below, k)
			}
		}
		slices.SortFunc(below, func(a, b int) int {
			x, y := u.Tree[a], u.Tree[b]
			return cmp.Or(cmp.Compare(x.Zone, y.Zone), cmp.Compare(x.Total, y.Total), cmp.Compare(x.Calls, y.Calls))
		})
		for _, k := range below {
			walk(k, indent+"  ")
		}
	}
	walk(0, "")
	return lines
}
