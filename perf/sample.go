// SPDX-License-Identifier: BSD-3-Clause

package perf

import "github.com/strobe-go/strobe/clock"

const (
	maxEvents = 12   // in a group
	maxSlots  = 4    // sets that take turns, at most
	noSlot    = 0xff // counted alone, by something that keeps no times
)

// span is how long counters were meant to run and how long they ran, in ns.
type span struct{ enabled, running uint64 }

// since returns the time from begin to s. The times of a mapped page stand still while the thread runs, but their
// difference is always right: if nothing was lost, the counters ran all the time; otherwise the share is unknown.
func (s span) since(begin span, paged bool) span {
	d := span{s.enabled - begin.enabled, s.running - begin.running}
	switch {
	case !paged:
		return d
	case d.enabled == d.running:
		return span{1, 1}
	}
	return span{1, 0}
}

// A fault is why a sample or a reading has no numbers; 0 is none.
type fault uint8

const (
	isClosed fault = iota + 1
	isForgotten
	isForeign
	isTorn
	isBackward
)

var faults = [...]string{
	isClosed:    "the group was closed",
	isForgotten: "more than 32 measurements were begun after this one",
	isForeign:   "the group counts the thread of the goroutine that opened it, and another goroutine used it",
	isTorn:      "a counter could not be read",
	isBackward:  "a counter went backwards",
}

// A sample is one read of all counters. Its size is part of the cost of a measurement.
type sample struct {
	at    clock.Instant
	seq   uint64
	fast  uint64 // seq if readPages filled it in; fault and paged are then not set
	fault fault
	paged uint16 // the slots read from mapped pages, one bit each
	n     [maxEvents]uint64
	times [maxSlots]span
}

// A row is what is known about one event of a group once it is open.
type row struct {
	event  Event
	value  Value  // without Count; its state is Exact or that of the refusal, NotCounted while undecided
	slot   uint8  // rows with the same slot are counted over exactly the same time
	always bool   // the slot keeps no times: it is counted all the time
	source source // who counts it
}

// A source says who counts a row, where that matters to the program.
type source uint8

const (
	byCounters source = iota // the system's counters
	byUsage                  // getrusage
	byClock                  // a clock of processor time
)

// counted reports whether the row has counts.
func (r *row) counted() bool { return r.value.State == Exact }

// timed reports whether the row's slot has times, which tell for how long it was counted.
func (r *row) timed() bool { return r.slot != noSlot && !r.always }

// together puts rows that are read at the same moment and run all the time into one slot, so that they have ratios.
func together(slot uint8, rows ...*row) {
	for _, r := range rows {
		r.slot, r.always = slot, true
	}
}

// refuse records why the row cannot be counted.
func (r *row) refuse(why refusal) {
	r.value.State, r.value.Reason, r.value.Remedy, r.value.Source = why.state, why.reason, why.remedy, ""
}

// A plan says what the numbers of a sample are. It never changes once the group is open, so readings outlive the group.
type plan struct {
	rows  []row
	slots int // that have times
}

// find returns the index of an event. There are few, so it scans.
func (p *plan) find(e Event) (int, bool) {
	if p != nil {
		for i := range p.rows {
			if p.rows[i].event == e {
				return i, true
			}
		}
	}
	return 0, false
}

// A refusal is why an event cannot be counted, and what would help.
type refusal struct {
	state          State
	reason, remedy string
}
