// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"sort"

	"github.com/strobe-go/strobe/internal/gotrace"
)

// A processor of the scheduler looks at its timers when it changes goroutines, or when one that is idle does so for it. So a timer cannot
// have been due before the goroutine began that ran there until just before the timer ended a sleep.

// overdue adds for how long of a sleep the timer that ended it may have been due, and why nothing looked at it.
func (k *sums) overdue(g int64, end *gotrace.Step, i Interval) {
	late, by, ok := k.window.unwatched(end, i)
	if !ok {
		return
	}
	c, _ := k.window.contention(late)
	switch {
	case c == NoProcessor:
	case c == GC, c == Capture, c == Preempted && !k.window.free(late):
		by = 0
	default:
		return
	}
	k.window.inZones(g, late, func(zone int, part Interval) {
		if b := put(k.late, Key{Cause: c, Zone: zone, Goroutine: k.child}, part); part.length() > b.longest.length() {
			b.longest, b.by = part, by
		}
	})
}

// switching is what a processor takes at most from the end of one goroutine until it looks at its timers.
const switching = 200_000 // ns

// unwatched returns the part of i, which a timer ended, in which the processor that saw to it ran one goroutine only, and that one.
func (w *Window) unwatched(end *gotrace.Step, i Interval) (late Interval, by int64, ok bool) {
	all := w.runs[end.Proc]
	n := sort.Search(len(all), func(n int) bool { return all[n].From >= end.At }) - 1
	if n < 0 || all[n].To < end.At-switching {
		return late, 0, false
	}
	late = Interval{max(i.From, all[n].From), i.To}
	return late, all[n].goroutine, late.From < late.To
}
