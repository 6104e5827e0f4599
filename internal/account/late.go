// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"sort"
	"time"

	"github.com/strobe-go/strobe/internal/gotrace"
	"github.com/strobe-go/strobe/internal/switches"
)

// A lateKey is what nothing looked at, and why.
type lateKey struct{ of, cause Cause }

// overdue adds for how long of a wait what ended it, a timer or a connection, may have been ready, and why nothing looked at it.
func (k *sums) overdue(of Cause, end *gotrace.Step, i Interval) {
	w := k.window
	late, by := w.unwatched(end, i)
	if of == Network {
		late = w.unpolled(end, i)
	}
	starved := w.starved(i)
	if late.length() > starved {
		switch c, _ := k.contention(late); {
		case c == NoProcessor:
			k.lateness(of, c).longer(late, by)
			return
		case c == Unclear, c == GC, c == Capture, c == Preempted && !w.free(late):
			k.lateness(of, c).longer(late, 0)
			return
		}
	}
	if starved > 0 {
		k.lateness(of, Preempted).took += starved
	}
}

// longer adds a time in which nothing looked, because of a goroutine.
func (b *building) longer(late Interval, by int64) {
	b.took += late.length()
	if late.length() > b.longest.length() {
		b.longest, b.by = late, by
	}
}

// lateness returns the sum of what nothing looked at, for a reason.
func (k *sums) lateness(of, c Cause) *building {
	b := k.late[lateKey{of, c}]
	if b == nil {
		b = new(building)
		k.late[lateKey{of, c}] = b
	}
	return b
}

// starved returns for how long in i no thread of the program was on a processor, though one that ran a goroutine could have been: other programs
// had them all, so that nothing could look at timers and connections. It is 0 if there are no records of switches.
func (w *Window) starved(i Interval) (sum time.Duration) {
	if !w.Exact(i.From) {
		return 0
	}
	var on []Interval
	add := func(part Interval) { on = append(on, part) }
	w.runs.during(i, func(r *run, part Interval) {
		cut(part, w.offs[r.thread], offTime, func(switches.Off, Interval) {}, add)
	})
	for _, all := range w.occupied {
		cut(i, all, occupationTime, func(_ occupation, part Interval) { add(part) }, func(Interval) {})
	}
	on = union(on)
	for _, part := range w.heldBack(anybody, i) {
		cut(part, on, itself, func(_, _ Interval) {}, func(part Interval) { sum += part.length() })
	}
	return sum
}

// A processor of the scheduler looks at its timers within switching after a goroutine has left it. If it begins the next one within busy,
// it has not looked at connections in between.
const (
	switching = 200_000 // ns
	busy      = 50_000  // ns
)

// unwatched returns the part of i, which a timer ended, in which the processor that saw to it ran one goroutine only, and that one. It looks
// at its timers before each, and one that is idle does it for others, so that the timer was not due before.
func (w *Window) unwatched(end *gotrace.Step, i Interval) (late Interval, by int64) {
	all := w.runs[end.Proc]
	n := last(all, end.At)
	if n < 0 || all[n].To < end.At-switching {
		return late, 0
	}
	return Interval{max(i.From, all[n].From), i.To}, all[n].goroutine
}

// patience is how long the runtime does not look at connections if all processors are busy: its monitor does so when nothing has for
// 10 ms, and sleeps for up to 10 ms.
const patience = 20 * time.Millisecond

// unpolled returns the part of i, which a connection ended, in which no processor was idle.
func (w *Window) unpolled(end *gotrace.Step, i Interval) Interval {
	late := Interval{max(i.From, end.At-Time(patience)), i.To}
	idle := w.limit(late.From)
	for _, all := range w.runs {
		n := last(all, end.At)
		if n < 0 || all[n].To < end.At-switching {
			continue
		}
		idle--
		for n > 0 && all[n].From > late.From && all[n-1].To >= all[n].From-busy {
			n--
		}
		late.From = max(late.From, all[n].From)
	}
	if idle > 0 {
		return Interval{}
	}
	return late
}

// last returns the index of the last run that began before a time; -1 if none did.
func last(all []run, at Time) int {
	return sort.Search(len(all), func(n int) bool { return all[n].From >= at }) - 1
}
