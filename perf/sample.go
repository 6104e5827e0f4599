// SPDX-License-Identifier: BSD-3-Clause

package perf

import "github.com/strobe-go/strobe/clock"

const (
	maxEvents = 12   // of a group
	maxSlots  = 4    // events that do not fit together are counted in so many parts at most
	noSlot    = 0xff // counted all the time, by something that knows no share of time
)

// span is how long counters were to run and how long they did, in ns.
type span struct{ enabled, running uint64 }

// since returns the time from begin to s. Times of a mapped page stand still while the thread runs, but what was lost of
// them is always right: then nothing lost means all the time, and anything else that the share is not known.
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

// A sample is one reading of all counters. Its size is what a measurement costs.
type sample struct {
	at    clock.Instant
	seq   uint64
	fast  uint64 // seq if all was read in one go from mapped pages; torn and paged are then not set
	torn  bool   // a counter could not be read
	paged uint16 // slots read from mapped pages, a bit each
	n     [maxEvents]uint64
	times [maxSlots]span
}

// A row is what is known of one event of a group from the time it was opened.
type row struct {
	event Event
	value Value // without Count; the state is that of a value that was counted all the time, or the refusal
	slot  uint8
}

// counted reports whether there are counts at all.
func (r *row) counted() bool { return r.value.State == Exact }

// A plan says what the numbers of a sample are. It never changes once the group is open, so readings outlive the group.
type plan struct {
	rows  []row
	slots int // that rows are counted in
}

// find returns the index of an event. The names are few, so a scan it is.
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

// A refusal is why an event cannot be had, and what would help.
type refusal struct {
	state          State
	reason, remedy string
}
