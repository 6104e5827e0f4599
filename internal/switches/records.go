// SPDX-License-Identifier: BSD-3-Clause

package switches

import "time"

// Options say what to record. The zero value is ready to use.
type Options struct {
	// Bytes of memory for the records of each processor, rounded down to a power of two; 0 means 512 KiB, which is what an ordinary
	// user may lock, but 16 MiB for all at most. A thread that leaves or comes takes 32 bytes, and where whole processors are recorded
	// 40 bytes, whatever program it is of. Open takes less if the system refuses it; Recorder.Options has what it took.
	Bytes int
	// Samples is how many stacks to record in a second of a thread's processor time; 0 means 97, negative none, at most 10,000.
	Samples int
	// Faults is how many page faults of a thread on a processor one record stands for, or of all threads on it where whole processors are
	// recorded; 0 means 8 or, in the latter case, 64; negative none.
	Faults int
	// Descriptors is how many file descriptors Open may take: two for each processor or, where these may not be recorded whole, for each
	// thread that there is at that time on each processor; one without page faults or without stacks. 0 means 8192, but at most a quarter of the process's limit. Where that is not enough,
	// the stacks are left out, and Recorder.Left says so.
	Descriptors int
	// Threads is whether to record each thread by itself, as is done anyway where the system does not permit to record whole processors.
	Threads bool
}

// Records are what happened between two instants. All instants are nanoseconds of CLOCK_MONOTONIC, and all threads are the
// system's numbers, as gettid returns them.
type Records struct {
	From, To int64    // what was asked for
	Off      []Off    // by From
	Samples  []Sample // by At; empty if Options left them out
	Faults   []Fault  // by At; empty if Options left them out
	// Covered is since when everything is recorded. From is before it if the rings are too small for the window, or if it
	// begins before Open did.
	Covered int64
	// Read is when the rings were read: what comes after it is unknown.
	Read int64
	// Missed is when the kernel says that it left records out, since Covered.
	Missed []int64
	// Lost is how many switches since Covered are known to be missing, of which the kernel says nothing: a thread came twice without
	// having left, or left twice.
	Lost int
}

// An Off is a time in which a thread was on no processor. It overlaps the window, and may begin before it and end after it.
type Off struct {
	Thread   int64
	From, To int64
	// Preempted is whether the thread was ready to run when it left: something else took the processor. Otherwise it waited, or
	// the process was stopped.
	Preempted bool
	// Processor is the one that the thread left; -1 if that is not recorded.
	Processor int
	// Earlier is whether the thread left before Covered, so that From is Covered, and Preempted and Processor are unknown.
	Earlier bool
	// Still is whether the thread had not come back when the rings were read, so that To is Records.Read.
	Still bool
}

// A Sample is where a thread was when it had used up another period of processor time, in user mode.
type Sample struct {
	Thread, At int64
	// PCs has the stack, innermost first, for runtime.CallersFrames. Only on amd64 and arm64 it has more than the innermost function.
	PCs []uintptr
}

// A Fault is a page fault, which stands for Options.Faults of them.
type Fault struct {
	Thread, At int64
	PCs        []uintptr // the stack, as in Sample
}

// Took returns how long the thread was off between from and to.
func (o Off) Took(from, to int64) time.Duration {
	return time.Duration(max(0, min(o.To, to)-max(o.From, from)))
}
