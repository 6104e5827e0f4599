// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// software opens events that every Linux can count, or ends the test with the reason.
func software(t testing.TB, scope Scope, events ...Event) *Group {
	t.Helper()
	g, err := Open(scope, events...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	return g
}

// touch writes to n pages that nothing has touched before.
func touch(t testing.TB, n int) {
	b, err := unix.Mmap(-1, 0, n*4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	unix.Madvise(b, unix.MADV_NOHUGEPAGE)
	for i := 0; i < len(b); i += 4096 {
		b[i] = 1
	}
	unix.Munmap(b)
}

func TestFaultsOfAThreadAreItsOwn(t *testing.T) {
	g := software(t, Thread, PageFaults, "minor-faults", TaskClock)
	m := g.Start()
	touch(t, 1000)
	r := m.Stop()
	faults, minor := r.Get(PageFaults), r.Get("minor-faults")
	if !faults.Known() || faults.Count < 1000 || faults.Count > 1400 {
		t.Errorf("1000 pages touched: %v", faults)
	}
	if minor.Count > faults.Count {
		t.Errorf("%v, %v", faults, minor)
	}
	clock := r.Get(TaskClock)
	if !clock.Known() || clock.Count == 0 || clock.Unit != "ns" {
		t.Errorf("%v", clock)
	}
	if r.Elapsed <= 0 {
		t.Errorf("%v elapsed", r.Elapsed)
	}

	m = g.Start()
	done := make(chan bool)
	go func() {
		runtime.LockOSThread() // a different thread, since that of the test is locked
		touch(t, 1000)
		close(done)
	}()
	<-done
	if r := m.Stop(); r.Get(PageFaults).Count > 700 {
		t.Errorf("faults of another thread: %v", r.Get(PageFaults))
	}
}

func TestFaultsOfAProcessAreThoseOfAllThreads(t *testing.T) {
	g := software(t, Process, PageFaults)
	m := g.Start()
	done := make(chan bool)
	go func() {
		runtime.LockOSThread()
		touch(t, 1000)
		close(done)
	}()
	<-done
	if r := m.Stop(); r.Get(PageFaults).Count < 1000 {
		t.Errorf("1000 pages touched: %v", r.Get(PageFaults))
	}
}

func TestSwitchesAgreeWithGetrusage(t *testing.T) {
	g := software(t, Thread, ContextSwitches)
	var before, after unix.Rusage
	unix.Getrusage(unix.RUSAGE_THREAD, &before)
	m := g.Start()
	for range 20 {
		unix.Nanosleep(&unix.Timespec{Nsec: 100_000}, nil)
	}
	r := m.Stop()
	unix.Getrusage(unix.RUSAGE_THREAD, &after)
	most := uint64(after.Nvcsw + after.Nivcsw - before.Nvcsw - before.Nivcsw)
	if v := r.Get(ContextSwitches); !v.Known() || v.UserOnly || v.Count < 20 || v.Count > most {
		t.Errorf("%v, getrusage says at most %d", v, most)
	}
}

func TestMeasurementsNestAndOverlap(t *testing.T) {
	g := software(t, Thread, PageFaults)
	outer := g.Start()
	touch(t, 100)
	inner := g.Start()
	touch(t, 200)
	a := outer.Stop().Get(PageFaults).Count
	touch(t, 400)
	b := inner.Stop().Get(PageFaults).Count
	if a < 300 || a > 500 || b < 600 || b > 800 {
		t.Errorf("%d and %d faults, want 300 and 600 or a little more", a, b)
	}
}

func TestForgottenMeasurementsSaySo(t *testing.T) {
	g := software(t, Thread, PageFaults)
	first := g.Start()
	for range ringSize - 1 {
		g.Start()
	}
	if v := first.Stop().Get(PageFaults); !v.Known() {
		t.Errorf("the first of %d: %v", ringSize, v)
	}
	g.Start()
	if v := first.Stop().Get(PageFaults); v.State != NotCounted || v.Reason == "" {
		t.Errorf("the first of %d: %v", ringSize+1, v)
	}
}

func TestClosedGroupsSaySo(t *testing.T) {
	g := software(t, Thread, PageFaults)
	m := g.Start()
	r := m.Stop()
	g.Close()
	g.Close()
	if v := m.Stop().Get(PageFaults); v.State != NotCounted || v.Reason == "" {
		t.Errorf("after Close: %v", v)
	}
	if !r.Get(PageFaults).Known() {
		t.Errorf("a reading did not outlive its group: %v", r.Get(PageFaults))
	}
}

func TestAThreadGroupOnAnotherGoroutineSaysSo(t *testing.T) {
	g := software(t, Thread, PageFaults, TaskClock, "cs")
	elsewhere := func(f func()) {
		done := make(chan bool)
		go func() { f(); close(done) }()
		<-done
	}
	check := func(what string, r Reading, foreign bool) {
		t.Helper()
		for v := range r.All() {
			if foreign != (v.State == NotCounted) || foreign != strings.Contains(v.Reason, "another goroutine used it") {
				t.Errorf("%s: %v: %s", what, v, v.State)
			}
		}
	}
	var m Measurement
	elsewhere(func() { m = g.Start(); check("both", m.Stop(), true) })
	check("begun elsewhere", m.Stop(), true)
	m = g.Start()
	elsewhere(func() { check("ended elsewhere", m.Stop(), true) })
	check("then here", m.Stop(), false)
	check("here", g.Start().Stop(), false)

	p := software(t, Process, PageFaults)
	elsewhere(func() { check("a process", p.Start().Stop(), false) })
}

func TestTheZeroGroupDoesNothing(t *testing.T) {
	var g Group
	m := g.Start()
	for range 2 {
		for v := range m.Stop().All() {
			t.Errorf("%v", v)
		}
		if o := g.Overhead(); o != (Reading{}) {
			t.Errorf("%+v", o)
		}
		g.Close()
	}
}

func TestANilGroupDoesNothing(t *testing.T) {
	var g *Group
	r := g.Start().Stop()
	g.Close()
	for v := range r.All() {
		t.Errorf("%v", v)
	}
	if v := r.Get(Cycles); v.State != Unsupported || v.Reason == "" {
		t.Errorf("%v", v)
	}
	if _, ok := r.Ratio(Instructions, Cycles); ok {
		t.Error("a ratio of nothing")
	}
	if o := g.Overhead(); o.Elapsed != 0 {
		t.Errorf("%v", o.Elapsed)
	}
}

func TestOpenLeavesNoDescriptors(t *testing.T) {
	count := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip(err)
		}
		return len(entries)
	}
	software(t, Thread, PageFaults).Close() // so that whatever is opened only once is open
	before := count()
	for range 20 {
		g := software(t, Process, PageFaults, TaskClock, Cycles)
		g.Close()
		if _, err := Open(Thread, "no-such-event"); !errors.Is(err, ErrUnavailable) {
			t.Fatal(err)
		}
	}
	if after := count(); after > before {
		t.Errorf("%d descriptors, %d before", after, before)
	}
}

func TestMeasuringAllocatesNothingInTwoSystemCalls(t *testing.T) {
	g := software(t, Thread, TaskClock, PageFaults, ContextSwitches, "cpu-migrations")
	if n := testing.AllocsPerRun(100, func() { g.Start().Stop() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if len(g.counters.sets) != 1 || g.counters.other.used {
		t.Skipf("this system counts in %d groups, getrusage %v: more than one call an edge", len(g.counters.sets), g.counters.other.used)
	}
}

func BenchmarkMeasurement(b *testing.B) {
	g := software(b, Thread, TaskClock, PageFaults, ContextSwitches, "cpu-migrations")
	b.ReportAllocs()
	for b.Loop() {
		kept = g.Start().Stop()
	}
}

var kept Reading
