// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"slices"
	"time"

	"github.com/strobe-go/strobe/internal/pressure"
	"github.com/strobe-go/strobe/internal/switches"
)

// stopped returns when the process was stopped: the longest time in i in which no goroutine changed its state, as far as nothing was on a
// processor, if the counters say that the process was continued. If not, it may have been frozen, or the machine may have been.
func (w *Window) stopped(i Interval) []Interval {
	if !w.continued(i) {
		h := w.haltIn(i)
		if w.Switches != nil && w.running(h.least) > 0 { // their records tell when it began
			return w.offIn(h.most.and(i))
		}
		return w.offIn(h.least.and(i))
	}
	var longest Interval
	for n := 1; n < len(w.changed()); n++ {
		if gap := (Interval{w.times[n-1], w.times[n]}).and(i); gap.length() > longest.length() {
			longest = gap
		}
	}
	return w.offIn(longest)
}

// A halt is a time in which no goroutine changed its state, nothing used a processor, and yet nothing looked at a timer that was due: the
// process was frozen with its control group, or the machine was. least is from when the timer was due.
type halt struct{ most, least Interval }

// haltIn returns the halt that has most of i; both of its times are empty if there is none.
func (w *Window) haltIn(i Interval) (h halt) {
	if !w.halted {
		w.halted = true
		for k := range w.Readings {
			if late := w.Readings[k].Overdue; late.length() >= overdue && late.From >= w.Trace.From {
				if one, ok := w.halt(late); ok {
					w.halts = append(w.halts, one)
				}
			}
		}
	}
	for _, one := range w.halts {
		if one.least.and(i).length() > h.least.and(i).length() {
			h = one
		}
	}
	return h
}

// overdue is how late what reads the counters must be for that to say something.
const overdue = 10 * time.Millisecond

// halt returns the halt because of which what reads the counters was late. ok is false if something else may be the reason.
func (w *Window) halt(late Interval) (h halt, ok bool) {
	all := w.changed()
	n, _ := slices.BinarySearch(all, late.From+Time(late.length()/2))
	if n == 0 || n == len(all) {
		return h, false
	}
	h.most = Interval{all[n-1], all[n]}
	h.least = h.most.and(late)
	g, known := w.between(late, 0)
	if !known || float64(h.least.length()) < punctual*float64(late.length()) {
		return h, false
	}
	for _, c := range []pressure.Counter{pressure.Waited, pressure.Throttled, pressure.Stolen, pressure.Stalled} { // other programs, the quota, the host, memory
		if spent, known := g.of(c); c == pressure.Waited && !known || 2*time.Duration(spent) > h.least.length() {
			return h, false
		}
	}
	if w.Switches != nil { // then offIn tells
		return h, true
	}
	ran := w.running(h.least)
	_, hidden := w.hidden(late)
	return h, ran == 0 || hidden.Known && float64(hidden.Least) >= punctual*float64(ran)
}

// running returns for how long goroutines seem to have run in i.
func (w *Window) running(i Interval) (sum time.Duration) {
	w.runs.during(i, func(_ *run, part Interval) { sum += part.length() })
	return sum
}

// changed returns when goroutines changed their states, in order.
func (w *Window) changed() []Time {
	if w.times == nil {
		for n := range w.Trace.Goroutines {
			for _, s := range w.Trace.Goroutines[n].Steps {
				w.times = append(w.times, s.At)
			}
		}
		w.times = append(w.times, w.Trace.To)
		slices.Sort(w.times)
	}
	return w.times
}

// offIn returns the parts of a time in which no thread that ran a goroutine was on a processor, as far as is known.
func (w *Window) offIn(i Interval) []Interval {
	if i.length() < time.Millisecond {
		return nil
	}
	if w.Switches == nil {
		return []Interval{i}
	}
	threads := make(map[int64]bool)
	w.runs.during(i, func(r *run, _ Interval) { threads[r.thread] = true })
	stops := []Interval{i}
	for thread := range threads {
		var rest []Interval
		for _, s := range stops {
			cut(s, w.offs[thread], offTime, func(_ switches.Off, part Interval) { rest = append(rest, part) }, func(Interval) {})
		}
		stops = rest
	}
	return slices.DeleteFunc(stops, func(s Interval) bool { return s.length() < time.Millisecond })
}

// haltedWaits notes for how long waits may have lasted because nothing of the process ran before what reads the counters was due.
func (a *Account) haltedWaits(most time.Duration) {
	for _, c := range []Cause{Sleep, Network, Syscall} {
		if took := min(a.Sum(c), most-a.Sum(Stopped)); took > 0 {
			a.Late = append(a.Late, Late{Of: c, Cause: Stopped, Took: took})
		}
	}
}
