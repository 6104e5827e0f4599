// SPDX-License-Identifier: BSD-3-Clause

package pressure

import "github.com/strobe-go/strobe/internal/enum"

// A Counter is one of the values of a [Reading]. Times are in nanoseconds.
type Counter int

const (
	ProcessTime       Counter = iota // processor time of all threads; other threads that run are behind by up to Lag
	ThreadTime                       // processor time of the calling thread
	MinorFaults                      // page faults of the process that needed no disk
	MajorFaults                      // page faults of the process that needed one
	ThreadMinorFaults                // of the calling thread
	ThreadMajorFaults                // of the calling thread
	Waited                           // time in which threads of the process were ready but had no processor, summed over them
	Throttled                        // time in which a control group had used up its quota, summed over processors
	Throttlings                      // periods in which that happened
	Stolen                           // time that the host took from the machine, summed over processors, in steps of 10 ms
	Allocated                        // bytes allocated; small objects count when their span of memory is full
	Objects                          // objects allocated, counted likewise
	Collections                      // garbage collections completed
	Pauses                           // times that the garbage collector stopped the world
	Paused                           // how long in all, to within an eighth
	OtherPauses                      // times that something else stopped the world
	OtherPaused                      // how long in all, to within an eighth
	MutexWait                        // time in which goroutines waited for locks, estimated by the runtime from some of the waits
	Continued                        // times that the process was continued, after SIGSTOP as a rule; the signal may arrive a moment later
	Suspended                        // time in which the machine was suspended, in steps of a millisecond
	Stalled                          // time in which a thread of the control group, or of the machine if it has none of version 2, waited for memory that the kernel had to free or read again
	HeapGoal                         // bytes of heap at which the next collection is to end: a level, not a sum
	counters          int     = iota
)

var words = []string{"process-time", "thread-time", "minor-faults", "major-faults", "thread-minor-faults", "thread-major-faults", "waited", "throttled",
	"throttlings", "stolen", "allocated", "objects", "collections", "pauses", "paused", "other-pauses", "other-paused", "mutex-wait", "continued", "suspended",
	"stalled", "heap-goal"}

// String returns the counter's name, such as "thread-time".
func (c Counter) String() string { return enum.Word(c, words) }

func (c Counter) thread() bool {
	return c == ThreadTime || c == ThreadMinorFaults || c == ThreadMajorFaults
}
