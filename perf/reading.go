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

// A State says what a Value is worth.
type State string

const (
	Exact       State = "exact"       // counted all the time
	Scaled      State = "scaled"      // an estimate: counted for a share of the time, because counters were short
	NotCounted  State = "not counted" // could be opened, but no counter ran
	Unsupported State = "unsupported" // this machine, system or program has no such event
	Denied      State = "denied"      // the system does not allow it
)

// A Value is what one event came to. With a state other than Exact and Scaled there is no number: Reason says why, and
// Remedy what would help, if anything is known to.
type Value struct {
	Event Event
	Count uint64 // times Scale it is in Unit; an estimate if State is Scaled
	State State
	Share float64 // of the time that it was counted for, above 0 to 1; 0 if it was not

	UserOnly bool    // counted in user mode only, because the system allows no more or because it was asked for
	Unit     string  // such as "ns", "" for events
	Scale    float64 // by what to multiply Count, 1 for nearly all
	Source   string  // who counted: "pmu-user", "pmu-syscall", "software", "rusage", "clock", "selfcounts", "kperf", "tsc"

	Reason string
	Remedy string
}

// Known reports whether there is a number: the state is Exact or Scaled.
func (v Value) Known() bool { return v.State == Exact || v.State == Scaled }

// String writes the value with what must be known of it: "2049 instructions", "2049 instructions (user mode)",
// "about 5000 cycles (counted 50 % of the time)", "no cycles: this virtual machine shows no such counter; ...".
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

// A Reading is what a measurement came to. It is plain data and outlives its group. The zero value has no events.
type Reading struct {
	Elapsed time.Duration // from the return of Start to the call of Stop

	fault fault // why nothing was counted; beside Elapsed, as the assembly knows
	plan  *plan
	n     [maxEvents]uint64
	times [maxSlots]span
}

// A fault is why a reading has no numbers; 0 is none.
type fault int

const (
	isClosed fault = iota + 1
	isForgotten
	isTorn
	isBackward
)

var faults = [...]string{isClosed: "the group was closed", isForgotten: "more than 32 measurements were begun after this one",
	isTorn: "a counter could not be read", isBackward: "a counter went backwards"}

// Get returns the value of an event. One that was not opened is Unsupported, with that for a reason.
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
	if row.slot == noSlot {
		return v
	}
	switch t := r.times[row.slot]; {
	case t.enabled == 0:
		return nothing("what it should count did not run", "")
	case t.running == 0:
		return nothing("no counter was its own for long enough in this time", "open fewer events, or measure for longer")
	case t.running < t.enabled:
		v.State, v.Share = Scaled, float64(t.running)/float64(t.enabled)
		v.Count = scaleUp(r.n[i], t.enabled, t.running)
	}
	return v
}

// Ratio returns num/den, ok=false unless both were counted together: by the same part of the group over the same time,
// and den is not 0. Ratio(Instructions, Cycles) is the instructions per cycle, Ratio(Cycles, TaskClock) the frequency in
// GHz, Ratio(BranchMisses, Branches) the share of branches predicted wrong. Scaled values give a ratio as good as exact
// ones, of the time they ran.
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

// Less returns the reading without what measuring costs, given by [Group.Overhead] of the same group. No count and no time
// goes below 0. A count that was scaled stays as it is: the overhead is below what is not known of it.
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
