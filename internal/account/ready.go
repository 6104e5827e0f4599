// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/strobe-go/strobe/internal/gotrace"
)

// ready adds time in which g could have run.
func (k *sums) ready(g int64, i Interval) {
	w := k.window
	cut(i, k.stopped, itself, func(_ Interval, part Interval) { k.add(g, part, Stopped, "") }, func(i Interval) {
		cut(i, w.stops, rangeTime, func(r gotrace.Range, part Interval) { k.stop(g, r, part, stopPlace(w, r)) }, func(i Interval) {
			c, by := k.contention(i)
			k.wait(g, i, c, place{}, by, "")
		})
	})
}

// contention is that of the window, unless goroutines that seem to have run were off the processor.
func (k *sums) contention(i Interval) (c Cause, by int64) {
	if c, by = k.window.contention(i); c == NoProcessor {
		if known := k.unseen(c); known != c {
			return known, 0
		}
	}
	return c, by
}

// unseen returns c, unless goroutines that seem to have run were off the processor for so much of the time that it is to blame, or may be.
func (k *sums) unseen(c Cause) Cause {
	switch {
	case c == NoProcessor && k.takers == c:
	case float64(k.hidden.Least) > away*float64(k.ran):
		return k.takers
	case float64(k.hidden.Most) > doubtful*float64(k.ran):
		return Unclear
	}
	return c
}

// stop adds time in which the world was stopped: by g, or while g could have run. Other programs may have made it long.
func (k *sums) stop(g int64, r gotrace.Range, i Interval, where string) {
	cut(i, k.window.heldBack(anybody, i), itself, func(_ Interval, part Interval) { k.add(g, part, Preempted, "") }, func(i Interval) {
		c := k.unseen(stopCause(r))
		if c != stopCause(r) {
			where = ""
		}
		k.add(g, i, c, where)
	})
}

// stopCause returns the cause of a stop of the world.
func stopCause(r gotrace.Range) Cause {
	if strings.Contains(r.Name, "(GC ") {
		return GC
	}
	return StoppedWorld
}

// stopPlace returns where the world was stopped, or for what.
func stopPlace(w *Window, r gotrace.Range) string {
	if where := w.place(r.Stack).where; where != "" && stopCause(r) != GC {
		return where
	}
	return strings.TrimSuffix(strings.TrimPrefix(r.Name, "stop-the-world ("), ")")
}

// A goroutine is not kept from running by others of the program, but by the system, if the scheduler's processors were free for more
// than a third of the time, or if something else had the machine's processors for more than three fifths of it.
const (
	idle = 1. / 3
	away = 3. / 5
)

// doubtful is the share of the time of running goroutines that must be off the processors, if all that is known are sums, for it to be
// unclear who is to blame: some of it was before or after.
const doubtful = 0.35

// blame is how much of the time the goroutine that explains must run to be what kept another one from running.
const blame = 0.8

// A share is how long a goroutine ran.
type share struct {
	goroutine int64
	ran       time.Duration
}

// mostShares is how many goroutines are told apart that ran while another was ready.
const mostShares = 64

// contention returns why a goroutine that was ready did not run, and the one that ran most meanwhile.
func (w *Window) contention(i Interval) (c Cause, by int64) {
	var held, off, paging time.Duration
	w.holds.during(i, func(r *run, part Interval) {
		held += part.length()
		displaced, _, paged := w.displaced(r.thread, part)
		off, paging = off+displaced, paging+paged
	})
	var all, collector, most, self, selfOff time.Duration
	each := w.shares[:0]
	w.runs.during(i, func(r *run, part Interval) {
		all += part.length()
		if r.collector {
			collector += part.length()
		}
		n := slices.IndexFunc(each, func(s share) bool { return s.goroutine == r.goroutine })
		if n < 0 {
			if n = len(each); n == mostShares {
				return
			}
			each = append(each, share{goroutine: r.goroutine})
		}
		if each[n].ran += part.length(); each[n].ran > most || each[n].ran == most && r.goroutine < by {
			most, by = each[n].ran, r.goroutine
		}
		if r.goroutine == w.Self {
			self, selfOff = each[n].ran, selfOff+w.off(r.thread, part)
		}
	})
	w.shares = each
	switch {
	case float64(off) > away*float64(held), w.free(i):
		return Preempted, 0
	case float64(paging) > away*float64(held):
		return Paging, 0
	case 2*collector >= all && all > 0:
		return GC, 0
	case w.Self != 0 && float64(self) > blame*float64(i.length()):
		if 2*selfOff > self { // it did not explain then: the process may have been frozen
			return Unclear, 0
		}
		return Capture, 0
	default:
		return NoProcessor, by
	}
}

// free reports whether the scheduler's processors were idle for more than a third of i.
func (w *Window) free(i Interval) bool {
	limit := time.Duration(w.limit(i.From)) * i.length()
	left := limit
	w.holds.during(i, func(_ *run, part Interval) { left -= part.length() })
	return float64(left) > idle*float64(limit)
}

// limit returns GOMAXPROCS at a time.
func (w *Window) limit(at Time) int {
	k, _ := slices.BinarySearchFunc(w.Trace.Limits, at+1, func(l gotrace.Limit, at Time) int { return cmp.Compare(l.At, at) })
	switch {
	case k > 0:
		return w.Trace.Limits[k-1].Procs
	case len(w.Trace.Limits) > 0:
		return w.Trace.Limits[0].Procs
	default:
		return len(w.Trace.Procs)
	}
}
