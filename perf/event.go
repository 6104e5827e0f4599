// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"fmt"

	"github.com/strobe-go/strobe/internal/enum"
)

// An Event is what is counted, under the name perf(1) gives it: see the package comment. It has nothing to do with a profile.Event,
// which happens once and has a time.
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

// A State says how far a Value can be trusted. It prints, and is written to JSON, as the words beside it. The zero value is
// NotCounted. A cumulative.State is something else: sums of readings.
type State int

const (
	NotCounted  State = iota // "not counted": it was opened, but no counter ran
	Exact                    // "exact": counted all the time
	Scaled                   // "scaled": an estimate; there were too few counters, so it was counted for part of the time
	Unsupported              // "unsupported": this machine, system or program does not have the event
	Denied                   // "denied": the system does not allow it
)

var states = []string{"not counted", "exact", "scaled", "unsupported", "denied"}

// String returns the word for the state.
func (s State) String() string { return enum.Word(s, states) }

// MarshalText writes the word for the state. It never fails.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (s *State) UnmarshalText(text []byte) error { return enum.Parse(s, states, text) }

// A Scope says whose events are counted: Thread, Process, Command, or another process by [PID].
type Scope int64

const (
	// Thread counts the calling goroutine, which Open locks to its thread.
	Thread Scope = iota
	// Process counts all threads of this process, including those started later. It costs one read per thread.
	Process
	// Command counts the next program that the calling goroutine starts, with package os/exec for example, and all its
	// children. Counting begins when the program does, so the cost of starting it is not included. Call Start before
	// starting the program and Stop after waiting for it.
	Command

	// firstPID is the scope of process 0. Process numbers lie above it, so that Scope(1234) is refused, not guessed at.
	firstPID Scope = 1 << 32
)

// PID returns the scope of the process with the given number, all its threads, and the children it starts from then on.
// Open refuses a number below 1.
func PID(n int) Scope { return firstPID + Scope(n) }

// pid returns the number of the process; it is 0, and ok is false, for the other scopes.
func (s Scope) pid() (n int, ok bool) {
	if s <= firstPID {
		return 0, false
	}
	return int(s - firstPID), true
}

// locks reports whether the goroutine is locked to its thread while the group is open.
func (s Scope) locks() bool { return s == Thread || s == Command }

// String returns "thread", "process", "command" or "process 1234".
func (s Scope) String() string {
	if n, ok := s.pid(); ok {
		return fmt.Sprintf("process %d", n)
	}
	switch s {
	case Thread:
		return "thread"
	case Process:
		return "process"
	case Command:
		return "command"
	}
	return fmt.Sprintf("scope %d", int64(s))
}

// check returns an error for a scope that does not exist.
func (s Scope) check() error {
	if _, ok := s.pid(); ok || s >= Thread && s <= Command {
		return nil
	}
	if s > firstPID/2 {
		return fmt.Errorf("perf: process number %d: want one above 0", int64(s-firstPID))
	}
	return fmt.Errorf("perf: unknown scope %d: want perf.Thread, perf.Process, perf.Command or perf.PID(n)", int64(s))
}
