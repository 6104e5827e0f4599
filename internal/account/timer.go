// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"sort"
	"time"

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

// punctual is how much of what a unit has slept beyond what is usual its timers must have been late for, at most, to have been late.
const punctual = 0.8

// overslept gives time that a unit has slept beyond what is usual to what kept its timers from being looked at, if units usually sleep: that
// tells how long this one wanted to. It returns for how long a timer may have been due otherwise.
func overslept(slow *Account, usual []Account, beyond *[Causes]time.Duration) (doubtful time.Duration) {
	var most *Part
	for i := range slow.Late {
		p := &slow.Late[i]
		if doubtful += p.Took; most == nil || p.Took > most.Took {
			most = p
		}
	}
	if most == nil || len(usual) < few || float64(doubtful) < punctual*float64(beyond[Sleep]) ||
		median(usual, func(a *Account) time.Duration { return a.Sum(Sleep) }) == 0 {
		return doubtful
	}
	give(slow, Sleep, most.Cause, beyond[Sleep], beyond)
	for i := range slow.Parts {
		if p := &slow.Parts[i]; p.Cause == most.Cause && p.By.Took < most.By.Took {
			p.By = most.By
		}
	}
	return 0
}
