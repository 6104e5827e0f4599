// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"math"

	"github.com/strobe-go/strobe/stat"
)

// An Aggregate gathers the readings of one thing measured again and again. The zero value is ready. It is not safe for
// concurrent use. Only the first reading that has an event not seen before allocates.
type Aggregate struct {
	plan    *plan // of the readings so far, if they are all of one group
	at      [maxEvents]int
	elapsed quantity
	events  []*quantity
}

// A quantity is what is kept of an event.
type quantity struct {
	event   Event
	unit    string
	means   stat.BatchMeans
	n       uint64
	total   uint64
	min     uint64
	fastest uint64 // in the run that took the least time
	known   bool   // whether it was counted in that run
	scaled  uint64
	missing uint64
	last    Value // of the latest that had no number
}

// A Summary is what one event came to over many runs. While N is 0 nothing is known, and Reason says why.
type Summary struct {
	Event Event
	Unit  string // "ns" or "" for events
	N     uint64 // runs that were counted
	Total uint64 // over these runs

	Mean stat.Interval // of one run, with a 95 % interval that knows that runs resemble their neighbours
	Min  uint64        // the least of any run, whichever it was

	// OfFastest is the count in the run that took the least time: another thing than Min, which may come from a slow run.
	// OfFastestKnown is false if it was not counted in that run.
	OfFastest      uint64
	OfFastestKnown bool

	Scaled  uint64 // of the N runs, those whose count is an estimate
	Missing uint64 // runs without a number
	Reason  string // why the latest of those had none
	Remedy  string // what would help
}

// Add takes one reading. Values are taken in units of 1, before a Scale.
func (a *Aggregate) Add(r Reading) {
	a.elapsed.event, a.elapsed.unit = Elapsed, "ns"
	isFastest := a.elapsed.n == 0 || uint64(r.Elapsed) < a.elapsed.min
	a.elapsed.add(Value{Count: uint64(max(0, r.Elapsed)), State: Exact}, isFastest)
	if r.plan == nil {
		return
	}
	if r.plan != a.plan {
		a.plan = r.plan
		for i := range r.plan.rows {
			a.at[i] = a.find(r.plan.rows[i].event)
		}
	}
	for i := range r.plan.rows {
		a.events[a.at[i]].add(r.value(i), isFastest)
	}
}

// find returns where the event is kept, making room for one that is new.
func (a *Aggregate) find(e Event) int {
	for i, q := range a.events {
		if q.event == e {
			return i
		}
	}
	a.events = append(a.events, &quantity{event: e})
	return len(a.events) - 1
}

func (q *quantity) add(v Value, isFastest bool) {
	if isFastest {
		q.fastest, q.known = v.Count, v.Known()
	}
	if v.Unit != "" {
		q.unit = v.Unit
	}
	if !v.Known() {
		q.missing++
		q.last = v
		return
	}
	if v.State == Scaled {
		q.scaled++
	}
	if q.n == 0 || v.Count < q.min {
		q.min = v.Count
	}
	q.n++
	q.total = saturating(q.total, v.Count)
	q.means.Add(int64(min(v.Count, math.MaxInt64)))
}

// Of returns the summary of one event, or of [Elapsed].
func (a *Aggregate) Of(e Event) Summary {
	q := &a.elapsed
	if e != Elapsed {
		q = nil
		for _, have := range a.events {
			if have.event == e {
				q = have
			}
		}
	}
	if q == nil {
		return Summary{Event: e, Mean: new(stat.BatchMeans).Interval(0), Reason: "no reading has it"}
	}
	s := Summary{Event: e, Unit: q.unit, N: q.n, Total: q.total, Mean: q.means.Interval(0), Scaled: q.scaled, Missing: q.missing,
		Reason: q.last.Reason, Remedy: q.last.Remedy}
	if s.N > 0 {
		s.Min = q.min
		if s.OfFastestKnown = q.known; q.known {
			s.OfFastest = q.fastest
		}
	} else if s.Reason == "" {
		s.Reason = "no readings yet"
	}
	return s
}
