// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"github.com/strobe-go/strobe/internal/account"
	"github.com/strobe-go/strobe/internal/enum"
)

// A Cause is what time went into. It prints, and is written to JSON, as the word beside it. The zero value is Unclear.
type Cause int

const (
	Unclear      = Cause(account.Unclear)      // "unclear": no source tells, or no cause explains enough of the time
	Own          = Cause(account.Own)          // "own": the program's own code, running on a processor
	Allocation   = Cause(account.Allocation)   // "allocation": code that allocates memory, with what it has to do for the garbage collector
	GC           = Cause(account.GC)           // "gc": the garbage collector
	StoppedWorld = Cause(account.StoppedWorld) // "stopped-world": the runtime stopped all goroutines, but not for a collection
	NoProcessor  = Cause(account.NoProcessor)  // "no-processor": ready to run, while other goroutines occupied all of GOMAXPROCS
	Preempted    = Cause(account.Preempted)    // "preempted": other programs occupied the machine's processors
	Throttled    = Cause(account.Throttled)    // "throttled": the control group had used up its quota of processor time
	Stolen       = Cause(account.Stolen)       // "stolen": the host of the virtual machine ran something else
	Stopped      = Cause(account.Stopped)      // "stopped": a signal or a debugger stopped the process, or it was frozen, or the machine was suspended
	Lock         = Cause(account.Lock)         // "lock": waiting for a lock, a sync.WaitGroup or a sync.Cond
	Channel      = Cause(account.Channel)      // "channel": waiting for a channel, or in a select
	Sleep        = Cause(account.Sleep)        // "sleep": waiting for a timer, also one that fired late: nothing tells when it was due
	Syscall      = Cause(account.Syscall)      // "syscall": in a system call or waiting in C code; without records of switches, anything in C code
	Network      = Cause(account.Network)      // "network": waiting for a connection, a pipe or another file that can be polled
	PageFaults   = Cause(account.PageFaults)   // "page-faults": the system provided memory that was used for the first time
	Paging       = Cause(account.Paging)       // "paging": waiting for memory that the system had to free or to read from a disk first
	Capture      = Cause(account.Capture)      // "capture": this package was explaining another unit
)

// String returns the word for the cause.
func (c Cause) String() string { return enum.Word(c, account.Words) }

// MarshalText writes the word for the cause. It never fails.
func (c Cause) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads what MarshalText wrote. The error names an unknown word.
func (c *Cause) UnmarshalText(text []byte) error { return enum.Parse(c, account.Words, text) }
