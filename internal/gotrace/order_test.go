// SPDX-License-Identifier: BSD-3-Clause

package gotrace

import (
	"strings"
	"testing"
)

const (
	sync125  = "Sync\nFrequency freq=15625000\nClockSnapshot dt=0 mono=640000 sec=0 nsec=0\n"
	strings1 = "Strings\nString id=1\ndata=\"sync\"\nString id=2\ndata=\"runtime.Gosched\"\n"
)

// checkSteps reads a trace of Go 1.25 and compares what it says.
func checkSteps(t *testing.T, text, want string) *Trace {
	t.Helper()
	text = "Trace Go1.25\nEventBatch gen=1 m=18446744073709551615 time=10000\n" + sync125 +
		"EventBatch gen=1 m=18446744073709551615 time=10000\n" + strings1 + text
	tr, err := Read(assemble(t, text))
	if err != nil {
		t.Fatal(err)
	}
	if got := say(tr); strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	checkPartition(t, tr)
	return tr
}

// Goroutine 1 goes from one thread to the other and back at one time, and the threads are in the file in either order: only the
// sequence numbers tell.
func TestTheSequenceDecidesWhenTimesAreEqual(t *testing.T) {
	a := `EventBatch gen=1 m=11 time=10000
ProcStatus dt=0 p=0 pstatus=1
GoStatus dt=0 g=1 m=11 gstatus=2
GoStop dt=10 reason=2 stack=5
GoStart dt=0 g=1 seq=3
GoBlock dt=0 reason=1 stack=6
`
	b := `EventBatch gen=1 m=12 time=10000
ProcStatus dt=0 p=1 pstatus=1
GoStart dt=10 g=1 seq=1
GoStop dt=0 reason=2 stack=7
GoStart dt=0 g=1 seq=2
GoStop dt=0 reason=2 stack=8
`
	want := `
goroutine 1
	0 running thread=11 proc=0
	640 runnable "yield" stack=5
	640 running thread=12 proc=1
	640 runnable "yield" stack=7
	640 running thread=12 proc=1
	640 runnable "yield" stack=8
	640 running thread=11 proc=0
	640 waiting "sync" stack=6
proc 0: 0 to 640 thread=11
proc 1: 0 to 640 thread=12
`
	checkSteps(t, a+b, want)
	checkSteps(t, b+a, want)
}

// The clock of thread 12 is behind: it starts goroutine 1 before thread 11 has unblocked it.
func TestAnEffectIsNotBeforeItsCause(t *testing.T) {
	checkSteps(t, `EventBatch gen=1 m=11 time=10000
ProcStatus dt=0 p=0 pstatus=1
GoStatus dt=0 g=2 m=11 gstatus=2
GoStatus dt=20 g=1 m=18446744073709551615 gstatus=4
GoUnblock dt=0 g=1 seq=1 stack=9
EventBatch gen=1 m=12 time=10000
ProcStatus dt=0 p=1 pstatus=1
GoStart dt=10 g=1 seq=2
GoBlock dt=30 reason=1 stack=6
`, `
goroutine 1
	0 waiting
	1280 runnable "unblocked" by=2 at=9
	1280 running thread=12 proc=1
	2560 waiting "sync" stack=6
goroutine 2
	0 running thread=11 proc=0
proc 0: 0 to 2560 thread=11
proc 1: 0 to 2560 thread=12
`)
}

// A P is taken away during a system call; a goroutine that nobody mentions in the first generation has a stack.
func TestSystemCallsAndGenerations(t *testing.T) {
	tr := checkSteps(t, `EventBatch gen=1 m=11 time=10000
ProcStatus dt=0 p=0 pstatus=1
GoStatus dt=0 g=1 m=11 gstatus=2
GoSyscallBegin dt=10 seq=1 stack=5
EventBatch gen=1 m=12 time=10000
ProcSteal dt=20 p=0 seq=2 m=11
ProcStart dt=1 p=0 seq=3
GoCreate dt=1 g=3 its=7 stack=0
EventBatch gen=1 m=18446744073709551615 time=10090
GoStatusStack dt=0 g=2 m=18446744073709551615 gstatus=4 stack=8
EventBatch gen=2 m=18446744073709551615 time=10050
`+sync125+`EventBatch gen=2 m=18446744073709551615 time=10050
`+strings1+`EventBatch gen=2 m=11 time=10060
GoStatus dt=0 g=1 m=11 gstatus=3
GoSyscallEndBlocked dt=10
EventBatch gen=2 m=12 time=10060
ProcStatus dt=0 p=0 pstatus=1
GoStatus dt=0 g=3 m=18446744073709551615 gstatus=1
GoStart dt=30 g=3 seq=1
GoDestroy dt=1
EventBatch gen=2 m=18446744073709551615 time=10190
GoStatusStack dt=0 g=2 m=18446744073709551615 gstatus=4 stack=1
`, `
goroutine 1
	0 running thread=11 proc=0
	640 syscall thread=11 proc=0 stack=5
	4480 runnable "syscall exit"
goroutine 2
	0 waiting stack=8
goroutine 3
	1408 runnable "created" stack=7
	5760 running thread=12 proc=0
	5824 gone
proc 0: 0 to 1280 thread=11
proc 0: 1344 to 5824 thread=12
`)
	if g := tr.Goroutine(3); g.At(tr.From) != -1 || g.At(tr.From+1408) != 0 || g.At(tr.From+5759) != 0 || g.At(tr.To) != 2 {
		t.Errorf("goroutine 3 is in step %d, %d, %d", g.At(tr.From), g.At(tr.From+1408), g.At(tr.To))
	}
}

// The thread that is first in the file is last in time.
func TestThreadsAreInAnyOrder(t *testing.T) {
	checkSteps(t, `EventBatch gen=1 m=11 time=10300
ProcStatus dt=0 p=0 pstatus=1
GoCreate dt=0 g=3 its=0 stack=0
EventBatch gen=1 m=12 time=10200
ProcStatus dt=0 p=1 pstatus=1
GoCreate dt=0 g=2 its=0 stack=0
EventBatch gen=1 m=13 time=10100
ProcStatus dt=0 p=2 pstatus=1
GoCreate dt=0 g=1 its=0 stack=0
GoCreate dt=300 g=4 its=0 stack=0
EventBatch gen=1 m=14 time=10000
`, `
goroutine 1
	0 runnable "created"
goroutine 2
	6400 runnable "created"
goroutine 3
	12800 runnable "created"
goroutine 4
	19200 runnable "created"
proc 0: 0 to 19200 thread=11
proc 1: 0 to 19200 thread=12
proc 2: 0 to 19200 thread=13
`)
}

// Threads of C keep the number of their goroutine.
func TestACallbackOfCComesAndGoes(t *testing.T) {
	checkSteps(t, `EventBatch gen=1 m=11 time=10000
GoCreateSyscall dt=10 g=4
GoDestroySyscall dt=10
GoCreateSyscall dt=10 g=4
GoDestroySyscall dt=10
`, `
goroutine 4
	640 syscall thread=11
	1280 gone
	1920 syscall thread=11
	2560 gone
`)
	// The P that it had is taken later, by then from nobody.
	checkSteps(t, `EventBatch gen=1 m=11 time=10000
ProcStatus dt=0 p=0 pstatus=2
GoCreateSyscall dt=10 g=4
ProcStart dt=0 p=0 seq=1
GoSyscallEndBlocked dt=0
GoStart dt=0 g=4 seq=1
GoSyscallBegin dt=10 seq=2 stack=0
GoDestroySyscall dt=10
EventBatch gen=1 m=12 time=10000
ProcSteal dt=50 p=0 seq=3 m=11
ProcStart dt=10 p=0 seq=4
`, `
goroutine 4
	640 syscall thread=11
	640 runnable "syscall exit"
	640 running thread=11 proc=0
	1280 syscall thread=11 proc=0
	1920 gone
proc 0: 640 to 1920 thread=11
proc 0: 3840 to 3840 thread=12
`)
}

func TestRangesAreCutAtTheWindow(t *testing.T) {
	tr := checkSteps(t, `EventBatch gen=1 m=11 time=10000
ProcStatus dt=0 p=0 pstatus=1
GCSweepActive dt=0 p=0
GoStatus dt=0 g=1 m=11 gstatus=2
GCMarkAssistActive dt=0 g=1
GCActive dt=0 seq=7
ProcsChange dt=0 n=4 stack=0
HeapGoal dt=0 n=4194304
HeapAlloc dt=5 n=1000000
GCSweepEnd dt=5 a=1 b=1
GCMarkAssistEnd dt=10
GCEnd dt=10 seq=8
STWBegin dt=10 kind=2 stack=3
STWEnd dt=10
ProcsChange dt=0 n=4 stack=0
ProcsChange dt=0 n=2 stack=0
GCBegin dt=10 seq=9 stack=4
GCMarkAssistBegin dt=10 stack=5
HeapAlloc dt=5 n=1008192
GoBlock dt=5 reason=1 stack=6
`, `
goroutine 1
	0 running thread=11 proc=0
	5120 waiting "sync" stack=6
proc 0: 0 to 5120 thread=11
GC incremental sweep: 0 to 640 goroutine=0 proc=0
GC mark assist: 0 to 1280 goroutine=1 proc=-1
GC concurrent mark phase: 0 to 1920 goroutine=0 proc=-1
stop-the-world (runtime.Gosched): 2560 to 3200 goroutine=1 proc=0
GC concurrent mark phase: 3840 to 5120 goroutine=1 proc=0
GC mark assist: 4480 to 5120 goroutine=1 proc=0
`)
	if len(tr.Limits) != 2 || tr.Limits[0] != (Limit{tr.From, 4}) || tr.Limits[1] != (Limit{tr.From + 3200, 2}) {
		t.Errorf("GOMAXPROCS: %+v", tr.Limits)
	}
	if len(tr.Heap) != 2 || tr.Heap[1] != (Heap{tr.From + 4800, 1008192, 4194304, 1}) {
		t.Errorf("heap: %+v", tr.Heap)
	}
}

// GOMAXPROCS has been raised, a goroutine that waits has been sweeping and assisting, and both go on in the next generation.
func TestTheNextGenerationGoesOn(t *testing.T) {
	checkSteps(t, `EventBatch gen=1 m=11 time=10000
ProcStatus dt=0 p=0 pstatus=1
GoStatus dt=0 g=1 m=11 gstatus=2
GCBegin dt=0 seq=1 stack=0
GCSweepBegin dt=10 stack=0
GCMarkAssistBegin dt=10 stack=0
EventBatch gen=2 m=18446744073709551615 time=10050
`+sync125+`EventBatch gen=2 m=11 time=10050
ProcStatus dt=10 p=0 pstatus=1
GCSweepActive dt=0 p=0
GoStatus dt=0 g=1 m=11 gstatus=2
GCMarkAssistActive dt=0 g=1
GCActive dt=0 seq=2
GCSweepEnd dt=10 a=1 b=1
GCEnd dt=0 seq=3
GoCreate dt=0 g=2 its=0 stack=0
EventBatch gen=2 m=12 time=10080
ProcStatus dt=0 p=1 pstatus=2
ProcStart dt=0 p=1 seq=1
GoStart dt=10 g=2 seq=1
GoDestroy dt=10
`, `
goroutine 1
	0 running thread=11 proc=0
goroutine 2
	4480 runnable "created" by=1
	5760 running thread=12 proc=1
	6400 gone
proc 0: 0 to 6400 thread=11
proc 1: 5120 to 6400 thread=12
GC concurrent mark phase: 0 to 4480 goroutine=1 proc=0
GC incremental sweep: 640 to 4480 goroutine=1 proc=0
GC mark assist: 1280 to 6400 goroutine=1 proc=0
`)
}

// In the second generation thread 12 takes the P before thread 11 says, by a clock that is ahead, that it is idle.
func TestSequencesBeginAnewInEachGeneration(t *testing.T) {
	checkSteps(t, `EventBatch gen=1 m=11 time=10000
ProcStatus dt=0 p=0 pstatus=1
ProcStatus dt=0 p=1 pstatus=2
EventBatch gen=2 m=18446744073709551615 time=10050
`+sync125+`EventBatch gen=2 m=11 time=10050
ProcStatus dt=0 p=0 pstatus=1
ProcStatus dt=20 p=1 pstatus=2
GoCreate dt=0 g=1 its=0 stack=0
EventBatch gen=2 m=12 time=10060
ProcStart dt=0 p=1 seq=1
GoStart dt=0 g=1 seq=1
`, `
goroutine 1
	4480 runnable "created"
	4480 running thread=12 proc=1
proc 0: 0 to 4480 thread=11
proc 1: 3840 to 4480 thread=12
`)
}

// Of three threads, the two whose events come first must wait for the third.
func TestAThreadBehindOthersIsFound(t *testing.T) {
	checkSteps(t, `EventBatch gen=1 m=11 time=10000
ProcStatus dt=0 p=0 pstatus=1
GoStart dt=1 g=1 seq=5
GoBlock dt=20 reason=1 stack=0
EventBatch gen=1 m=12 time=10000
ProcStatus dt=0 p=1 pstatus=1
GoStart dt=2 g=1 seq=3
GoStop dt=0 reason=2 stack=0
GoStart dt=0 g=1 seq=4
GoStop dt=0 reason=2 stack=0
EventBatch gen=1 m=13 time=10003
ProcStatus dt=0 p=2 pstatus=1
GoStatus dt=0 g=1 m=13 gstatus=1
GoStart dt=0 g=1 seq=1
GoStop dt=0 reason=2 stack=0
GoStart dt=0 g=1 seq=2
GoStop dt=0 reason=2 stack=0
ProcStop dt=20
`, `
goroutine 1
	0 runnable
	192 running thread=13 proc=2
	192 runnable "yield"
	192 running thread=13 proc=2
	192 runnable "yield"
	192 running thread=12 proc=1
	192 runnable "yield"
	192 running thread=12 proc=1
	192 runnable "yield"
	192 running thread=11 proc=0
	1344 waiting "sync"
proc 0: 0 to 1472 thread=11
proc 1: 0 to 1472 thread=12
proc 2: 0 to 1472 thread=13
`)
}
