// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/strobe-go/strobe/profile"
)

// shorter returns evidence with half of the entries of its longest list, those that took longest, and without zones that nothing
// refers to; nil if no list is left. The evidence itself does not change.
func shorter(e *Evidence) *Evidence {
	out := *e
	out.Tracks = slices.Clone(e.Tracks)
	states, at := 0, -1 // the longest track
	for i, t := range out.Tracks {
		if len(t.States) > states {
			states, at = len(t.States), i
		}
	}
	frames := 0
	for _, s := range e.Samples {
		frames += 1 + len(s.Stack)
	}
	switch max(len(e.Unit.Spans), len(e.Unit.Tree), len(e.Ranges), len(e.Off), states, frames) {
	case 0, 1:
		return nil
	case len(e.Unit.Spans):
		left := 0
		out.Unit.Spans = half(e.Unit.Spans, &left, func(s profile.UnitSpan) (from, to time.Duration) {
			return time.Duration(s.Start), time.Duration(s.Start) + s.Took
		})
		out.Unit.Left += uint64(left)
	case len(e.Unit.Tree):
		out.Unit.Tree = pruned(e.Unit.Tree)
		out.Unit.Missing = append(slices.Clip(e.Unit.Missing), fmt.Sprintf("%d nodes of the call tree, those with the least time, are left out", len(e.Unit.Tree)-len(out.Unit.Tree)))
	case states:
		t := &out.Tracks[at]
		t.States = half(t.States, &out.Left, State.ends)
	case len(e.Ranges):
		out.Ranges = half(e.Ranges, &out.Left, Range.ends)
	case len(e.Off):
		out.Off = half(e.Off, &out.Left, Off.ends)
	case frames:
		out.Samples = nil
		for i := 0; i < len(e.Samples); i += 2 {
			out.Samples = append(out.Samples, e.Samples[i])
		}
		if len(out.Samples) == len(e.Samples) { // a single one with a long stack
			out.Samples = nil
		}
		out.Left += len(e.Samples) - len(out.Samples)
	}
	renumber(&out)
	return &out
}

// renumber leaves out zones that the unit does not refer to.
func renumber(e *Evidence) {
	var zones []profile.ZoneInfo
	at := make(map[int]int)
	number := func(zone int) int {
		if zone < 0 || zone >= len(e.Zones) {
			return profile.Other
		}
		k, found := at[zone]
		if !found {
			k = len(zones)
			at[zone] = k
			zones = append(zones, e.Zones[zone])
		}
		return k
	}
	e.Unit.Zone = number(e.Unit.Zone)
	e.Unit.Tree, e.Unit.Spans = slices.Clone(e.Unit.Tree), slices.Clone(e.Unit.Spans)
	for i := range e.Unit.Tree {
		e.Unit.Tree[i].Zone = number(e.Unit.Tree[i].Zone)
	}
	for i := range e.Unit.Spans {
		e.Unit.Spans[i].Zone = number(e.Unit.Spans[i].Zone)
	}
	e.Zones = zones
}

// longest returns the longest entries of a list, at most so many, by the time they began, and counts the others. It changes the order of
// the list.
func longest[T any](all []T, most int, left *int, ends func(T) (from, to time.Duration)) []T {
	if n := len(all) - most; n > 0 {
		*left += n
		slices.SortStableFunc(all, func(a, b T) int {
			fromA, toA := ends(a)
			fromB, toB := ends(b)
			return cmp.Compare(toB-fromB, toA-fromA)
		})
		all = all[:most]
	}
	slices.SortStableFunc(all, func(a, b T) int {
		fromA, _ := ends(a)
		fromB, _ := ends(b)
		return cmp.Compare(fromA, fromB)
	})
	return all
}

// half returns the longer half of a list, and counts the rest.
func half[T any](all []T, left *int, ends func(T) (from, to time.Duration)) []T {
	return longest(slices.Clone(all), len(all)/2, left, ends)
}

// pruned returns about half of the nodes of a tree, those with the most time, with all that they are in.
func pruned(tree profile.Tree) (out profile.Tree) {
	totals := make([]time.Duration, len(tree))
	for i, n := range tree {
		totals[i] = n.Total
	}
	slices.Sort(totals)
	least := totals[len(totals)/2]
	at := make([]int, len(tree)) // index in out; -1 for what is left out
	kept := 0
	for i, n := range tree {
		at[i] = -1
		if i > 0 && (n.Total < least || kept == len(tree)/2 || n.Parent >= 0 && (n.Parent >= i || at[n.Parent] < 0)) {
			continue
		}
		if n.Parent >= 0 && n.Parent < i {
			n.Parent = at[n.Parent]
		}
		at[i] = len(out)
		out = append(out, n)
		kept++
	}
	return out
}

func (s State) ends() (from, to time.Duration) { return s.From, s.To }
func (r Range) ends() (from, to time.Duration) { return r.From, r.To }
func (o Off) ends() (from, to time.Duration)   { return o.From, o.To }
