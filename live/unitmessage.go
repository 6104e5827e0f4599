// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/unit"
	"github.com/strobe-go/strobe/profile"
)

// A rawUnit is a unit in the form in which it is sent.
type rawUnit []byte

// MarshalJSON returns the unit as it is.
func (r rawUnit) MarshalJSON() ([]byte, error) { return r, nil }

// openUnits returns the units of a root zone that have taken long and have not ended.
func (m *model) openUnits(zone int) (open []rawUnit) {
	units := m.units.collector.Open(slowIsOpen, 4*mostOpen)
	for i := range units {
		if u := &units[i]; u.Zone == zone && len(open) < mostOpen {
			open = append(open, m.appendUnit(nil, &unit.Kept{Unit: *u}))
		}
	}
	return open
}

// appendUnit appends a unit as it is sent: [number, start, duration, lane, goroutine, slow, sampled, notes, path, calls, total, ...].
func (m *model) appendUnit(b []byte, k *unit.Kept) []byte {
	number := func(x int64) { b = append(strconv.AppendInt(b, x, 10), ',') }
	flag := func(on bool) {
		if on {
			number(1)
		} else {
			number(0)
		}
	}
	u := &k.Unit
	b = append(b, '[')
	number(int64(k.Number))
	number(int64(u.Start))
	number(int64(u.Took))
	number(int64(u.Lane))
	number(u.Goroutine)
	flag(k.Slow())
	flag(k.Sampled)
	b = append(b, '[')
	for _, n := range u.Notes {
		b = append(appendText(b, n.Key), ',')
		b = append(appendText(b, n.Value), ',')
	}
	b = append(end(b), ',')
	for i, path := range m.unitPaths(u) {
		n := &u.Tree[i]
		number(int64(path))
		number(int64(n.Calls))
		number(int64(n.Total))
	}
	return end(b)
}

// unitPaths returns the paths of the nodes of a unit.
func (m *model) unitPaths(u *profile.Unit) []int32 {
	paths, own := make([]int32, len(u.Tree)), unit.Own(u)
	for i := range u.Tree {
		n := &u.Tree[i]
		switch {
		case i == 0:
			paths[i] = m.paths.in(pathNode{ownLane, -1, int32(n.Zone)})
		case i >= own && n.Parent == 0:
			paths[i] = m.paths.in(pathNode{linkedLane, -1, int32(n.Zone)})
		case i >= own:
			paths[i] = m.paths.in(pathNode{linkedLane, paths[n.Parent], int32(n.Zone)})
		default:
			paths[i] = m.paths.in(pathNode{ownLane, paths[n.Parent], int32(n.Zone)})
		}
	}
	return paths
}

// behind reports whether units that the viewer knows are no longer kept.
func (c *cursor) behind(r *unit.Root) bool {
	gone, _, ok := r.Gone(c.gone)
	return !ok || len(gone) > 0
}

// appendUnits appends what is new about the units of a root zone: at most n units and about most bytes of them. more reports whether
// there are others. The lanes of the paths have names.
func (m *model) appendUnits(b []byte, c *cursor, r *unit.Root, n, most int) (out []byte, more bool) {
	m.name(ownLane, "its goroutine")
	m.name(linkedLane, "other goroutines")
	gone, next, ok := r.Gone(c.gone)
	reset := !c.fresh || !ok
	if reset {
		c.unit, c.heat, gone = 0, 0, nil
		b = append(b, `,"reset":true`...)
	}
	list := func(name string) int { // begins a list; one that is empty is left out
		b = append(append(append(b, `,"`...), name...), `":[`...)
		return len(b) - len(name) - 5
	}
	done := func(at int) {
		if b = end(b); bytes.HasSuffix(b, []byte(":[]")) {
			b = b[:at]
		}
	}
	begun := list("units")
	from := len(b)
	var now []*unit.Kept
	for i, k := range r.After(c.unit) {
		if i == n || len(b)-from > most {
			more = true
			break
		}
		b = append(m.appendUnit(b, k), ',')
		c.unit, now = k.Number, append(now, k)
	}
	if done(begun); !more {
		c.unit = r.N
	}
	for _, is := range []struct {
		name string
		kept bool
	}{{"gone", false}, {"unsampled", true}} {
		begun = list(is.name)
		for _, g := range gone {
			if g.Kept == is.kept {
				b = append(strconv.AppendUint(b, g.Number, 10), ',')
			}
		}
		done(begun)
	}
	begun = list("columns")
	if reset {
		b = appendColumns(b, r.Past(), &r.Coarse)
	}
	b = appendColumns(b, r.Fine.Changed(c.heat), &r.Fine)
	done(begun)
	b = m.appendExtras(b, c, nil, r, nil, now)
	c.heat, c.gone = r.N, next
	return b, more
}

// appendColumns appends columns as they are sent: [from, width, cell, count, cell, count, ...].
func appendColumns(b []byte, columns []unit.Column, h *unit.Heat) []byte {
	for _, c := range columns {
		b = append(b, '[')
		b = append(strconv.AppendInt(b, int64(c.From), 10), ',')
		b = append(strconv.AppendInt(b, int64(h.Width), 10), ',')
		for _, cell := range c.Cells {
			b = append(strconv.AppendUint(b, uint64(cell.Index), 10), ',')
			b = append(strconv.AppendUint(b, uint64(cell.N), 10), ',')
		}
		b = append(end(b), ',')
	}
	return b
}

// stretches returns where the units of a root zone lie, as frames, for history.about: the slow ones of long ago, then the time of the
// columns of a second.
func stretches(r *unit.Root, now clock.Instant) (frames []*kept) {
	young := r.Fine.Changed(0)
	if len(young) == 0 {
		return nil
	}
	from := young[0].From
	for _, k := range r.After(0) {
		if end := k.End(); end <= from && k.Slow() && (len(frames) == 0 || end > frames[len(frames)-1].end) {
			frames = append(frames, &kept{end: end, took: k.Unit.Took})
		}
	}
	return append(frames, &kept{end: now, took: now.Sub(from)})
}

// rootOf returns the root zone whose units the viewer shows; nil if it shows frames. Without a choice, it shows the one whose units took most
// time until it connected.
func (v *viewer) rootOf(m *model) *unit.Root {
	roots := m.units.keeper.Roots()
	switch {
	case v.zone > 0:
		return m.units.keeper.Root(v.zone - 1)
	case v.zone == anyRoot && v.want == "" && m.loops[0].loop == "" && len(roots) > 0:
		if v.root != nil {
			return v.root
		}
		return slices.MaxFunc(roots, func(a, b *unit.Root) int { return cmp.Compare(a.Took, b.Took) })
	}
	return nil
}
