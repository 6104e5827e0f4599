// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"cmp"
	"math"

	"github.com/strobe-go/strobe/stat"
)

// An Aggregate summarizes the readings of something measured many times. The zero value is ready to use. It is not safe for
// concurrent use. Add allocates only for the first reading with an event not seen before.
type Aggregate struct {
	plan    *plan          // of the latest reading
	at      [maxEvents]int // where the events of plan are kept
	elapsed quantity
	events  []*quantity
}

// A quantity holds what is kept about an event.
type quantity struct {
	event   Event
	unit    string
	means   stat.BatchMeans
	n       uint64
	total   uint64
	min     uint64
	fastest extreme // the run that took the least time
	slowest extreme // the run that took the most time
	longest uint64  // of elapsed: the most time
	scaled  uint64  // runs whose count is an estimate
	missing uint64  // runs without a number
	last    Value   // the latest without a number
}

// An extreme is the count in one particular run.
type extreme struct {
	n     uint64
	known bool // whether it was counted in that run
}

// A Summary is the count of one event over many runs. While N is 0 nothing is known, and Reason says why.
type Summary struct {
	Event Event
	Unit  string // "ns" or "" for events
	N     uint64 // runs that were counted
	Total uint64 // over these runs

	Mean stat.Interval // per run, with a 95 % interval that allows for correlation between successive runs; without runs it has the Reason
	Min  uint64        // the smallest count of any run

	// OfFastest is the count in the run that took the least time. It is not Min, which may come from a slow run.
	// OfFastestKnown is false if the event was not counted in that run.
	OfFastest      uint64
	OfFastestKnown bool
	// OfSlowest is the count in the run that took the most time, with the same reservation.
	OfSlowest      uint64
	OfSlowestKnown bool

	Scaled  uint64 // how many of the N counts are estimates
	Missing uint64 // runs without a number
	Reason  string // why the latest of those had none
	Remedy  string // what would help
}

// Add adds one reading. It uses counts as they are, before Value.Scale.
func (a *Aggregate) Add(r Reading) {
	a.elapsed.event, a.elapsed.unit = Elapsed, "ns"
	took := uint64(max(0, r.Elapsed))
	isFastest := a.elapsed.n == 0 || took < a.elapsed.min
	isSlowest := a.elapsed.n == 0 || took > a.elapsed.longest
	if isSlowest {
		a.elapsed.longest = took
	}
	a.elapsed.add(Value{Count: took, State: Exact}, isFastest, isSlowest)
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
		a.events[a.at[i]].add(r.value(i), isFastest, isSlowest)
	}
}

// find returns where the event is kept, adding it if it is new.
func (a *Aggregate) find(e Event) int {
	for i, q := range a.events {
		if q.event == e {
			return i
		}
	}
	a.events = append(a.events, &quantity{event: e})
	return len(a.events) - 1
}

func (q *quantity) add(v Value, isFastest, isSlowest bool) {
	if isFastest {
		q.fastest = extreme{v.Count, v.Known()}
	}
	if isSlowest {
		q.slowest = extreme{v.Count, v.Known()}
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
		return Summary{Event: e, Mean: stat.Unknown("no reading has it"), Reason: "no reading has it"}
	}
	s := Summary{Event: e, Unit: q.unit, N: q.n, Total: q.total, Mean: q.means.Interval(0), Scaled: q.scaled, Missing: q.missing,
		Reason: q.last.Reason, Remedy: q.last.Remedy}
	if s.N > 0 {
		s.Min = q.min
		s.OfFastest, s.OfFastestKnown = q.fastest.n, q.fastest.known
		s.OfSlowest, s.OfSlowestKnown = q.slowest.n, q.slowest.known
	} else {
		s.Reason = cmp.Or(s.Reason, "no readings yet")
		s.Mean = stat.Unknown(s.Reason)
	}
	return s
}
