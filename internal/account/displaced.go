// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"cmp"
	"slices"
	"time"

	"github.com/strobe-go/strobe/internal/switches"
)

// took divides a time in which a thread was displaced by what had its processor: threads of the program, or others, as far as is known.
func (w *Window) took(o switches.Off, i Interval, own func(thread int64, part Interval), others func(Interval)) {
	cut(i, w.occupied[o.Processor], occupationTime, func(b occupation, part Interval) { own(b.thread, part) }, others)
}

// charge divides a time in which a thread was displaced by who is to blame: a thread of the program that had its processor, if the program had
// all others, too, and other programs if not.
func (w *Window) charge(o switches.Off, i Interval, own func(thread int64, part Interval), others func(Interval)) {
	w.took(o, i, func(thread int64, part Interval) {
		if w.everywhere(part) {
			own(thread, part)
		} else {
			others(part)
		}
	}, others)
}

// everywhere reports whether the program had all processors of the machine in i: its goroutines, or its threads, which may be in C. Of a thread that
// has not left its processor since, only the trace tells that it was on one.
func (w *Window) everywhere(i Interval) bool {
	var goroutines, threads time.Duration
	w.runs.during(i, func(r *run, part Interval) { goroutines += part.length() - w.off(r.thread, part) })
	for _, times := range w.occupied {
		cut(i, times, occupationTime, func(_ occupation, part Interval) { threads += part.length() }, func(Interval) {})
	}
	return w.Processors > 0 && float64(max(goroutines, threads)) >= nearly*float64(w.Processors)*float64(i.length())
}

// nearly is which part of the machine's time the program must have for it to be all of it: what is between two threads has the rest.
const nearly = 0.9

// displaced adds time in which the thread of g could have been on a processor.
func (k *sums) displaced(g int64, o switches.Off, i Interval) {
	k.window.charge(o, i, func(thread int64, part Interval) {
		switch by, collector := k.window.ranOn(thread, part); {
		case collector:
			k.add(g, part, GC, "")
		default:
			k.wait(g, part, NoProcessor, place{}, by, "")
		}
	}, func(part Interval) { k.add(g, part, Preempted, "") })
}

// ranOn returns the goroutine that a thread ran for most of a time, and whether that worked for the collector; 0 if it ran none.
func (w *Window) ranOn(thread int64, i Interval) (most int64, collector bool) {
	longest := time.Duration(0)
	w.runs.during(i, func(r *run, part Interval) {
		if r.thread == thread && part.length() > longest {
			most, collector, longest = r.goroutine, r.collector, part.length()
		}
	})
	return most, collector
}

// displaced returns how long a thread was off the processor because other programs had it, because threads of this one had it, and because
// it waited for memory. It may also have waited, as for a lock of the runtime.
func (w *Window) displaced(thread int64, i Interval) (others, own, paging time.Duration) {
	cut(i, w.offs[thread], offTime, func(o switches.Off, part Interval) {
		if o.Preempted || o.Earlier {
			w.charge(o, part, func(_ int64, part Interval) { own += part.length() }, func(part Interval) { others += part.length() })
		} else if _, stalled := w.paged(part); 2*stalled >= part.length() {
			paging += part.length()
		}
	}, func(Interval) {})
	return others, own, paging
}

// off returns how long a thread was off the processor, as far as is known.
func (w *Window) off(thread int64, i Interval) (sum time.Duration) {
	cut(i, w.offs[thread], offTime, func(_ switches.Off, part Interval) { sum += part.length() }, func(Interval) {})
	return sum
}

// preempted returns how long threads were ready after they had been displaced, summed over them, as far as is known.
func (w *Window) preempted(i Interval) (sum time.Duration) {
	for _, times := range w.offs {
		cut(i, times, offTime, func(o switches.Off, part Interval) {
			if o.Preempted {
				sum += part.length()
			}
		}, func(Interval) {})
	}
	return sum
}

// anybody stands for all goroutines.
const anybody = 0

// heldBack returns the times in i in which the thread that ran a goroutine was off the processor, which no thread of the program had: what waited
// for that goroutine, to stop or to do its work, waited for other programs.
func (w *Window) heldBack(by int64, i Interval) (times []Interval) {
	w.runs.during(i, func(r *run, part Interval) {
		if by != anybody && r.goroutine != by {
			return
		}
		cut(part, w.offs[r.thread], offTime, func(o switches.Off, off Interval) {
			if o.Preempted || o.Earlier {
				w.took(o, off, func(int64, Interval) {}, func(others Interval) { times = append(times, others) })
			}
		}, func(Interval) {})
	})
	return union(times)
}

// union returns intervals that have all of the times, in order and apart from each other.
func union(times []Interval) (all []Interval) {
	slices.SortFunc(times, func(a, b Interval) int { return cmp.Compare(a.From, b.From) })
	for _, i := range times {
		if n := len(all); n > 0 && i.From <= all[n-1].To {
			all[n-1].To = max(all[n-1].To, i.To)
		} else {
			all = append(all, i)
		}
	}
	return all
}
