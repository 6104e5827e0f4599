// SPDX-License-Identifier: BSD-3-Clause

//go:build linux && arm64

package e2e

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/strobe-go/strobe/perf"
)

const (
	user   perf.Event = "instructions:u"
	kernel perf.Event = "instructions:k"
)

func TestCountsOfALoopAreExact(t *testing.T) {
	slopes(t, open(t, perf.Thread, user), user)
}

func TestCountsOfAGroupAreOfTheSameWindow(t *testing.T) {
	g := open(t, perf.Thread, "cycles:u", user)
	slopes(t, g, "cycles:u", user)
	m := g.Start()
	loop(100_000)
	r := m.Stop()
	if ratio, ok := r.Ratio(user, "cycles:u"); !ok || ratio < 0.999 || ratio > 1.001 { // the machine takes one cycle per instruction
		t.Errorf("instructions per cycle: %v, %v", ratio, ok)
	}
}

func TestCountsByRawNumberAndByTheDriversNameAreTheSame(t *testing.T) {
	events := []perf.Event{user, "r8:u", "armv8_pmuv3/inst_retired/:u", "armv8_pmuv3/event=0x8/u", "armv8_pmuv3_0/inst_retired/:u"}
	var have []perf.Event
	for _, e := range events {
		if v := perf.Check(e)[0]; v.Known() {
			have = append(have, e)
		}
	}
	if len(have) != 4 { // the driver has one of two names
		t.Fatalf("%q open", have)
	}
	g := open(t, perf.Thread, have...)
	slopes(t, g, have...)
	slopes(t, open(t, perf.Thread, "r11:u"), "r11:u") // CPU_CYCLES
}

func TestCountsOfNothingAreNotTakenForAnEvent(t *testing.T) {
	v := perf.Check("rffff")[0] // this driver opens events with any number
	if v.State != perf.Exact || v.Count != 0 {
		t.Errorf("%+v", v)
	}
}

func TestCountsOfKernelAndUserAddUp(t *testing.T) {
	g := open(t, perf.Thread, perf.Instructions, user, kernel)
	events := []perf.Event{perf.Instructions, user, kernel}
	empty := least(t, g, events, func() {})
	calls := func(n int) func() {
		return func() {
			for range n {
				unix.RawSyscall(unix.SYS_GETPPID, 0, 0, 0)
			}
		}
	}
	one, many := least(t, g, events, calls(1)), least(t, g, events, calls(101))
	all, inUser, inKernel := many[0]-one[0], many[1]-one[1], many[2]-one[2]
	if inUser%100 != 0 || inUser < 1000 || inUser > 10_000 {
		t.Errorf("100 system calls: %d instructions in user mode, want the same for each", inUser)
	}
	if inKernel < 10_000 || all < inUser+inKernel-2000 || all > inUser+inKernel+2000 {
		t.Errorf("100 system calls: %d, of which user %d and kernel %d", all, inUser, inKernel)
	}
	if empty[1] > 350 {
		t.Errorf("an empty body reads %d instructions in user mode, want at most 350", empty[1])
	}
	t.Logf("an empty measurement by system calls: %d instructions, %d in user mode", empty[0], empty[1])
}

func TestCountsOfASystemCallMeasurementStayBelowTheLimit(t *testing.T) {
	g := open(t, perf.Thread, perf.Cycles, perf.Instructions)
	outer := open(t, perf.Thread, perf.Instructions)
	all := least(t, outer, []perf.Event{perf.Instructions}, func() { g.Start().Stop() })
	none := least(t, outer, []perf.Event{perf.Instructions}, func() {})
	if cost := all[0] - none[0]; cost > 26_000 { // 5 000 on Linux 6.12
		t.Errorf("%d instructions", cost)
	} else {
		t.Logf("a measurement of two events by system calls: %d instructions in all", cost)
	}
}

func TestCountsAllocateNothing(t *testing.T) {
	g := open(t, perf.Thread, perf.Cycles, perf.Instructions)
	if n := testing.AllocsPerRun(100, func() { g.Start().Stop() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestCountsLessTheOverheadAreThoseOfTheBody(t *testing.T) {
	g := open(t, perf.Thread, user)
	overhead := g.Overhead()
	if v := overhead.Get(user); v.State != perf.Exact || v.Count == 0 || v.Count > 350 {
		t.Errorf("overhead: %v", v)
	}
	var fewest uint64
	for i := range 30 {
		m := g.Start()
		loop(500)
		v := m.Stop().Less(overhead).Get(user)
		if i == 0 || v.Count < fewest {
			fewest = v.Count
		}
	}
	if fewest < 1000 || fewest > 1020 { // only the code that calls the loop is left
		t.Errorf("500 iterations less the overhead: %d", fewest)
	}
}

// names returns several names of one event, so that a group can be of any size.
func names(n int) []perf.Event {
	all := []perf.Event{"r8:u", "r08:u", "r008:u", "r0008:u", "r00008:u", "r000008:u", "r0000008:u", "r00000008:u", "r000000008:u",
		"r0000000008:u", "r00000000008:u", "r000000000008:u"}
	return all[:n]
}

func TestCountsOfSixEventsNeedNoTurns(t *testing.T) {
	slopes(t, open(t, perf.Thread, names(6)...), names(6)...)
}

func TestCountsOfTooManyEventsTakeTurnsAndSaySo(t *testing.T) {
	for _, n := range []int{7, 9, 12} {
		g := open(t, perf.Thread, names(n)...)
		const iterations = 120_000_000
		m := g.Start()
		loop(iterations)
		r := m.Stop()
		for v := range r.All() {
			if v.State != perf.Scaled || v.Share <= 0.3 || v.Share >= 0.9 || !strings.Contains(v.Reason, "take turns") {
				t.Errorf("%d events: %+v", n, v)
			}
			if off := float64(v.Count)/(2*iterations) - 1; off < -0.01 || off > 0.01 {
				t.Errorf("%d events: %v, off by %.3f %%", n, v, 100*off)
			}
		}
		g.Close()
	}
}

func TestCountsOfPairsStayTogether(t *testing.T) {
	events := append(names(5), "r11:u", perf.Instructions, perf.Cycles)
	g := open(t, perf.Thread, events...)
	m := g.Start()
	loop(40_000_000)
	r := m.Stop()
	if ratio, ok := r.Ratio(perf.Instructions, perf.Cycles); !ok || ratio < 0.99 || ratio > 1.01 {
		t.Errorf("instructions per cycle: %v, %v: %v, %v", ratio, ok, r.Get(perf.Instructions), r.Get(perf.Cycles))
	}
}

func TestCountsAreFreeAgainAfterClose(t *testing.T) {
	for range 5 {
		open(t, perf.Thread, names(6)...).Close()
	}
	g := open(t, perf.Thread, names(6)...)
	m := g.Start()
	loop(20_000_000) // lasts for many ticks of the kernel's timer
	for v := range m.Stop().All() {
		if v.State != perf.Exact {
			t.Errorf("something closed still keeps a counter: %v", v)
		}
	}
}

func TestCountsOfTwoGroupsShareTheProcessor(t *testing.T) {
	a, b := open(t, perf.Thread, names(6)...), open(t, perf.Thread, names(6)...)
	ma, mb := a.Start(), b.Start()
	const iterations = 100_000_000
	loop(iterations)
	va, vb := ma.Stop().Get("r8:u"), mb.Stop().Get("r8:u")
	for _, v := range []perf.Value{va, vb} { // for up to a third of the time the kernel may run neither group
		if off := float64(v.Count)/(2*iterations) - 1; v.State != perf.Scaled || v.Share < 0.2 || v.Share > 0.7 || off < -0.05 || off > 0.05 {
			t.Errorf("%v, off by %.3f %%", v, 100*off)
		}
	}
}

func TestCountsThatAreNotThereSayWhy(t *testing.T) {
	g := open(t, perf.Thread, perf.Instructions, perf.Branches, perf.BranchMisses, "cache-misses", "L1-dcache-load-misses", "cyles")
	m := g.Start()
	loop(10)
	r := m.Stop()
	if v := r.Get(perf.Instructions); v.State != perf.Exact || v.Count < 20 {
		t.Errorf("%v", v)
	}
	missing := 0
	for v := range r.All() {
		if v.State == perf.Unsupported {
			missing++
			if v.Reason == "" || v.Count != 0 {
				t.Errorf("%+v", v)
			}
		}
	}
	if missing < 4 {
		t.Errorf("%d of the events that this processor lacks are missing", missing)
	}
	if _, ok := r.Ratio(perf.BranchMisses, perf.Branches); ok {
		t.Error("a ratio of what is not counted")
	}
	_, err := perf.Open(perf.Thread, perf.Branches)
	if !errors.Is(err, perf.ErrUnavailable) || !strings.Contains(err.Error(), "ENOENT") {
		t.Errorf("%v", err)
	}
}

func TestCountsOfSwitchesAreThoseOfGetrusage(t *testing.T) {
	g := open(t, perf.Thread, perf.ContextSwitches, perf.TaskClock)
	var before, after unix.Rusage
	unix.Getrusage(unix.RUSAGE_THREAD, &before)
	m := g.Start()
	for range 40 {
		unix.Nanosleep(&unix.Timespec{Nsec: 1_000_000}, nil)
	}
	r := m.Stop()
	unix.Getrusage(unix.RUSAGE_THREAD, &after)
	want := uint64(after.Nvcsw + after.Nivcsw - before.Nvcsw - before.Nivcsw)
	if v := r.Get(perf.ContextSwitches); v.Count < 40 || v.Count > want {
		t.Errorf("40 sleeps: %v, getrusage says %d", v, want)
	}
	if v := r.Get(perf.TaskClock); v.Count == 0 || v.Count > uint64(r.Elapsed) {
		t.Errorf("%v of %v elapsed", v, r.Elapsed)
	}
	if v := perf.Check("context-switches:u")[0]; v.State != perf.Unsupported {
		t.Errorf("%v", v)
	}
}

func TestCountsLeaveNoDescriptors(t *testing.T) {
	count := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	open(t, perf.Thread, perf.Instructions).Close()
	before := count()
	for range 10 {
		open(t, perf.Thread, names(9)...).Close()
		open(t, perf.Process, perf.Cycles, perf.Instructions).Close()
		open(t, perf.Command, perf.Cycles, perf.Branches).Close()
	}
	if after := count(); after > before {
		t.Errorf("%d descriptors, %d before", after, before)
	}
}

func TestCountsOfAThreadAreItsOwn(t *testing.T) {
	g := open(t, perf.Thread, user)
	m := g.Start()
	elsewhere(20_000_000)
	if v := m.Stop().Get(user); v.Count > 1_000_000 {
		t.Errorf("40 000 000 instructions of another thread: %v", v)
	}
}

func TestCountsOfAProcessAreThoseOfAllItsThreads(t *testing.T) {
	ready, done := make(chan bool), make(chan bool)
	go func() { // a thread that exists before
		runtime.LockOSThread()
		ready <- true
		<-ready
		loop(4_000_000)
		close(done)
	}()
	<-ready
	g := open(t, perf.Process, user)
	m := g.Start()
	ready <- true
	<-done
	elsewhere(4_000_000) // a new thread
	loop(4_000_000)
	v := m.Stop().Get(user)
	if v.State != perf.Exact || v.Count < 24_000_000 || v.Count > 24_240_000 {
		t.Errorf("24 000 000 instructions by three threads: %v", v)
	}
}

// elsewhere runs the loop on a new thread.
func elsewhere(n int) {
	done := make(chan bool)
	go func() {
		runtime.LockOSThread() // the thread ends with the goroutine
		loop(n)
		close(done)
	}()
	<-done
}
