// SPDX-License-Identifier: BSD-3-Clause

package perf

// An Event is what is counted, by the name that perf(1) gives it: see the package comment.
type Event string

// The events most asked for. Others are written as strings, such as perf.Event("dTLB-load-misses:u").
const (
	Cycles          Event = "cycles"           // of the processor's core, whatever its frequency
	Instructions    Event = "instructions"     // completed
	Branches        Event = "branches"         // branch instructions completed
	BranchMisses    Event = "branch-misses"    // branches that were predicted wrong
	TaskClock       Event = "task-clock"       // processor time in ns
	PageFaults      Event = "page-faults"      // minor and major
	ContextSwitches Event = "context-switches" // voluntary or not

	// Elapsed is the time that passed, in ns, for [Aggregate.Of]. It cannot be opened: every Reading has it.
	Elapsed Event = "elapsed"
)

// A Scope is whose events are counted. A number above 0 is a process id: that process with all its threads, and its
// children from then on.
type Scope int

const (
	// Thread is the calling goroutine, which Open locks to its thread.
	Thread Scope = 0
	// Process is all threads of this process, and those that come. It costs a reading for each thread.
	Process Scope = -1
	// Command is the next program that the calling goroutine starts, by package os/exec for example, and all its
	// children. Counting begins when the program does, so what starting it costs is not in it. Measure from before the
	// start until the program was waited for.
	Command Scope = -2
)
