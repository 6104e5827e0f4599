// SPDX-License-Identifier: BSD-3-Clause

// Package gotrace reads Go's execution traces, such as the window of runtime/trace.FlightRecorder, into what each goroutine did at
// each time: running, ready to run, waiting (for what, where, and who ended it) or in a system call.
//
// It reads the formats that Go 1.22 and later write. What annotates a trace for people, such as tasks, regions and logs, is left out.
package gotrace

import (
	"cmp"
	"slices"
)

// A Time is in nanoseconds of the runtime's monotonic clock, CLOCK_MONOTONIC on Linux, or of a Clock. Its resolution is the tracer's, 64 ns
// on most systems.
type Time int64

// A Trace is what Read found. Its methods resolve stacks when they are asked for, and so must not be called concurrently.
type Trace struct {
	Version    string      // that the header names: "go1.26" for Go 1.26 and 1.27
	From, To   Time        // the window: the begin of the first generation, and the last event
	Goroutines []Goroutine // by ID: all that existed in the window
	Procs      []Proc      // by ID
	Limits     []Limit     // GOMAXPROCS, by At
	Ranges     []Range     // collections and what they make goroutines do, and stops of the world, by From
	Heap       []Heap      // changes of the heap's size, by At
	Samples    []Sample    // of the CPU profiler, if it ran, by At

	file *file
}

// A Goroutine is the states of one goroutine. The first step begins when the goroutine is created, or with the trace if it is older.
// A step lasts until the next one, and the last one until Trace.To.
type Goroutine struct {
	ID    int64
	Steps []Step // by At
}

// A State is what a goroutine does.
type State uint8

// The states of a goroutine.
const (
	Unknown  State = iota
	Running        // a thread executes it, or would if the system let it
	Runnable       // it could run, and waits for a processor of the scheduler
	Waiting        // for another goroutine, a timer or the network
	Syscall        // in a system call or in C
	Gone           // it has ended
)

// A Step is a state of a goroutine and how it came about.
type Step struct {
	At Time
	// Reason is the runtime's word for why it waits ("sync", "chan receive", "select", "sleep", "network" and others), or "coroutine" if
	// it is one that waits for its turn. For a runnable goroutine it is what came before: "created", "unblocked", "preempted", "yield" or
	// "syscall exit". For a running one it is the runtime's label, which workers of the collector have: "GC (dedicated)",
	// "GC (fractional)" or "GC (idle)". It is empty if the trace does not say, as for what a goroutine did at Trace.From.
	Reason  string
	Thread  int64   // running or in a system call: the system's number of the thread, on Linux its TID; else 0
	By      int64   // runnable: the goroutine that created or unblocked it, or switched to it; 0 if a timer or the network did, or unknown
	Stack   StackID // where it waits, was preempted or began the system call; of a new goroutine, its function; where a long run went by
	ByStack StackID // where By was then
	Proc    int32   // running or in a system call: its processor of the scheduler (P), which the call may lose; unblocked by a timer or the network: the one that saw to that; else, or if none, -1
	State   State
}

// A StackID is a stack of a Trace. Equal stacks may have several. 0 is none.
type StackID uint32

// A Frame is a function in a stack.
type Frame struct {
	Function string // with its package's path
	File     string
	Line     int
}

// A Proc is a processor of the scheduler, which goroutines need to run.
type Proc struct {
	ID    int32
	Holds []Hold // when a thread had it, by From; it was idle in between
}

// A Hold is a time in which a thread had a processor of the scheduler, to run goroutines or to look for some.
type Hold struct {
	From, To Time
	Thread   int64
}

// A Limit is a value of GOMAXPROCS, which holds until the next one.
type Limit struct {
	At    Time
	Procs int
}

// A RangeKind is what goes on in a Range.
type RangeKind uint8

// The kinds of ranges.
const (
	Mark    RangeKind = 1 + iota // a collection marks; goroutines run meanwhile
	Stopped                      // no goroutine runs
	Assist                       // a goroutine has allocated so much that it must help the collection
	Sweep                        // a goroutine that allocates, or the collector, sweeps
)

// A Range is a time in which the runtime did something. It is cut at the borders of the window.
type Range struct {
	From, To  Time
	Kind      RangeKind
	Name      string // "GC concurrent mark phase", "stop-the-world (GC mark termination)", "GC mark assist", "GC incremental sweep"
	Goroutine int64  // that began it; 0 if it was none or is unknown
	Proc      int32  // where it began; -1 if unknown
	Stack     StackID
}

// Heap is a change of the size of the heap. The tracer sees whole spans of memory, of 8 kB and more, not each allocation.
type Heap struct {
	At        Time
	Live      int64 // bytes that were in use after the latest collection, and all since
	Goal      int64 // bytes at which the next collection should end; 0 if there is none
	Goroutine int64 // that ran then: if Live has grown, it was by its allocations; 0 if none did
}

// A Sample is one of the CPU profiler.
type Sample struct {
	At        Time
	Goroutine int64 // 0 if none ran
	Thread    int64
	Proc      int32 // -1 if none
	Stack     StackID
}

// Goroutine returns the goroutine of that number, or nil.
func (t *Trace) Goroutine(id int64) *Goroutine {
	i, ok := slices.BinarySearchFunc(t.Goroutines, id, func(g Goroutine, id int64) int { return cmp.Compare(g.ID, id) })
	if !ok {
		return nil
	}
	return &t.Goroutines[i]
}

// At returns the index of the step that g was in, or -1 if it did not exist yet. Of steps at the same time it is the last.
func (g *Goroutine) At(at Time) int {
	i, _ := slices.BinarySearchFunc(g.Steps, at+1, func(s Step, at Time) int { return cmp.Compare(s.At, at) })
	return i - 1
}
