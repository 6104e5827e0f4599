// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/stat"
)

func TestProbeMeasuresEveryWay(t *testing.T) {
	for _, w := range Ways() {
		w.Period, w.N = time.Millisecond, 40
		l, err := Probe(context.Background(), w)
		if err != nil {
			t.Errorf("%s: %v", w.Name, err)
			continue
		}
		if l.P50 < 0 || l.P50 > l.P99 || l.P99 > l.Max || l.N != 40 {
			t.Errorf("%+v", l)
		}
		if l.CPU.Known() != (l.CPU.Center > 0) || l.CPU.Bounded() != (l.CPU.Reason == "") {
			t.Errorf("%s: %+v of a processor", w.Name, l.CPU)
		}
		t.Logf("%+v", l)
	}
}

func TestProbeWaitsLittleMoreOftenThanItWasAskedTo(t *testing.T) {
	for _, n := range []int{1, 16, 4000} {
		waits := 0
		w := Way{N: n, start: func(time.Duration) run {
			return run{
				wait: func(context.Context) error { waits++; return nil },
				due:  func(now clock.Instant) clock.Instant { return now },
				stop: func() string { return "" },
			}
		}}
		if _, err := Probe(context.Background(), w); err != nil || waits <= n || waits > n+min(n/8+2, 100) {
			t.Errorf("%d waits were asked for, and there were %d: %v", n, waits, err)
		}
	}
}

func TestProbeReportsTheLatenessOfTheWaitsThatItCounts(t *testing.T) {
	const n, learning = 200, 200/8 + 2
	waits := 0
	w := Way{N: n, start: func(time.Duration) run {
		return run{
			wait: func(context.Context) error { waits++; return nil },
			due: func(now clock.Instant) clock.Instant {
				if waits <= learning {
					return now.Add(-time.Hour)
				}
				return now.Add(-time.Duration(waits-learning) * time.Microsecond)
			},
			stop: func() string { return "" },
		}
	}}
	l, err := Probe(context.Background(), w)
	if err != nil || l.P50 != 101*time.Microsecond || l.P99 != 198*time.Microsecond || l.Max != n*time.Microsecond {
		t.Errorf("%+v, %v", l, err)
	}
}

// The channel of a ticker holds one tick and drops the others. The goroutine may lose its processor before or after it receives a
// tick.
func TestNoTickIsMeasuredFromADeadlineAhead(t *testing.T) {
	before := clock.Now()
	r := ticking(time.Second)
	after := clock.Now()
	defer r.stop()
	for _, tick := range []struct {
		seen float64 // seconds after the start
		due  clock.Instant
	}{
		{1.01, 1}, {2.5, 2}, {5.5, 3} /* 4 and 5 were dropped */, {6.01, 6},
		{8.5, 7} /* taken at 7, seen later */, {8.51, 8} /* from the channel */, {9.01, 9}, {10.01, 10},
	} {
		now := after + clock.Instant(tick.seen*1e9)
		if got := r.due(now); got < before+tick.due*1e9 || got > after+tick.due*1e9 {
			t.Errorf("the tick seen after %v s was due after %v, want %d s", tick.seen, got.Sub(before), tick.due)
		}
	}
}

// The share is measured during the waits, not since the process began.
func TestProbeMeasuresProcessorTimeWhileItWaits(t *testing.T) {
	for clock.Now() < clock.Instant(time.Second) {
		time.Sleep(10 * time.Millisecond)
	}
	busy := Way{Name: "busy", Period: time.Millisecond, N: 50, start: func(period time.Duration) run {
		var until clock.Instant
		return run{
			wait: func(context.Context) error {
				for until = clock.Now().Add(period); clock.Now() < until; {
				}
				return nil
			},
			due:  func(clock.Instant) clock.Instant { return until },
			stop: func() string { return "" },
		}
	}}
	var l Lateness
	var around float64
	for range 30 { // the load of the machine may change during a try
		before, begin := usageOrSkip(t), clock.Now()
		var err error
		if l, err = Probe(context.Background(), busy); err != nil || !l.CPU.Known() {
			t.Fatalf("%+v, %v", l, err)
		}
		around = float64(usageOrSkip(t)-before) / float64(clock.Since(begin))
		if l.CPU.Center > around/2 && l.CPU.Center < 2*around {
			return
		}
	}
	t.Errorf("a busy wait used %.3f of a processor according to Probe, %.3f according to its caller", l.CPU.Center, around)
}

// A coarse count of processor time may not change although the wait was spinning: that is not a share of 0.
func TestProcessorTimeThatIsNotKnownHasAReason(t *testing.T) {
	at := func(ms, used int64, known bool) usage {
		u := usage{known: known, at: clock.Instant(ms * 1e6), used: time.Duration(used * 1e6)}
		if !known {
			u.err = errors.New("clock_gettime: operation not permitted")
		}
		return u
	}
	for _, c := range []struct {
		begin, end usage
		want       stat.Interval
	}{
		{at(100, 50, true), at(300, 100, true), stat.Interval{Center: 0.25, Lo: 0.2, Hi: 0.3, Level: 1, Method: "count", N: 7}},
		{at(100, 50, true), at(300, 50, true), stat.Unknown("the system counts processor time in steps of up to 10ms, and the count did not advance")},
		{at(100, 50, true), at(300, 40, true), stat.Unknown("the system counts processor time in steps of up to 10ms, and the count did not advance")},
		{at(100, 0, false), at(300, 40, true), stat.Unknown("the system does not report how much processor time a process has used: clock_gettime: operation not permitted")},
		{at(100, 50, true), at(300, 0, false), stat.Unknown("the system does not report how much processor time a process has used: clock_gettime: operation not permitted")},
	} {
		l := Lateness{N: 7}
		if l.count(c.begin, c.end, 10*time.Millisecond); !reflect.DeepEqual(l.CPU, c.want) {
			t.Errorf("from %+v to %+v: %+v", c.begin, c.end, l)
		}
	}
}

func usageOrSkip(t *testing.T) time.Duration {
	used, err := processTime()
	if err != nil {
		t.Skip("no processor time on this system: ", err)
	}
	return used
}

func TestEveryWayWaitsForThePeriod(t *testing.T) {
	const period = 5 * time.Millisecond
	for _, w := range Ways() {
		r := w.start(period)
		var last clock.Instant
		for n := range 4 {
			if err := r.wait(context.Background()); err != nil {
				t.Fatalf("%s: %v", w.Name, err)
			}
			due := r.due(clock.Now())
			if n > 0 && due.Sub(last) < period-time.Microsecond {
				t.Errorf("%s: a deadline comes %v after the one before", w.Name, due.Sub(last))
			}
			last = due
		}
		r.stop()
	}
}

func TestWaitsAreSleptNotPolled(t *testing.T) {
	for _, mode := range []Mode{Yield, Lock, Realtime} {
		l := NewLimiter(Options{Rate: 20, Mode: mode})
		for range 4 {
			wait(t, l)
		}
		if n := l.Stats().Wakeups; n > 200 { // two or three are for the margins, and one each contextPoll
			t.Errorf("%v: the goroutine was woken %d times in three waits of 50 ms", mode, n)
		}
		l.Close()
	}
}

func TestProbeRefusesWhatItCannotMeasure(t *testing.T) {
	ways := Ways()
	ways[0].Period, ways[1].Period, ways[2].N, ways[3].Name, ways[3].start = time.Hour, -1, -1, "none", nil
	for _, w := range ways[:4] {
		if _, err := Probe(context.Background(), w); err == nil {
			t.Errorf("%s, %v, %d was measured", w.Name, w.Period, w.N)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, w := range Ways() {
		if _, err := Probe(ctx, w); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v after its context ended", w.Name, err)
		}
	}
}

func BenchmarkWaitOverrun(b *testing.B) { // the cost of Wait apart from waiting
	l := NewLimiter(Options{Rate: MaxRate, Late: Slip})
	defer l.Close()
	b.ReportAllocs()
	for b.Loop() {
		l.grid.start -= 1e9
		l.Wait(context.Background())
	}
}
