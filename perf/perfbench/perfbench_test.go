// SPDX-License-Identifier: BSD-3-Clause

package perfbench

import (
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/perf"
)

func TestMetricsAreNamedForBenchstat(t *testing.T) {
	for _, c := range []struct {
		event perf.Event
		user  bool
		want  string
	}{
		{perf.Cycles, false, "cycles/op"},
		{perf.Cycles, true, "user-cycles/op"},
		{"instructions:u", false, "user-instructions/op"},
		{"cpu/event=0x3c,umask=1/", false, "cpu.event=0x3c,umask=1/op"},
	} {
		if got := metric(c.event, c.user); got != c.want {
			t.Errorf("%q: %q, want %q", c.event, got, c.want)
		}
	}
}

func TestEachUnitIsDeclaredOnce(t *testing.T) {
	declared.Clear()
	for i, c := range []struct {
		events []perf.Event
		want   string
	}{
		{[]perf.Event{perf.Cycles, "cycles:u", perf.Instructions}, "Unit cycles/op better=lower\nUnit user-cycles/op better=lower\n" +
			"Unit instructions/op better=lower\nUnit user-instructions/op better=lower\nUnit ipc better=higher\n"},
		{[]perf.Event{perf.Cycles, perf.Instructions}, ""},
		{[]perf.Event{perf.Cycles, perf.PageFaults}, "Unit page-faults/op better=lower\nUnit user-page-faults/op better=lower\n"}, // for another benchmark
	} {
		if got := unitLines(c.events); got != c.want {
			t.Errorf("%d: %q, want %q", i, got, c.want)
		}
	}
}

func TestATimerThatWasStoppedElsewhereIsNoticed(t *testing.T) {
	for _, c := range []struct {
		counted, timer time.Duration
		want           string
	}{
		{time.Second, time.Second, ""},
		{time.Second, 960 * time.Millisecond, ""},
		{time.Second, 900 * time.Millisecond, "90 %"},
		{20 * time.Millisecond, 4 * time.Millisecond, "20 %"},
		{12 * time.Millisecond, 4 * time.Millisecond, ""}, // a preemption between the two calls may take as long
		{time.Second, 2 * time.Second, ""},
	} {
		x := totals{elapsed: c.counted}
		if got := x.mismatch(c.timer); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%v counted, %v timed: %q", c.counted, c.timer, got)
		}
	}
}

func TestNothingIsReportedIfTestingStoppedTheTimer(t *testing.T) {
	r := testing.Benchmark(func(b *testing.B) {
		counted(b)
		for range b.N {
			b.StopTimer()
			time.Sleep(time.Millisecond)
			b.StartTimer()
		}
	})
	if r.N == 0 {
		t.Skip("nothing can be counted here")
	}
	if len(r.Extra) > 0 {
		t.Errorf("reported %v", r.Extra)
	}
}

func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("test.benchtime"); f.Value.String() == f.DefValue {
		flag.Set("test.benchtime", "100x") // testing.Benchmark uses it too
	}
	os.Exit(m.Run())
}

// counted opens events that every machine with getrusage can count.
func counted(b *testing.B) *Counters {
	c := Start(b, perf.PageFaults, perf.TaskClock, "no-such-event")
	if c == nil {
		b.Skip("nothing can be counted here")
	}
	return c
}

// measured runs a benchmark until it reports its processor time. There are no counts if the process is interrupted between
// stopping the timer and stopping the counters.
func measured(t *testing.T, f func(*testing.B)) (r testing.BenchmarkResult) {
	t.Helper()
	for range 10 {
		if r = testing.Benchmark(f); r.N == 0 {
			t.Skip("nothing can be counted here")
		}
		if r.Extra["task-clock/op"] > 0 {
			return r
		}
	}
	t.Fatal("no processor time is reported")
	return r
}

func TestWhatIsKnownIsReportedPerOperation(t *testing.T) {
	work := func(n int) (x int) {
		for i := range n {
			x += i * i
		}
		return x
	}
	kept := 0
	ns := map[string]float64{}
	for name, f := range map[string]func(b *testing.B){
		"N": func(b *testing.B) {
			counted(b)
			for range b.N {
				kept += work(10_000)
			}
		},
		"Loop": func(b *testing.B) {
			counted(b)
			for b.Loop() {
				kept += work(10_000)
			}
		},
		"RunParallel": func(b *testing.B) {
			counted(b)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					work(10_000)
				}
			})
		},
	} {
		r := measured(t, f)
		if _, ok := r.Extra["no-such-event/op"]; ok {
			t.Errorf("%s: an unknown count was reported: %v", name, r.Extra)
		}
		ns[name] = r.Extra["task-clock/op"]
	}
	// The work is the same in every kind of loop. Other processes are not counted, but they affect the caches.
	for name, v := range ns {
		if v < ns["N"]/20 || v > ns["N"]*20 {
			t.Errorf("processor time of %s: %v ns an operation, by b.N %v", name, v, ns["N"])
		}
	}
	_ = kept
}

func TestStoppedTimersDoNotCount(t *testing.T) {
	spin := func() (x int) {
		for i := range 200_000 {
			x += i * i
		}
		return x
	}
	kept := 0
	r := measured(t, func(b *testing.B) {
		c := counted(b)
		for range b.N {
			c.StopTimer()
			kept += spin()
			c.StartTimer()
			c.StartTimer() // changes nothing
		}
		c.StopTimer()
		c.StopTimer()
	})
	_ = kept
	one := measured(t, func(b *testing.B) {
		counted(b)
		for range b.N {
			kept += spin()
		}
	})
	if stopped, whole := r.Extra["task-clock/op"], one.Extra["task-clock/op"]; stopped > whole/2 {
		t.Errorf("processor time with the work outside of the timer %v ns, inside %v", stopped, whole)
	}
}

func TestNilAndZeroCountersDoNothing(t *testing.T) {
	var c *Counters
	c.StopTimer()
	c.StartTimer()
	c = new(Counters)
	c.StopTimer()
	c.StartTimer()
}

func TestMissingAndEstimatedCountsAreNoted(t *testing.T) {
	none := perf.Value{Event: perf.Branches, State: perf.Unsupported, Reason: "none here", Scale: 1}
	x := totals{events: []perf.Event{perf.Branches, perf.BranchMisses, perf.Cycles}, sums: []sum{
		{begun: true, missing: none}, {begun: true, missing: perf.Value{Event: perf.BranchMisses, Reason: "none here"}}, {begun: true, known: true, scaled: true, count: 10},
	}}
	if got, want := x.note(), "no branches: none here; no branch-misses either; estimates, because the events had to take turns on the counters: cycles"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if m := x.metrics(5); len(m) != 1 || m[0] != (named{"cycles/op", 2}) {
		t.Errorf("%v", m)
	}
}

func BenchmarkExample(b *testing.B) {
	Start(b)
	x := 0
	for b.Loop() {
		x++
	}
}
