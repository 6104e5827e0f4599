// SPDX-License-Identifier: BSD-3-Clause

package account

import "github.com/strobe-go/strobe/internal/enum"

// A Cause is what a part of a unit's time went into. It prints as the word beside it.
type Cause int

const (
	Unclear      Cause = iota // "unclear": no source tells, or none is large enough
	Own                       // "own": the program's own code, on a processor
	Allocation                // "allocation": own code that allocates, and what the collector makes it pay for that
	GC                        // "gc": the garbage collector
	StoppedWorld              // "stopped-world": the runtime stopped all goroutines, not for a collection
	NoProcessor               // "no-processor": ready to run, but other goroutines had all processors of Go's scheduler
	Preempted                 // "preempted": other programs had the processors of the machine
	Throttled                 // "throttled": the quota of the control group was used up
	Stolen                    // "stolen": the host of the virtual machine ran something else
	Stopped                   // "stopped": the process was stopped by a signal or a debugger, or it was frozen, or the machine was suspended
	Lock                      // "lock": waiting for a lock, a WaitGroup or a Cond
	Channel                   // "channel": waiting for a channel or in a select
	Sleep                     // "sleep": waiting for a timer; the trace does not tell when it was due
	Syscall                   // "syscall": in a call of the system, or of C
	Network                   // "network": waiting for a connection, a pipe or another pollable file
	PageFaults                // "page-faults": the system provided memory when it was first used
	Paging                    // "paging": waiting for memory that the system had to free or to read from a disk first
	Capture                   // "capture": strobe was explaining another unit
	Causes                    // number of causes
)

// Words are those of the causes, in order.
var Words = []string{"unclear", "own", "allocation", "gc", "stopped-world", "no-processor", "preempted", "throttled", "stolen", "stopped",
	"lock", "channel", "sleep", "syscall", "network", "page-faults", "paging", "capture"}

// String returns the word for the cause.
func (c Cause) String() string { return enum.Word(c, Words) }
