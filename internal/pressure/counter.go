// SPDX-License-Identifier: BSD-3-Clause

package pressure

import "github.com/strobe-go/strobe/internal/enum"

// A Counter is one of the values of a [Reading]. Times are in nanoseconds.
type Counter int

const (
	ProcessTime       Counter = iota // processor time of all threads
	ThreadTime                       // processor time of the calling thread
	MinorFaults                      // page faults of the process without reading from a disk
	MajorFaults                      // page faults of the process that read from a disk
	ThreadMinorFaults                // of the calling thread
	ThreadMajorFaults                // of the calling thread
	Waited                           // time in which threads of the process were ready but had no processor, of all threads together
	Throttled                        // time in which the quota of a control group was used up, of all its processors together or of the wall clock, as the kernel counts it
	Throttlings                      // periods in which that happened
	Allocated                        // bytes allocated; small objects are counted together, when their page of memory is full
	Objects                          // objects allocated, counted likewise
	Collections                      // garbage collections completed
	Pauses                           // times that the garbage collector stopped the world; twice for each collection
	Paused                           // time in which it did, known to an eighth
	OtherPauses                      // times that something else stopped the world
	OtherPaused                      // time in which it did, known to an eighth
	MutexWait                        // time in which goroutines waited for locks, of some waits only: the runtime samples them
	Continued                        // times that the process was continued after SIGSTOP, or was sent SIGCONT
	Suspended                        // time in which the machine was suspended, in milliseconds' steps
	HeapGoal                         // bytes of heap at which the next collection ends; a level, not a sum
	counters          int     = iota
)

var words = []string{"process-time", "thread-time", "minor-faults", "major-faults", "thread-minor-faults", "thread-major-faults", "waited", "throttled",
	"throttlings", "allocated", "objects", "collections", "pauses", "paused", "other-pauses", "other-paused", "mutex-wait", "continued", "suspended", "heap-goal"}

// String returns the counter's name, such as "thread-time".
func (c Counter) String() string { return enum.Word(c, words) }
