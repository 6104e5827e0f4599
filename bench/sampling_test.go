// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/neighbour"
	"github.com/strobe-go/strobe/stat"
)

func TestMeasuringEndsWhenItShould(t *testing.T) {
	steady := func() int64 { return 1000 }
	wild := func() func() int64 {
		n := int64(0)
		return func() int64 { n++; return 1000 + n*7919%1000 }
	}
	slow := func(next func() int64) func() int64 {
		return func() int64 { time.Sleep(time.Millisecond); return next() }
	}
	for _, c := range []struct {
		what    string
		next    func() int64
		repeats int
		o       Options
		low, up int
	}{
		{"a fixed number", wild(), 37, Options{MinRepeat: 5, MaxTime: time.Hour, Precision: -1}, 37, 37},
		{"out of time, a fixed number", wild(), 1000, Options{MinRepeat: 5, MaxTime: 1, Precision: -1}, 5, 5},
		{"out of time", wild(), 0, Options{MinRepeat: 5, MaxTime: 1}, 5, 5},
		{"precise at once", steady, 0, Options{MinRepeat: 10, MinTime: -1, MaxTime: time.Hour, Precision: 0.01}, 50, 56},
		{"precise at the first look", steady, 0, Options{MinRepeat: 200, MinTime: -1, MaxTime: time.Hour, Precision: 0.01}, 200, 200},
		{"precise, but too soon", slow(steady), 0, Options{MinRepeat: 10, MinTime: 200 * time.Millisecond, MaxTime: time.Hour, Precision: 0.01}, 51, 113},
		{"not precise", slow(wild()), 0, Options{MinRepeat: 10, MinTime: 1, MaxTime: 100 * time.Millisecond, Precision: 1e-6}, 10, 101},
	} {
		c.o.Level = 0.9
		start := clock.Now()
		took, mean := measure(t.Context(), c.next, c.repeats, c.o)
		spent := clock.Since(start)
		if n := len(took); n < c.low && spent < c.o.MaxTime && spent < 2*c.o.MinTime || n > c.up {
			t.Errorf("%s: %d samples in %v, want %d to %d", c.what, n, spent, c.low, c.up)
		}
		if strings.HasPrefix(c.what, "not") && spent < c.o.MaxTime || strings.HasSuffix(c.what, "too soon") && spent < c.o.MinTime/2 {
			t.Errorf("%s: ended after %v", c.what, spent)
		}
		var b stat.BatchMeans
		for _, x := range took {
			b.Add(x)
		}
		if want := b.Interval(0.9); mean.Center != want.Center || mean.Lo != want.Lo || mean.N != uint64(len(took)) {
			t.Errorf("%s: %v, want %v", c.what, mean, want)
		}
	}
}

func TestWarmUpGrowsTenfoldUntilItsTime(t *testing.T) {
	calls := 0
	f := func() { calls++ }
	if took := warmUp(t.Context(), newCaller(f), 3, Options{MinRepeat: 5, MinTime: -1, MaxRepeat: 100}); took != nil || calls != 0 {
		t.Errorf("%d samples, %d calls", len(took), calls)
	}
	if took := warmUp(t.Context(), newCaller(f), 3, Options{MinRepeat: 5, MinTime: time.Hour, MaxRepeat: 77}); len(took) != 77 || calls != 3*77 {
		t.Errorf("%d samples, %d calls", len(took), calls)
	}
	if took := warmUp(t.Context(), newCaller(f), 3, Options{MinRepeat: 5, MinTime: 1, MaxRepeat: 77}); len(took) != 1 { // the time is over after two
		t.Errorf("%d samples", len(took))
	}
	start := clock.Now()
	took := warmUp(t.Context(), newCaller(func() { time.Sleep(time.Millisecond) }), 1, Options{MinRepeat: 2, MinTime: 15 * time.Millisecond, MaxRepeat: 1000})
	if spent := clock.Since(start); spent < 15*time.Millisecond || len(took) > 30 {
		t.Errorf("%d samples in %v", len(took), spent)
	}
	for _, ns := range took {
		if ns < 1e6 { // a sleep is never too short
			t.Errorf("a sample of %v ns", ns)
		}
	}
}

func TestBatchesTakeAsLongAsWanted(t *testing.T) {
	f := func() {
		for end := clock.Now().Add(10 * time.Microsecond); clock.Now() < end; {
		}
	}
	if n := newCaller(f).batch(200 * time.Microsecond); n > 60 || n < 2 { // it is smaller on a busy machine
		t.Errorf("%d calls of 10 µs for 200", n)
	}
	if got := fine(); got < 60*time.Microsecond {
		t.Errorf("%v", got)
	}
	if got := newCaller(func() { time.Sleep(time.Millisecond) }).least(2); got < 2e6 {
		t.Errorf("%v", got)
	}
}

func TestAWarmUpThatWasTooShortIsNoticed(t *testing.T) {
	// The first, slow samples take about 2000, the others about 1000.
	run := func(warm, slow, samples int) Result {
		var before []float64
		var took []int64
		for i := range warm + samples {
			x := 1000 + float64(i*7919%13)
			if i < slow {
				x += 1000
			}
			if i < warm {
				before = append(before, x)
			} else {
				took = append(took, int64(x))
			}
		}
		var r Result
		r.judgeWarmUp(before, took)
		return r
	}
	for _, c := range []struct {
		warm, slow, samples int
		want                string
	}{
		{100, 50, 400, ""}, {100, 150, 400, ""}, // few of the samples
		{100, 350, 800, "the times settled only after 350 samples, 250 of them in the measurement"},
		{0, 150, 400, ""}, // there is no warm-up to compare with
	} {
		r := run(c.warm, c.slow, c.samples)
		if text := strings.Join(r.Warnings, "; "); !r.Settled || (text == "") != (c.want == "") || !strings.HasPrefix(text, c.want) {
			t.Errorf("%+v: warm-up of %d, %q", c, r.Warmup, text)
		}
	}
}

func TestTheSummaryOfSamples(t *testing.T) {
	mean := stat.Interval{Center: 131, Lo: 121, Hi: 141, Level: 0.95, N: 4}
	r := Result{Batch: 10}
	r.summarize([]int64{150, 110, 140, 124}, mean, 10, 1, 21)
	half := math.Hypot(10, 1+0.25*10) / 10
	if r.Fastest != 10 || r.Median != 12.2 || r.Slowest != 14 || r.Loop.Center != 1 || math.Abs(r.Loop.Half()-0.35) > 1e-12 || r.Loop.N != 21 || r.Time.Center != 12.1 ||
		math.Abs(r.Time.Hi-12.1-half) > 1e-9 || math.Abs(12.1-r.Time.Lo-half) > 1e-9 || len(r.Warnings) != 0 {
		t.Errorf("%+v", r)
	}
	r = Result{Batch: 10}
	r.summarize([]int64{8, 12, 10}, stat.Interval{Center: 10, Lo: 9, Hi: 11, Level: 0.95, N: 3}, 10, 1, 21)
	if r.Time.Lo != 0 || r.Fastest != 0 || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "which costs 1 ns per call") {
		t.Errorf("%+v", r)
	}
	r = Result{Batch: 10}
	if r.summarize([]int64{5}, stat.Point(5, 1, "", "one sample"), 10, 1, 21); r.Time.Level != 0 || r.Time.Center != 5 || r.Warnings != nil {
		t.Errorf("%+v", r)
	}
}

func TestNoiseIsWhatHappenedSince(t *testing.T) {
	runtime.LockOSThread() // switches are counted by thread
	defer runtime.UnlockOSThread()
	w := watch()
	runtime.GC()
	time.Sleep(time.Millisecond)
	n := w.since()
	if n.Collections < 1 || n.Paused <= 0 || n.Elapsed < time.Millisecond || n.Paused > n.Elapsed {
		t.Errorf("%+v", n)
	}
	if n.Voluntary.Known() && n.Voluntary.Center+n.Involuntary.Center > 1e6 || n.Steal.Known() && (n.Steal.Lo < 0 || n.Steal.Hi > 1) {
		t.Errorf("%+v", n)
	}
	if !switchesOS().ok || !stealOS().ok {
		t.Skip("the system reports neither switches nor steal")
	}
	now := stealOS()
	w.stolen = ticks{0, 0, true}
	if n := w.since(); !n.Steal.Bounded() || math.Abs(n.Steal.Center-float64(now.stolen)/float64(now.all)) > 0.01 {
		t.Errorf("steal %v, want %d of %d", n.Steal, now.stolen, now.all)
	}
	for _, odd := range []ticks{{0, math.MaxUint64, true}, {math.MaxUint64, 0, true}, {0, 0, false}} {
		w.stolen = odd
		if n := w.since(); n.Steal.Known() || n.Steal.Reason == "" {
			t.Errorf("after %+v: %v", odd, n.Steal)
		}
	}
	w.switches = switches{0, 0, true}
	if n := w.since(); !n.Voluntary.Bounded() || n.Voluntary.Center == 0 {
		t.Errorf("%+v", n)
	}
	w.switches.ok = false
	if n := w.since(); n.Voluntary.Known() || n.Involuntary.Reason == "" {
		t.Errorf("%+v", n)
	}
}

func TestNoiseReadsWell(t *testing.T) {
	n := Noise{Collections: 3, Paused: 1500 * time.Microsecond}
	if got, want := n.String(), "3 garbage collections, 1.5 ms paused"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	n.Involuntary, n.Voluntary, n.Steal = tally(2, 0, 1), tally(5, 0, 1), tally(123, 1, 10000)
	if got, want := n.String(), "3 garbage collections, 1.5 ms paused; preempted 2 times, waited 5 times; 1.2 % stolen by the host"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	n.look(neighbour.Report{Spins: 1000, Share: stat.Interval{Center: 0.5, Lo: 0.4, Hi: 0.6, Level: 0.95, N: 1000}, Factor: 2.1})
	if got := n.String(); !strings.HasSuffix(got, "; something else (a program on another processor, another machine, or a lower frequency) shares this core 50 ± 10 % of the time, which costs up to 2.1x") ||
		n.Shared.Center != 0.5 || n.SharedCost != 2.1 {
		t.Errorf("%q of %+v", got, n)
	}
}
