// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"cmp"
	"slices"

	"github.com/strobe-go/strobe/internal/gotrace"
)

// farthest is how many goroutines may wait for each other between the unit and one that works for it.
const farthest = 3

// works reports whether a goroutine worked for a unit in i, or waited for one that did.
func (w *Window) works(links []Link, id int64, i Interval) bool {
	return w.worksFor(links, id, i, farthest)
}

func (w *Window) worksFor(links []Link, id int64, i Interval, away int) bool {
	at, _ := slices.BinarySearchFunc(links, id, func(l Link, id int64) int { return cmp.Compare(l.Goroutine, id) })
	for ; at < len(links) && links[at].Goroutine == id; at++ {
		if part := links[at].and(i); part.From < part.To {
			return true
		}
	}
	g := w.Trace.Goroutine(id)
	if g == nil || away == 0 || len(links) == 0 {
		return false
	}
	for s := g.At(i.To); s > 0 && g.Steps[s].At > i.From; s-- {
		if by := g.Steps[s].By; by != 0 && by != id && g.Steps[s-1].State == gotrace.Waiting {
			return w.worksFor(links, by, Interval{max(i.From, g.Steps[s-1].At), g.Steps[s].At}, away-1)
		}
	}
	return false
}

// joined returns from when in i a goroutine existed and worked for a unit; known is false if the trace does not have it.
func (w *Window) joined(links []Link, id int64, i Interval) (from Time, known bool) {
	g := w.Trace.Goroutine(id)
	if g == nil {
		return i.To, false
	}
	from = i.From
	if len(g.Steps) > 0 {
		from = max(from, g.Steps[0].At)
	}
	for _, l := range links {
		if l.Goroutine == id && l.To > i.From && l.From < i.To {
			from = max(from, l.From)
			break
		}
	}
	return min(from, i.To), true
}
