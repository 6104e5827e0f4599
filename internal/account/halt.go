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
		switch h := w.haltIn(i); {
		case h.cause != Stopped:
			return nil
		case w.Exact(h.most.From) && w.running(h.least) > 0: // the records of switches tell when it began
			return w.offIn(h.most.and(i), true)
		default:
			return w.offIn(h.least.and(i), true)
		}
	}
	var times []Time
	for n := range w.Trace.Goroutines {
		for _, s := range w.Trace.Goroutines[n].Steps {
			times = append(times, s.At)
		}
	}
	times = append(times, w.Trace.To)
	slices.Sort(times)
	var longest Interval
	for n := 1; n < len(times); n++ {
		if gap := (Interval{times[n-1], times[n]}).and(i); gap.length() > longest.length() {
			longest = gap
		}
	}
	return w.offIn(longest, false)
}

// A halt is a time in which no goroutine changed its state, and yet nothing looked at a timer that was due: least is from then on. The cause is
// Stopped if nothing else explains it: the process was frozen with its control group, or the machine was.
type halt struct {
	most, least Interval
	cause       Cause // Stopped, Preempted, Stolen or, if that is not known, Unclear
}

// haltIn returns the halt that has most of i; both of its times are empty if there is none.
func (w *Window) haltIn(i Interval) (h halt) {
	if !w.halted {
		w.halted = true
		for _, late := range w.lates() {
			if one, ok := w.halt(late); ok {
				w.halts = append(w.halts, one)
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

// lates returns the times in which what reads the counters, and explains, was late: it waited for a timer that was due, or its thread was off the
// processor while it worked.
func (w *Window) lates() (all []Interval) {
	for k := range w.Readings {
		if late := w.Readings[k].Overdue; late.length() >= overdue && late.From >= w.Trace.From {
			all = append(all, late)
		}
	}
	if w.Self == 0 {
		return all
	}
	w.runs.during(Interval{w.Trace.From, w.Trace.To}, func(r *run, part Interval) {
		if r.goroutine != w.Self {
			return
		}
		cut(part, w.offs[r.thread], offTime, func(_ switches.Off, late Interval) {
			if late.length() >= overdue {
				all = append(all, late)
			}
		}, func(Interval) {})
	})
	return all
}

// overdue is how late what reads the counters must be for that to say something: later than timers are on Windows.
const overdue = 20 * time.Millisecond

// halt returns the halt because of which what reads the counters was late. ok is false if there was none.
func (w *Window) halt(late Interval) (h halt, ok bool) {
	g, known := w.between(late, 0)
	if !known {
		return h, false
	}
	most := func(c pressure.Counter) bool {
		spent, _ := g.of(c)
		return 2*time.Duration(spent) > late.length()
	}
	if most(pressure.Throttled) { // by processor, so that quota tells more
		return h, false
	}
	h.most = w.still(late.From + Time(late.length()/2))
	if h.least = h.most.and(late); float64(h.least.length()) < punctual*float64(late.length()) {
		return h, false
	}
	switch _, known := g.of(pressure.Waited); {
	case !known, most(pressure.Stalled):
	case most(pressure.Stolen):
		h.cause = Stolen
	case most(pressure.Waited):
		h.cause = Preempted
	default:
		h.cause = Stopped
	}
	ran := w.running(h.least)
	// It may have been the machine, while threads were on processors: one of the scheduler's that is idle looks at timers, even if the system has
	// the thread of another one. If the system knows that the host took the time, the process used none.
	_, hidden := w.hidden(late)
	machine := ran < time.Duration(w.limit(h.least.From))*h.least.length() && float64(hidden.Least) < punctual*float64(ran)
	switch {
	case ran == 0:
		return h, true
	case w.Exact(h.least.From):
		var off, displaced time.Duration // the second by what had the processors, which the counter may learn of later
		w.runs.during(h.least, func(r *run, part Interval) {
			others, own, _ := w.displaced(r.thread, part)
			displaced += others + own
		})
		for _, part := range w.offIn(h.least, machine) {
			off += part.length()
		}
		return h, float64(off) >= punctual*float64(h.least.length()) && 2*displaced < ran
	default:
		return h, hidden.Known && float64(hidden.Least) >= punctual*float64(ran)
	}
}

// still returns the time around a moment in which no goroutine changed its state.
func (w *Window) still(at Time) Interval {
	i := Interval{w.Trace.From, w.Trace.To}
	for n := range w.Trace.Goroutines {
		g := &w.Trace.Goroutines[n]
		s := g.At(at)
		if s >= 0 {
			i.From = max(i.From, g.Steps[s].At)
		}
		if s+1 < len(g.Steps) {
			i.To = min(i.To, g.Steps[s+1].At)
		}
	}
	return i
}

// running returns for how long goroutines seem to have run in i.
func (w *Window) running(i Interval) (sum time.Duration) {
	w.runs.during(i, func(_ *run, part Interval) { sum += part.length() })
	return sum
}

// offIn returns the parts of a time in which no thread that ran a goroutine was on a processor or, if absences count, executed anything, as far
// as is known: before what the records of switches cover, it is all of it.
func (w *Window) offIn(i Interval, absences bool) []Interval {
	if i.length() < time.Millisecond {
		return nil
	}
	if w.Switches == nil {
		return []Interval{i}
	}
	if covered := Time(w.Switches.Covered); i.From < covered {
		return append([]Interval{{i.From, min(covered, i.To)}}, w.offIn(Interval{covered, i.To}, absences)...)
	}
	threads := make(map[int64]bool)
	w.runs.during(i, func(r *run, _ Interval) { threads[r.thread] = true })
	stops := []Interval{i}
	for thread := range threads {
		var rest []Interval
		for _, s := range stops {
			rest = append(rest, w.stoppedThread(thread, s, absences)...)
		}
		stops = rest
	}
	return slices.DeleteFunc(stops, func(s Interval) bool { return s.length() < time.Millisecond })
}

// haltedWaits notes for how long waits may have lasted because nothing of the process ran: all of the halt, of which what is certain counts as
// Stopped already, if it is that.
func (a *Account) haltedWaits(h halt, i Interval) {
	for _, c := range []Cause{Sleep, Network, Syscall, Lock, Channel} {
		if took := min(a.Sum(c), h.most.and(i).length()-a.Sum(Stopped)); took > 0 {
			a.Late = append(a.Late, Late{Of: c, Cause: h.cause, Took: took})
		}
	}
}

// stoppedThread returns the parts of a time in which a thread was off the processor and, if absences count, those in which it executed nothing.
func (w *Window) stoppedThread(thread int64, i Interval, absences bool) (parts []Interval) {
	cut(i, w.offs[thread], offTime, func(_ switches.Off, part Interval) { parts = append(parts, part) }, func(part Interval) {
		if absences {
			parts = append(parts, w.absent(thread, part)...)
		}
	})
	return parts
}
