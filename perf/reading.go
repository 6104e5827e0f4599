// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"fmt"
	"iter"
	"math"
	"strconv"
	"time"

	"github.com/strobe-go/strobe/internal/units"
)

// A Value is the count of one event. In a state other than Exact and Scaled there is no number, and [Value.Known] is false: Count
// and Share are 0 and mean nothing, Reason says why, and Remedy what would help, if that is known. A known Count of 0 was counted.
type Value struct {
	Event Event
	Count uint64 // multiply by Scale for the amount in Unit; an estimate if State is Scaled
	State State
	Share float64 // the share of the time for which it was counted, above 0 and up to 1; 0 if it was not counted

	UserOnly bool    // counted in user mode only, because the system allows no more or because the name asks for it
	Unit     string  // such as "ns"; "" for events
	Scale    float64 // what to multiply Count by; 1 for nearly all events
	Source   string  // who counted, for people: "pmu-user", "pmu-syscall", "software", "rusage", "clock", "selfcounts", "kperf", "tsc"

	Reason string // why there is no number, or what limits it
	Remedy string // what would help
}

// Known reports whether there is a number: the state is Exact or Scaled.
func (v Value) Known() bool { return v.State == Exact || v.State == Scaled }

// String returns the value and what limits it: "2049 instructions", "2049 instructions (user mode)", "about 5000 cycles
// (counted 50 % of the time)", "no cycles: this virtual machine shows no such counter; ...".
func (v Value) String() string {
	if !v.Known() {
		text := fmt.Sprintf("no %s: %s", v.Event, v.Reason)
		if v.Remedy != "" {
			text += "; " + v.Remedy
		}
		return text
	}
	amount := strconv.FormatUint(v.Count, 10)
	if v.Scale != 1 {
		amount = strconv.FormatFloat(float64(v.Count)*v.Scale, 'g', 6, 64)
	}
	switch {
	case v.Unit == "ns" && v.Scale == 1:
		amount = units.Duration(float64(v.Count))
	case v.Unit != "":
		amount += " " + v.Unit
	}
	text := amount + " " + string(v.Event)
	if v.UserOnly {
		text += " (user mode)"
	}
	if v.State == Scaled {
		text = fmt.Sprintf("about %s (counted %.3g %% of the time)", text, 100*v.Share)
	}
	return text
}

// A Reading is the result of a measurement. It is plain data and outlives its group. The zero value has no events.
type Reading struct {
	Elapsed time.Duration // from the return of Start to the call of Stop

	fault fault // why nothing was counted; the assembly relies on its place after Elapsed
	plan  *plan
	n     [maxEvents]uint64
	times [maxSlots]span
}

// Get returns the value of an event. An event that was not opened is Unsupported, with that as the reason.
func (r Reading) Get(e Event) Value {
	i, ok := r.plan.find(e)
	if !ok {
		return Value{Event: e, State: Unsupported, Scale: 1, Reason: "it was not opened", Remedy: "name it in perf.Open"}
	}
	return r.value(i)
}

// All yields the values in the order in which they were opened.
func (r Reading) All() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if r.plan == nil {
			return
		}
		for i := range r.plan.rows {
			if !yield(r.value(i)) {
				return
			}
		}
	}
}

func (r *Reading) value(i int) Value {
	row := &r.plan.rows[i]
	v := row.value
	if !row.counted() {
		return v
	}
	nothing := func(reason, remedy string) Value {
		v.State, v.Count, v.Share, v.Reason, v.Remedy = NotCounted, 0, 0, reason, remedy
		return v
	}
	if r.fault != 0 {
		return nothing(faults[r.fault], "")
	}
	v.Count, v.Share = r.n[i], 1
	if !row.timed() {
		return v
	}
	switch t := r.times[row.slot]; {
	case t.enabled == 0:
		return nothing("the thread or program to be counted did not run", "")
	case t.running == 0:
		return nothing("it never had a counter during this time", "open fewer events, or measure for longer")
	case t.running < t.enabled:
		v.State, v.Share = Scaled, float64(t.running)/float64(t.enabled)
		v.Count = scaleUp(r.n[i], t.enabled, t.running)
	}
	return v
}

// Ratio returns num/den. ok is false if den is 0 or the two were not counted together, over exactly the same time.
// Ratio(Instructions, Cycles) is instructions per cycle, Ratio(Cycles, TaskClock) the frequency in GHz,
// Ratio(BranchMisses, Branches) the share of branches predicted wrong. A ratio of Scaled values is exact for the time they
// were counted.
func (r Reading) Ratio(num, den Event) (ratio float64, ok bool) {
	i, ok1 := r.plan.find(num)
	j, ok2 := r.plan.find(den)
	if !ok1 || !ok2 || r.plan.rows[i].slot == noSlot || r.plan.rows[i].slot != r.plan.rows[j].slot {
		return 0, false
	}
	a, b := r.value(i), r.value(j)
	if !a.Known() || !b.Known() || a.UserOnly != b.UserOnly || r.n[j] == 0 {
		return 0, false
	}
	ratio = float64(r.n[i]) * a.Scale / (float64(r.n[j]) * b.Scale)
	return ratio, !math.IsInf(ratio, 0) && !math.IsNaN(ratio)
}

// Less returns the reading without the cost of measuring, which is the [Group.Overhead] of the same group. No count and no
// time goes below 0. Scaled counts stay as they are: the overhead is smaller than their uncertainty.
func (r Reading) Less(overhead Reading) Reading {
	if r.plan == nil || r.plan != overhead.plan || overhead.fault != 0 {
		return r
	}
	r.Elapsed = max(0, r.Elapsed-overhead.Elapsed)
	for i := range r.plan.rows {
		if v := r.value(i); v.State == Exact && overhead.value(i).State == Exact {
			r.n[i] = less(r.n[i], overhead.n[i])
		}
	}
	return r
}
