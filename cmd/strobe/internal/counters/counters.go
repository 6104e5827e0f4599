// SPDX-License-Identifier: BSD-3-Clause

// Package counters finds out which performance counters a program could have here, by asking for each.
package counters

// An Event is a counter, and whether it can be had.
type Event struct {
	Name     string
	UserOnly bool  // it counts in user mode only: the system does not let us see its own part
	Err      error // why it cannot be had, with the remedy where there is one; nil if it counts
}

// Probe asks the operating system for each counter on the calling thread and lets it count for a moment. It takes some
// milliseconds. On systems where we do not know how to ask, every event has that for a reason.
func Probe() []Event { return probe() }
