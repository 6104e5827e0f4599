// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"time"

	"github.com/strobe-go/strobe/internal/pressure"
)

// A Unit is what to account for: a time of a goroutine, and what other goroutines did for it.
type Unit struct {
	Goroutine int64
	Interval
	Links []Link // by goroutine and From
}

// A Link is a time in which a goroutine worked for a unit.
type Link struct {
	Goroutine int64
	Interval
}

// An Account is where the time of a unit went.
type Account struct {
	Took   time.Duration
	Parts  []Part // longest first; they add up to Took
	States bool   // the states of goroutines are known; if not, the parts are guesses of counters
	Exact  bool   // and when their threads were on a processor

	// Hidden is how much longer goroutines ran than the process used processors, over a time that includes the unit: something took
	// them away unseen.
	Hidden    Bounds
	Faulted   time.Duration // estimate of what page faults took, of the whole process, over that time
	Stalled   time.Duration // how long threads of the control group waited for memory, over that time
	Waited    time.Duration // how long its threads were ready and had no processor, over that time, without what the records of switches tell: threads that had woken
	Continued bool          // the process was continued by a signal, or the machine was suspended, in that time
	Late      []Late        // what ended waits may have been ready before
	Quota     Bounds        // for how long the quota of the control group was used up in the unit: of the scheduler's processors on average, and their sum
	Absent    time.Duration // for how long threads were on a processor by all records, and executed nothing of the program
	Switches  bool          // the kernel's records of switches reach back to what the trace has of the unit
	Crowded   bool          // other goroutines allocated much in the unit's time, and those of the unit little: collections are due to others
}

// Bounds are what a time is at least and at most.
type Bounds struct {
	Least, Most time.Duration
	Known       bool // false if the sources do not tell; then the others are 0
}

// A Part is a part of a unit's time that has one cause.
type Part struct {
	Key
	Took  time.Duration
	By    Waker      // of the longest wait in it
	Spans []Interval // when it was, at most 64 of them
}

// A Key tells parts apart.
type Key struct {
	Cause     Cause
	Zone      int    // index of the innermost open zone; -1 if there was none
	Where     string // line and function; empty if unknown
	Object    string // type of package sync that was waited for, such as "sync.Mutex"; empty if it was none
	Goroutine int64  // that did it for the unit while the unit waited for it; 0 for the unit's own
}

// A Waker is the goroutine that ended a wait or, for NoProcessor, that occupied a processor most.
type Waker struct {
	Goroutine int64  // 0 if it was none, such as a timer, or unknown
	Where     string // where it ended the wait
	Main      Key    // what it did during most of the wait
	Took      time.Duration
	First     *Waker // if that was a wait, too: what ended the first of such waits, each of which ended the next; nil if it was none
	Waits     int    // how many these are
}

// A Late is for how long what ended waits may have been late itself: timers or connections while nothing looked at them, system calls
// while the quota was used up, or all of them while the process did not run.
type Late struct {
	Of    Cause         // Sleep, Network, Syscall, Lock or Channel: the wait that they ended
	Cause Cause         // what kept the unit waiting; Unclear if that is not known
	Took  time.Duration // at most
	By    Waker         // whose goroutine had the processor; Goroutine is 0 if there was none
}

// Of accounts for a unit.
func (w *Window) Of(u Unit) Account {
	a := Account{Took: u.length()}
	k := walker{sums: sums{window: w, parts: make(map[Key]*building), late: make(map[lateKey]*building)}, links: u.Links}
	a.States = w.Trace != nil && w.Trace.From <= u.From && w.Trace.Goroutine(u.Goroutine) != nil
	if w.Trace != nil {
		k.stopped = w.stopped(u.Interval)
		if !w.Exact(u.From) {
			k.ran, k.hidden = w.hidden(u.Interval)
			k.takers = w.takers(u.Interval)
		}
		k.walk(u.Goroutine, u.Interval)
		a.Switches = w.Exact(max(u.From, w.Trace.From))
		a.Exact = a.States && a.Switches
	} else {
		w.inZones(u.Goroutine, u.Interval, func(zone int, part Interval) { k.put(Key{Cause: Unclear, Zone: zone}, part) })
	}
	for key, b := range k.parts {
		p := Part{Key: key, Took: b.took, Spans: b.spans}
		if b.longest.length() > 0 {
			p.By = Waker{Goroutine: b.by, Where: b.byWhere}
		}
		a.Parts = append(a.Parts, p)
	}
	a.Absent = k.absent
	paged := 0
	for key, b := range k.parts {
		if key.Cause == Paging {
			paged += b.times
		}
	}
	for key, b := range k.late {
		l := Late{Of: key.of, Cause: key.cause, Took: b.took}
		if b.by != 0 {
			l.By = w.waker(b)
		}
		a.Late = append(a.Late, l)
	}
	w.count(&a, u.Interval, paged)
	a.Crowded = a.States && a.Sum(NoProcessor) > 0 && a.Sum(GC) > 0 && w.crowded(u)
	a.sort()
	for i := range a.Parts[:min(4, len(a.Parts))] {
		p := &a.Parts[i]
		if b := k.parts[p.Key]; p.By.Goroutine != 0 && b != nil {
			p.By = w.waker(b)
			a.throttledWaker(&p.By)
		}
	}
	w.sampled(&a, u)
	return a
}

// absences gives time in which nothing of the program was executed to the host, if the process used about as much less of the processors.
func (a *Account) absences() {
	if a.Absent > 0 && a.Hidden.Known && float64(a.Hidden.Least) >= punctual*float64(a.Absent) {
		a.move(Unclear, Stolen, a.Absent)
		a.Absent = 0
	}
}

// count adds what the counters tell, and moves time that they explain. paged is how often the unit waited for memory.
func (w *Window) count(a *Account, i Interval, paged int) {
	a.Continued = w.continued(i)
	d, ok := w.between(i, 0)
	if !ok {
		return
	}
	if faults, ok := d.of(pressure.MinorFaults); ok {
		a.Faulted = time.Duration(faults) * w.Fault
	}
	read, stalled := d.paged()
	a.Stalled = stalled
	if a.Sum(Paging) > read+2*stalled { // each part of it was possible, and all together are not
		a.rename(Paging, Syscall)
	}
	if a.States {
		if waited, ok := d.of(pressure.Waited); ok {
			a.Waited = max(0, time.Duration(waited)-w.preempted(d.Interval))
		}
		if _, a.Hidden = w.hidden(i); !a.Exact && a.Hidden.Known && a.Hidden.Least >= a.Took/16 {
			a.move(Own, w.takers(i), a.Hidden.Least)
		}
		a.absences()
		displaced := a.Sum(Preempted)
		a.Quota = w.quota(d, i)
		switch {
		case throttled(d, displaced):
			a.rename(Preempted, Throttled)
		case !a.Exact && displaced > 0 && max(2*stalled, read) >= displaced: // for others as long as it was ready, at most
			if waited, ok := d.of(pressure.Waited); ok {
				a.move(Preempted, Paging, displaced-time.Duration(waited))
			}
			a.rename(Preempted, Unclear)
		}
		if pages, ok := d.of(pressure.MajorFaults); ok && a.Sum(Paging) > 0 {
			a.move(Own, Paging, time.Duration(min(int64(paged), pages))*2*w.Fault)
		}
		a.throttledWaits()
		if !a.Continued {
			a.haltedWaits(w.haltIn(i), i)
		}
		return
	}
	// Not pressure.Waited and MinorFaults, which are those of all threads: nothing tells which part was this goroutine's.
	for _, c := range []struct {
		times, spent pressure.Counter
		cause        Cause
	}{{pressure.OtherPauses, pressure.OtherPaused, StoppedWorld}, {pressure.Pauses, pressure.Paused, GC}, {pressure.Throttlings, pressure.Throttled, Throttled}} {
		if spent, ok := d.of(c.spent); ok {
			times, _ := d.of(c.times)
			a.move(Unclear, c.cause, d.within(i.length(), times, time.Duration(spent)))
		}
	}
}
