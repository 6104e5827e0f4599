// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/clock/clocktest"
	"github.com/strobe-go/strobe/internal/race"
)

// asleep is a backend on a fake clock.
type asleep struct{ *clocktest.Fake }

func (s asleep) sleep(_ context.Context, at clock.Instant) { s.Sleep(at.Sub(s.Now())) }
func (asleep) crowded() bool                               { return false }
func (asleep) about() (name, reason string)                { return "fake", "" }
func (asleep) close()                                      {}

func fake(o Options) (*Limiter, *clocktest.Fake) {
	f := &clocktest.Fake{Step: 25 * time.Nanosecond}
	l := NewLimiter(o)
	l.begin(waiter{sleeper: asleep{f}, learners: precise, now: f.Now})
	return l, f
}

func wait(t *testing.T, l *Limiter) {
	t.Helper()
	if err := l.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	l.settle() // as the next Wait would
}

func TestLatestWaitCountsFromTheNextOrClose(t *testing.T) {
	l, _ := fake(Options{})
	for range 3 {
		if err := l.Wait(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if n := l.Stats().Waits; n != 2 {
		t.Errorf("%d waits before the next", n)
	}
	l.Close()
	if n := l.Stats().Waits; n != 3 {
		t.Errorf("%d waits after Close", n)
	}
}

func TestLimiterReturnsOnTheGridHoweverLateSleepsWake(t *testing.T) {
	for _, late := range [][]time.Duration{
		nil,
		{20 * time.Microsecond, 60 * time.Microsecond, 80 * time.Microsecond},
		{5 * time.Microsecond, 0, 0, 120 * time.Microsecond},
	} {
		l, f := fake(Options{Rate: 144})
		f.Oversleep(late...)
		wait(t, l)
		start, inexact := l.grid.start, 0
		for n := range 2000 {
			f.Advance(time.Millisecond) // work
			wait(t, l)
			late := int64(l.tally.last) - point(t, "144", int64(start), int64(n+1))
			if late < 0 || n > 200 && late > 20_000 {
				t.Fatalf("turn %d returned %d ns after its deadline", n+1, late)
			}
			if n > 200 && late > 100 {
				inexact++
			}
		}
		if inexact > 2000/50 { // the margin follows the 0.998 quantile
			t.Errorf("oversleep %v: %d of 2000 turns were more than 100 ns late", late, inexact)
		}
		s := l.Stats()
		if s.Waits != 2001 || s.Slept != 2000 || s.Missed != 0 || s.Overrun != 0 {
			t.Errorf("oversleep %v: %+v", late, s)
		}
		if s.SpinShare > 0.04 {
			t.Errorf("oversleep %v: %.3f of the time was spun", late, s.SpinShare)
		}
	}
}

func TestMarginFollowsTheQuantileNotTheWorst(t *testing.T) {
	var m margin
	l := precise.fine
	for i := range 20_000 {
		over := 30 * time.Microsecond
		if i%1000 == 0 {
			over = 10 * time.Millisecond // a preemption
		}
		m.learn(l, over)
	}
	if v := m.value(l, l.hi); v < 28*time.Microsecond || v > 60*time.Microsecond {
		t.Errorf("margin %v for sleeps that wake 30 µs late", v)
	}
	for range 1000 {
		m.learn(l, 200*time.Microsecond)
	}
	if v := m.value(l, l.hi); v < 180*time.Microsecond {
		t.Errorf("margin %v once sleeps wake 200 µs late", v)
	}
	for range 1000 {
		m.learn(l, time.Second)
	}
	if v := m.value(l, l.hi); v > l.hi {
		t.Errorf("margin %v above its limit", v)
	}
	for range 10_000 {
		m.unused(l)
	}
	if v := m.value(l, l.hi); v > 2*l.lo {
		t.Errorf("margin %v after a long time without a sleep: it must shrink so that sleeps begin again", v)
	}
}

func TestSkipMissesWhatHasPassed(t *testing.T) {
	l, f := fake(Options{Rate: 100, Late: Skip})
	wait(t, l)
	f.Advance(35 * time.Millisecond)
	wait(t, l)
	if s := l.Stats(); s.Missed != 3 || s.Overrun != 1 || l.turn != 4 || l.tally.last < l.grid.at(4) {
		t.Errorf("turn %d, %+v", l.turn, s)
	}
	wait(t, l)
	if l.turn != 5 {
		t.Errorf("the grid was left: turn %d", l.turn)
	}
}

func TestSkipCountsWhatPassedInALateSleep(t *testing.T) {
	l, f := fake(Options{Rate: 100, Late: Skip})
	wait(t, l)
	f.Oversleep(25 * time.Millisecond)
	wait(t, l)
	if s := l.Stats(); s.Missed != 2 || s.Overrun != 0 || s.LateSystem+s.LateBusy != 1 {
		t.Errorf("%+v", s)
	}
	if l.tally.last >= l.grid.at(l.turn+1) || l.tally.last < l.grid.at(l.turn) {
		t.Errorf("returned at %d but claims turn %d", l.tally.last, l.turn)
	}
}

func TestCatchUpReturnsAtOnceUntilOnTheGrid(t *testing.T) {
	l, f := fake(Options{Rate: 100, Late: CatchUp})
	wait(t, l)
	f.Advance(45 * time.Millisecond)
	slept := len(f.Slept())
	for range 4 {
		wait(t, l)
	}
	if len(f.Slept()) != slept {
		t.Error("slept while behind")
	}
	wait(t, l)
	if l.turn != 5 || l.tally.last < l.grid.at(5) || l.Stats().Missed != 0 {
		t.Errorf("turn %d, %+v", l.turn, l.Stats())
	}
}

func TestCatchUpGivesUpWhatIsTooFarBehind(t *testing.T) {
	for _, c := range []struct {
		rate, away    float64 // Hz, periods
		atOnce        int
		missed, after uint64
	}{
		{100, 1000, 25, 975, 1001},   // a quarter of a second
		{100, 26, 25, 1, 27},         // just beyond the limit
		{100, 25, 25, 0, 26},         // just within the limit
		{10, 30, 5, 25, 31},          // at least five turns
		{10000, 5000, 2500, 2500, 0}, // the next deadlines pass during the wait
	} {
		l, f := fake(Options{Rate: c.rate, Late: CatchUp})
		wait(t, l)
		f.Advance(time.Duration((c.away + 0.5) * 1e9 / c.rate))
		n, slept := 0, len(f.Slept())
		for ; len(f.Slept()) == slept; n++ {
			wait(t, l)
		}
		s := l.Stats()
		if c.after == 0 {
			if n-1 < c.atOnce || s.Missed != c.missed {
				t.Errorf("%+v: %d turns at once, %d missed", c, n-1, s.Missed)
			}
			continue
		}
		if n-1 != c.atOnce || s.Missed != c.missed || l.turn != c.after || s.Overrun != uint64(c.atOnce) {
			t.Errorf("%+v: %d turns at once, then turn %d, %+v", c, n-1, l.turn, s)
		}
	}
}

func TestSlipStartsTheGridAnew(t *testing.T) {
	l, f := fake(Options{Rate: 100, Late: Slip})
	wait(t, l)
	f.Advance(33 * time.Millisecond)
	before := f.Now()
	wait(t, l)
	if l.tally.last-before > 1000 {
		t.Error("a late call waited")
	}
	wait(t, l)
	if d := l.tally.last - before; d < 10_000_000 || d > 10_001_000 {
		t.Errorf("the next turn came after %d ns, want one period", d)
	}
	if s := l.Stats(); s.Missed != 0 || s.Overrun != 1 {
		t.Errorf("%+v", s)
	}
}

func TestNewRateStartsAtTheLatestDeadline(t *testing.T) {
	l, f := fake(Options{Rate: 100})
	for range 3 {
		wait(t, l)
	}
	base := l.grid.at(l.turn)
	if err := l.SetRate(250); err != nil {
		t.Fatal(err)
	}
	f.Advance(time.Millisecond)
	wait(t, l)
	if d := l.tally.last - base; d < 4_000_000 || d > 4_001_000 {
		t.Errorf("the first turn at 250 Hz came %d ns after the latest deadline", d)
	}
	if s := l.Stats(); s.Rate != 250 {
		t.Errorf("Stats say %v Hz", s.Rate)
	}
	for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1), 1e9, 0.01} {
		if l.SetRate(bad) == nil {
			t.Errorf("rate %v was taken", bad)
		}
	}
}

func TestOptionsThatCannotBeMetFailEveryWait(t *testing.T) {
	for _, o := range []Options{
		{Rate: -1}, {Rate: math.NaN()}, {Rate: 1e9}, {Rate: 0.05}, {Budget: 2}, {Budget: math.NaN()}, {Late: 7}, {Mode: -1},
	} {
		l := NewLimiter(o)
		if err := l.Wait(context.Background()); err == nil || o.Validate() == nil {
			t.Errorf("%+v: %v", o, err)
		}
		l.Close()
	}
	if err := (Options{}).Validate(); err != nil {
		t.Error(err)
	}
}

func TestWithoutSpinNothingIsSpunAndNothingIsEarly(t *testing.T) {
	l, f := fake(Options{Rate: 1000, Budget: -1})
	f.Oversleep(0, 20*time.Microsecond)
	wait(t, l)
	for range 500 {
		wait(t, l)
		if l.tally.last < l.grid.at(l.turn) {
			t.Fatal("returned early")
		}
	}
	if s := l.Stats(); s.SpinShare != 0 {
		t.Errorf("spun %.3f of the time", s.SpinShare)
	}
}

func TestSpinKeepsToItsBudget(t *testing.T) {
	l, f := fake(Options{Rate: 1000, Budget: 0.02})
	f.Oversleep(80 * time.Microsecond)
	for range 2000 {
		wait(t, l)
	}
	if s := l.Stats(); s.SpinShare > 0.02 {
		t.Errorf("spun %.3f of the time", s.SpinShare)
	}
}

func TestDeadlineIsLeftForTheNextCallAfterCancel(t *testing.T) {
	l, f := fake(Options{Rate: 100})
	wait(t, l)
	ctx, cancel := context.WithCancel(context.Background())
	f.OnWake(cancel)
	for err := error(nil); !errors.Is(err, context.Canceled); {
		err = l.Wait(ctx)
		if f.Now() > l.grid.at(3) {
			t.Fatal("cancelling did not end the wait")
		}
	}
	f.OnWake(nil)
	turn := l.turn
	wait(t, l)
	if l.turn != turn+1 {
		t.Errorf("turn %d follows %d", l.turn, turn)
	}
}

func TestCancelEndsARealSleep(t *testing.T) {
	for _, mode := range []Mode{Yield, Lock, Realtime} {
		t.Run(mode.String(), func(t *testing.T) {
			l := NewLimiter(Options{Rate: 0.1, Mode: mode})
			defer l.Close()
			wait(t, l)
			for try := 0; ; try++ { // a process that is stopped for 10 s misses the end of the context
				ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
				err := l.Wait(ctx)
				cancel()
				if errors.Is(err, context.DeadlineExceeded) {
					break
				} else if try == 3 || err != nil {
					t.Fatalf("a wait of 10 s was cancelled after 20 ms and ended with: %v", err)
				}
			}
			if err := l.SetRate(1000); err != nil {
				t.Fatal(err)
			}
			wait(t, l) // and the sleeper works again
			wait(t, l)
			t.Logf("%s %s", l.Stats().Backend, l.Stats().Reason)
		})
	}
}

func TestClosedLimiterSaysSo(t *testing.T) {
	l := NewLimiter(Options{})
	wait(t, l)
	l.Close()
	l.Close()
	if err := l.Wait(context.Background()); err == nil {
		t.Error("a closed limiter waited")
	}
	if l.Stats().Waits != 1 {
		t.Error("Close lost the statistics")
	}
}

func TestRealWaitsAreNeverEarly(t *testing.T) {
	for _, mode := range []Mode{Yield, Lock, Realtime} {
		l := NewLimiter(Options{Rate: 1000, Mode: mode})
		for range 100 {
			wait(t, l)
			if now := clock.Now(); now < l.grid.at(l.turn) {
				t.Errorf("%v: returned %d ns early", mode, l.grid.at(l.turn)-now)
			}
		}
		s := l.Stats()
		if s.Waits+s.Missed != l.turn+1 {
			t.Errorf("%v: %d waits and %d missed make no %d turns", mode, s.Waits, s.Missed, l.turn+1)
		}
		t.Logf("%v: %+v", mode, s)
		l.Close()
	}
}

func TestRealSleepNeverEarly(t *testing.T) {
	for _, d := range []time.Duration{-1, 0, 1, 500, 10 * time.Microsecond, 100 * time.Microsecond, time.Millisecond, 17 * time.Millisecond} {
		for range 10 {
			begin := clock.Now()
			Sleep(d)
			if got := clock.Since(begin); got < d {
				t.Errorf("Sleep(%v) took %v", d, got)
			}
		}
	}
}

func TestWaitAllocatesNothing(t *testing.T) {
	limit := 0.0
	if runtime.GOOS == "js" {
		limit = 1 // of the runtime's own, to receive the event that a timer is
	}
	l := NewLimiter(Options{Rate: 20_000})
	defer l.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for range 2 * watchAfter {
		l.Wait(ctx)
	}
	if n := testing.AllocsPerRun(500, func() { l.Wait(ctx) }); n > limit {
		t.Errorf("Wait allocates %v times", n)
	}
	SleepUntil(clock.Now().Add(100 * time.Microsecond))
	if n := testing.AllocsPerRun(500, func() { Sleep(50 * time.Microsecond) }); n >= limit+1 && !race.Enabled {
		t.Errorf("Sleep allocates %v times", n)
	}
}

func TestWaitWithANewContextEachTimeAllocatesNothing(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("the runtime allocates for each event")
	}
	l := NewLimiter(Options{Rate: 5000})
	defer l.Close()
	contexts := make([]context.Context, 300)
	for i := range contexts {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		ctx.Done() // which allocates
		contexts[i] = ctx
	}
	l.Wait(contexts[0])
	l.Wait(contexts[0])
	i := 0
	if n := testing.AllocsPerRun(len(contexts)-2, func() { i++; l.Wait(contexts[i]) }); n != 0 {
		t.Errorf("Wait with a new context allocates %v times", n)
	}
}

func TestContextThatCannotBeComparedIsTaken(t *testing.T) {
	for _, mode := range []Mode{Yield, Lock} {
		l := NewLimiter(Options{Rate: 5000, Mode: mode})
		ctx, cancel := context.WithCancel(context.Background())
		for range 3 * watchAfter {
			if err := l.Wait(fickle{Context: ctx}); err != nil {
				t.Fatal(err)
			}
		}
		cancel()
		if err := l.Wait(fickle{Context: ctx}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		l.Close()
	}
}

func TestLongestSleepDoesNotOverflow(t *testing.T) {
	for _, now := range []clock.Instant{0, 1, 1 << 40, math.MaxInt64 - 1} {
		if at := after(now, math.MaxInt64); at < now {
			t.Errorf("%d and the longest duration give %d", now, at)
		}
		if at := after(now, 1); at != now+1 {
			t.Errorf("%d and 1 ns give %d", now, at)
		}
	}
	woke := make(chan struct{})
	go func() { Sleep(math.MaxInt64); close(woke) }() // this goroutine stays until the process ends
	select {
	case <-woke:
		t.Error("the longest sleep is over")
	case <-time.After(30 * time.Millisecond):
	}
	SleepUntil(math.MinInt64)
	l, f := fake(Options{Rate: MinRate})
	f.Advance(math.MaxInt64 / 2)
	wait(t, l)
	wait(t, l)
}

func TestZeroLimiterWorksAtSixtyHertz(t *testing.T) {
	var l Limiter
	if s := l.Stats(); s.Waits != 0 || s.Rate != 60 || s.Backend != "" {
		t.Errorf("%+v", s)
	}
	for range 3 {
		wait(t, &l)
	}
	if s := l.Stats(); s.Rate != 60 || s.Waits != 3 || l.grid.period() != 16666666 {
		t.Errorf("%+v", s)
	}
	l.Close()
	new(Limiter).Close()
}

func TestRateThatIsImpossibleIsNamed(t *testing.T) {
	var l Limiter
	for rate, text := range map[float64]string{0: "rate 0 Hz", -1: "rate -1 Hz", 1e6: "rate 1e+06 Hz", math.Inf(1): "rate +Inf Hz"} {
		if err := l.SetRate(rate); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v: %v", rate, err)
		}
	}
}

func TestSpinNeedNotHaveACaller(t *testing.T) {
	done := make(chan struct{})
	go SleepUntil(clock.Now().Add(time.Millisecond)) // without a caller on the stack
	go func() { defer close(done); SleepUntil(clock.Now().Add(2 * time.Millisecond)) }()
	<-done
}

func TestStarvationIsToldFromALateSystem(t *testing.T) {
	used := usageOrSkip(t)
	const now = clock.Instant(time.Hour)
	idle := usage{known: true, at: 0, used: used}
	if idle.starved(now) {
		t.Error("an idle process was starved by itself")
	}
	busy := usage{known: true, at: clock.Instant(time.Hour) - 1, used: used - time.Hour}
	if !busy.starved(now) {
		t.Error("a process that used an hour of processor time in a moment was not busy")
	}
	if (usage{}).starved(now) {
		t.Error("what is not known was taken for starvation")
	}
}
