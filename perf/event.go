// SPDX-License-Identifier: BSD-3-Clause

package perf

// An Event is what is counted, under the name perf(1) gives it: see the package comment.
type Event string

// The events most often asked for. Any other is written as a string, such as perf.Event("dTLB-load-misses:u").
const (
	Cycles          Event = "cycles"           // of the core, at whatever frequency it runs
	Instructions    Event = "instructions"     // retired
	Branches        Event = "branches"         // branch instructions retired
	BranchMisses    Event = "branch-misses"    // branches predicted wrong
	TaskClock       Event = "task-clock"       // processor time in ns
	PageFaults      Event = "page-faults"      // minor and major
	ContextSwitches Event = "context-switches" // voluntary and involuntary

	// Elapsed is elapsed time in ns, for [Aggregate.Of]. It cannot be opened: every Reading has it.
	Elapsed Event = "elapsed"
)
