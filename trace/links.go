// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"cmp"
	"slices"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// A spot is where a span of a timeline is.
type spot struct {
	lane, depth int
	start       clock.Instant
}

// An arrow leads from a unit to a span that is linked to it.
type arrow struct {
	id uint64 // from 1 on
	to bool   // this is its end
}

// arrows returns the arrows that begin or end at spans. Links whose unit is not in the timeline have none.
func arrows(t profile.Timeline) map[spot][]arrow {
	var links []profile.Event
	for _, e := range t.Events {
		if e.Kind == profile.LinkEvent {
			links = append(links, e)
		}
	}
	if len(links) == 0 {
		return nil
	}
	units := numbered(t)
	all := make(map[spot][]arrow)
	for i, l := range links {
		from, known := units[l.Task]
		to := spot{l.Lane, l.Depth, l.Start}
		if !known || from == to {
			continue
		}
		id := uint64(i) + 1
		all[from] = append(all[from], arrow{id, false})
		all[to] = append(all[to], arrow{id, true})
	}
	return all
}

// numbered returns the units that have numbers.
func numbered(t profile.Timeline) map[uint64]spot {
	var all []profile.Event // tasks, and spans of root zones
	for _, e := range t.Events {
		if e.Kind == profile.TaskEvent || e.Kind == profile.SpanEvent && zoneAt(t.Zones, e.Zone).Root {
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b profile.Event) int {
		return cmp.Or(cmp.Compare(a.Lane, b.Lane), cmp.Compare(a.Start, b.Start),
			cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Depth, b.Depth)) // spans before tasks, outer spans before inner ones
	})
	units := make(map[uint64]spot)
	var open []profile.Event // spans that enclose the next event, the innermost last
	for _, e := range all {
		for n := len(open); n > 0 && (open[n-1].Lane != e.Lane || ended(open[n-1], e.Start)); n-- {
			open = open[:n-1]
		}
		if e.Kind == profile.SpanEvent {
			if !slices.ContainsFunc(open, func(o profile.Event) bool { return o.Zone == e.Zone }) { // else it is no unit
				open = append(open, e)
			}
		} else if n := len(open); n > 0 {
			u := open[n-1]
			units[e.Task] = spot{u.Lane, u.Depth, u.Start}
		}
	}
	return units
}

// ended reports whether a span ended before an instant. Times may be out of range.
func ended(e profile.Event, at clock.Instant) bool { return at.Sub(e.Start) > e.Took }
