// SPDX-License-Identifier: BSD-3-Clause

package gotrace

import (
	"math"
	"strings"
	"testing"
)

// exact is a trace whose stamps are the monotonic clock, divided. The two readings of the snapshot are a millisecond apart, since the thread
// was interrupted.
const exact = `Trace Go1.25
EventBatch gen=1 m=18446744073709551615 time=100000000000
Sync
Frequency freq=15625000
ClockSnapshot dt=15625 mono=6400000000000 sec=0 nsec=0
EventBatch gen=1 m=1 time=100000000000
ProcStatus dt=0 p=0 pstatus=1
GoCreate dt=5 g=1 its=0 stack=0
`

func TestStampsOfTheMonotonicClockAreExact(t *testing.T) {
	tr, err := Read(assemble(t, exact))
	if err != nil || tr.From != 6400000000000 || tr.To != 6400000000000+5*64 {
		t.Errorf("%+v, %v", tr, err)
	}
	// Before Go 1.25 there is no snapshot.
	tr, err = Read(assemble(t, `Trace Go1.22
EventBatch gen=1 m=18446744073709551615 time=100000000000
Frequency freq=15625000
EventBatch gen=1 m=1 time=100000000000
ProcStatus dt=0 p=0 pstatus=1
GoCreate dt=5 g=1 its=0 stack=0
`))
	if err != nil || tr.From != 6400000000000 || tr.To != 6400000000000+5*64 {
		t.Errorf("%+v, %v", tr, err)
	}
}

// counted returns a trace whose stamps are those of a counter. Each generation measures its frequency anew.
func counted(t *testing.T, frequency string) []byte {
	return assemble(t, `Trace Go1.25
EventBatch gen=1 m=18446744073709551615 time=7000
Sync
Frequency freq=`+frequency+`
ClockSnapshot dt=1000 mono=5000000000000 sec=0 nsec=0
EventBatch gen=1 m=1 time=7000
ProcStatus dt=0 p=0 pstatus=1
GoCreate dt=1000 g=1 its=0 stack=0
GoCreate dt=1000 g=2 its=0 stack=0
EventBatch gen=2 m=18446744073709551615 time=10000
Sync
Frequency freq=10000001
ClockSnapshot dt=0 mono=4999999000000 sec=0 nsec=0
EventBatch gen=2 m=1 time=10000
ProcStatus dt=0 p=0 pstatus=1
GoCreate dt=1 g=3 its=0 stack=0
GoCreate dt=20000 g=4 its=0 stack=0
`)
}

// Windows stamps with the processor's counter, divided.
func TestStampsOfAnotherClockFollowTheSnapshot(t *testing.T) {
	for _, frequency := range []string{"10000000", "15625000"} { // the latter by chance
		tr, err := Read(counted(t, frequency))
		if err != nil {
			t.Fatal(err)
		}
		unit := Time(100)
		if frequency == "15625000" {
			unit = 64
		}
		const zero = 5000000000000
		for id, want := range []Time{1: zero, 2: zero + 1000*unit, 3: zero + 1000*unit, 4: zero - 1000000 + 2000099} {
			if id > 0 && tr.Goroutine(int64(id)).Steps[0].At != want {
				t.Errorf("%s: goroutine %d begins at %d, want %d", frequency, id, tr.Goroutine(int64(id)).Steps[0].At, want)
			}
		}
		if tr.From != zero-1000*unit {
			t.Errorf("%s: from %d", frequency, tr.From)
		}
		checkPartition(t, tr)
	}
}

// The trace's own frequency and snapshot are as coarse as the clock that they were made with.
func TestAnotherClockTellsTheTimes(t *testing.T) {
	data := counted(t, "10000000")
	c := &Clock{Stamp: 9000, Time: 50_000, Unit: 90}
	for _, read := range []func([]byte, Time, Time, *Clock) (*Trace, error){ReadBetween, ReadLatest} {
		tr, err := read(data, -1<<40, 1<<40, c)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := tr.From, Time(50_000-2000*90); got != want {
			t.Errorf("from %d, want %d", got, want)
		}
		for id, want := range []Time{1: 50_000 - 1000*90, 2: 50_000, 3: 50_000 + 1001*90, 4: 50_000 + 21001*90} {
			if id > 0 && tr.Goroutine(int64(id)).Steps[0].At != want {
				t.Errorf("goroutine %d begins at %d, want %d", id, tr.Goroutine(int64(id)).Steps[0].At, want)
			}
		}
		checkPartition(t, tr)
	}
	if at, err := Begin(data, c); err != nil || at != 50_000-2000*90 {
		t.Errorf("it begins at %d, %v", at, err)
	}
	if tr, err := ReadBetween(assemble(t, exact), -1<<40, 1<<40, &Clock{Stamp: 100000000005, Time: 50_000, Unit: 90}); err != nil || tr.From != 50_000-5*90 {
		t.Errorf("where the trace's own clock is exact: %+v, %v", tr, err)
	}
	// Of a unit that is far from what was measured, the stamps cannot be.
	for _, unit := range []float64{0, 25, 360, math.Inf(1), math.NaN()} {
		c := &Clock{Stamp: 9000, Time: 50_000, Unit: unit}
		if _, err := ReadBetween(data, 0, 1<<40, c); err == nil || !strings.Contains(err.Error(), "its clock is unknown: a stamp is 100 ns") {
			t.Errorf("unit %v: %v", unit, err)
		}
		if _, err := Begin(data, c); err == nil {
			t.Errorf("unit %v: it begins", unit)
		}
	}
}

func TestSamplesOfTheProfiler(t *testing.T) {
	tr := checkSteps(t, `EventBatch gen=1 m=18446744073709551615 time=10000
CPUSamples
CPUSample time=10020 m=12 p=18446744073709551615 g=0 stack=0
CPUSample time=10010 m=11 p=3 g=7 stack=2
EventBatch gen=1 m=18446744073709551615 time=10000
Stacks
Stack id=2 nframes=1
pc=1 func=1 file=2 line=9
EventBatch gen=2 m=18446744073709551615 time=10000
`+sync125+`EventBatch gen=2 m=18446744073709551615 time=10000
CPUSamples
CPUSample time=10005 m=12 p=0 g=9 stack=0
`, "")
	if len(tr.Samples) != 3 || tr.Samples[0].Goroutine != 9 {
		t.Fatalf("%+v", tr.Samples)
	}
	if tr.Samples = tr.Samples[1:]; tr.Samples[0] != (Sample{10010 * 64, 7, 11, 3, 2}) || tr.Samples[1] != (Sample{10020 * 64, 0, 12, -1, 0}) {
		t.Errorf("%+v", tr.Samples)
	}
	if s := tr.Stack(2); len(s) != 1 || s[0] != (Frame{"sync", "runtime.Gosched", 9}) || len(tr.Stack(2)) != 1 {
		t.Errorf("%+v", s)
	}
	if tr.Stack(1) != nil || tr.Stack(3) != nil || tr.Stack(0) != nil {
		t.Error("stacks that do not exist")
	}
}

// Events of GODEBUG=traceallocfree=1, and what programs write for people, are passed over.
func TestWhatIsNotAboutStatesIsPassedOver(t *testing.T) {
	checkSteps(t, `EventBatch gen=1 m=1 time=10000
ProcStatus dt=0 p=0 pstatus=1
GoStatus dt=0 g=1 m=1 gstatus=2
SpanAlloc dt=1 id=1 n=2 class=3
SpanFree dt=1 id=1
HeapObjectAlloc dt=1 id=1 type=3
UserTaskBegin dt=1 task=1 parent=0 name=1 stack=1
UserRegionBegin dt=1 task=1 name=1 stack=1
UserRegionEnd dt=1 task=1 name=1 stack=1
UserLog dt=1 task=1 key=1 value=1 stack=1
UserTaskEnd dt=1 task=1 stack=1
GoBlock dt=1 reason=1 stack=0
`, `
goroutine 1
	0 running thread=1 proc=0
	576 waiting "sync"
proc 0: 0 to 576 thread=1
`)
}
