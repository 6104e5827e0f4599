// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/clock/clocktest"
)

// still returns a waiter on a clock that advances only in sleeps.
func still(spin time.Duration) (*waiter, *clocktest.Fake) {
	f := &clocktest.Fake{Step: -1}
	return &waiter{sleeper: asleep{f}, learners: precise, now: f.Now, margins: new(margins), spin: spin}, f
}

func TestWaiterSleepsTwiceOrOnceOrNotAtAll(t *testing.T) {
	const us = time.Microsecond
	for _, c := range []struct {
		rest, spin time.Duration
		slept      string
		left       time.Duration // time to the beginning of the spin
	}{
		{16 * time.Millisecond, 300 * us, "[15.79ms 150µs]", 60 * us},
		{301 * us, 300 * us, "[91µs 150µs]", 60 * us},
		{300 * us, 300 * us, "[240µs]", 60 * us},
		{301 * us, 55 * us, "[96µs 150µs]", 55 * us}, // with a small budget
		{62*us + 1, 300 * us, "[2.001µs]", 60 * us},
		{62 * us, 300 * us, "[]", 62 * us}, // not worth it
		{30 * us, 300 * us, "[]", 30 * us},
		{300 * us, 0, "[300µs]", 0},
		{time.Millisecond, 0, "[850µs 150µs]", 0},
	} {
		w, f := still(c.spin)
		at := f.Now().Add(c.rest)
		now := w.approach(context.Background(), at)
		if slept := fmt.Sprint(f.Slept()); slept != c.slept || at.Sub(now) != c.left || now != f.Now() {
			t.Errorf("%v with a spin of %v: slept %v and left %v, want %v and %v", c.rest, c.spin, slept, at.Sub(now), c.slept, c.left)
		}
		if w.wakes != uint64(len(f.Slept())) || w.margin != min(60*us, c.spin) || w.shared {
			t.Errorf("%v: %d wakes, margin %v", c.rest, w.wakes, w.margin)
		}
	}
}

func TestWaiterLearnsFromEachSleepByItself(t *testing.T) {
	w, f := still(300 * time.Microsecond)
	w.sleeper = deep{asleep{f}}
	k := class(10 * time.Millisecond)
	for range 8000 {
		w.approach(context.Background(), f.Now().Add(10*time.Millisecond))
	}
	coarse, fine := w.margins.coarse[k].value(w.coarse, w.coarse.hi), w.margins.fine[k].value(w.fine, w.fine.hi)
	if coarse < 95*time.Microsecond || coarse > 115*time.Microsecond || fine < 9*time.Microsecond || fine > 15*time.Microsecond {
		t.Errorf("sleeps that wake 100 and 10 µs late leave margins of %v and %v", coarse, fine)
	}
	for k2 := range classes {
		if k2 != k && (w.margins.coarse[k2].ns.Load() != 0 || w.margins.fine[k2].ns.Load() != 0) {
			t.Errorf("class %d learned from class %d", k2, k)
		}
	}
}

func TestWaiterRepeatsASleepThatWasCutShort(t *testing.T) {
	w, f := still(300 * time.Microsecond)
	cut := 0
	w.sleeper = short{asleep{f}, &cut}
	at := f.Now().Add(250 * time.Microsecond)
	if now := w.approach(context.Background(), at); at.Sub(now) != 60*time.Microsecond || cut != 2 {
		t.Errorf("left %v to the spin after %d sleeps", at.Sub(now), cut)
	}
	w.spin = 0
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	cut = 0
	if now := w.approach(ctx, f.Now().Add(time.Second)); now != f.Now() || cut != 1 {
		t.Errorf("a context that has ended let it sleep %d times", cut)
	}
}

// deep sleeps wake 100 µs late if they are long, and 10 µs late if they are short.
type deep struct{ asleep }

func (d deep) sleep(ctx context.Context, at clock.Instant) {
	late := 10 * time.Microsecond
	if at.Sub(d.Now()) > time.Millisecond {
		late *= 10
	}
	d.asleep.sleep(ctx, at.Add(late))
}

// The first of the short sleeps ends halfway.
type short struct {
	asleep
	n *int
}

func (s short) sleep(ctx context.Context, at clock.Instant) {
	if *s.n++; *s.n == 1 {
		at = s.Now() + (at-s.Now())/2
	}
	s.asleep.sleep(ctx, at)
}

// The first of the early sleeps ends 10 µs early.
type early struct {
	asleep
	n *int
}

func (s early) sleep(ctx context.Context, at clock.Instant) {
	if *s.n++; *s.n == 1 {
		at = at.Add(-10 * time.Microsecond)
	}
	s.asleep.sleep(ctx, at)
}

func TestWaiterTakesASleepThatEndsALittleEarly(t *testing.T) {
	n := 0
	w, f := still(0) // without a spin the rest is slept
	w.sleeper = early{asleep{f}, &n}
	at := f.Now().Add(200 * time.Microsecond)
	if now := w.approach(context.Background(), at); now != at || n != 2 {
		t.Errorf("ended %v before its time, after %d sleeps", at.Sub(now), n)
	}
	n = 0
	w, f = still(300 * time.Microsecond)
	w.sleeper = early{asleep{f}, &n}
	at = f.Now().Add(200 * time.Microsecond)
	if now := w.approach(context.Background(), at); at.Sub(now) != 70*time.Microsecond || n != 1 {
		t.Errorf("left %v to the spin, after %d sleeps", at.Sub(now), n)
	}
	if w.margins.fine[class(200*time.Microsecond)].ns.Load() == 0 {
		t.Error("learned nothing from it")
	}
}

// joined sleeps are alone when they begin and among many when they end.
type joined struct {
	asleep
	many *bool
}

func (j joined) sleep(ctx context.Context, at clock.Instant) {
	j.asleep.sleep(ctx, at.Add(200*time.Microsecond))
	*j.many = true
}

func (j joined) crowded() bool { return *j.many }

// A sleep that shared its wake-up with many says nothing about sleeps that do not.
func TestWaiterLearnsNothingFromASleepThatBecameCrowded(t *testing.T) {
	w, f := still(300 * time.Microsecond)
	many := false
	w.sleeper = joined{asleep{f}, &many}
	w.approach(context.Background(), f.Now().Add(250*time.Microsecond))
	if m := w.margins.fine[class(250*time.Microsecond)].ns.Load(); m != 0 || !many || w.shared {
		t.Errorf("learned a margin of %d ns", m)
	}
}

func TestWaiterWithoutRoomForTheFirstSleepTakesTheSecond(t *testing.T) {
	w, f := still(300 * time.Microsecond)
	m := &w.margins.coarse[class(320*time.Microsecond)]
	m.ns.Store(int64(w.coarse.hi))
	w.approach(context.Background(), f.Now().Add(320*time.Microsecond))
	if slept := fmt.Sprint(f.Slept()); slept != "[260µs]" || m.ns.Load() >= int64(w.coarse.hi) {
		t.Errorf("slept %v, margin %d", slept, m.ns.Load())
	}
}

func TestTimerThatEverySystemHas(t *testing.T) {
	a := newTimerAlarm()
	begin := clock.Now()
	a.arm(time.Millisecond)
	if a.wait(); clock.Since(begin) < time.Millisecond && runtime.GOOS != "windows" { // there timers go by a time with steps; a waiter looks at the clock
		t.Error("it rang early")
	}
	a.arm(time.Hour)
	if a.close(); a.(timerAlarm).Stop() {
		t.Error("it runs after close")
	}
}

func TestSpinIsBoundedByBudgetAndBackend(t *testing.T) {
	for _, c := range []struct {
		rate, budget float64
		want         time.Duration
	}{
		{60, 0, 300 * time.Microsecond}, {10_000, 0, 50 * time.Microsecond}, {1000, 0.02, 20 * time.Microsecond}, {60, -1, 0}, {60, -1e-9, 0},
	} {
		l, _ := fake(Options{Rate: c.rate, Budget: c.budget})
		if l.waiter.spin != c.want {
			t.Errorf("%+v: a spin of up to %v", c, l.waiter.spin)
		}
	}
}

func TestCallAtTheVeryDeadlineIsNotLate(t *testing.T) {
	f := &clocktest.Fake{Step: -1}
	l := NewLimiter(Options{Rate: 100, Budget: -1}) // a spin would never end on this clock
	l.begin(waiter{sleeper: asleep{f}, learners: precise, now: f.Now})
	wait(t, l)
	f.Advance(10 * time.Millisecond)
	wait(t, l)
	f.Advance(10*time.Millisecond + 1)
	wait(t, l)
	if s := l.Stats(); s.Overrun != 1 || s.Missed != 1 || s.Slept != 1 || l.turn != 3 {
		t.Errorf("turn %d, %+v", l.turn, s)
	}
}

// many is a sleeper among many others.
type many struct{ asleep }

func (many) crowded() bool { return true }

func TestWaiterInACrowdSleepsOnceAndLearnsNothing(t *testing.T) {
	w, f := still(300 * time.Microsecond)
	w.sleeper = many{asleep{f}}
	f.Oversleep(500 * time.Microsecond)
	at := f.Now().Add(10 * time.Millisecond)
	if now := w.approach(context.Background(), at); now.Sub(at) != 500*time.Microsecond || !w.shared || w.margin != 0 || len(f.Slept()) != 1 {
		t.Errorf("slept %v, ended %v late, shared %v", f.Slept(), now.Sub(at), w.shared)
	}
	if *w.margins != (margins{}) {
		t.Error("learned from a shared wake-up")
	}
}

func TestClassesAreOctavesOfMicroseconds(t *testing.T) {
	for d, want := range map[time.Duration]int{-1: 0, 0: 0, 1999: 0, 2000: 1, 3999: 1, 4000: 2, time.Millisecond: 9, 16 * time.Millisecond: 13, time.Hour: classes - 1} {
		if got := class(d); got != want {
			t.Errorf("%v is in class %d, want %d", d, got, want)
		}
	}
}

func TestMarginMovesByAShareOfItself(t *testing.T) {
	var m margin
	l := learner{q: 0.9, start: 10_000, lo: 2000, hi: 50_000}
	for _, c := range []struct {
		over time.Duration
		want int64
	}{
		{10_001, 11_350},       // + 0.9 (1000 + 500)
		{11_350, 11_350 - 163}, // not later than that: - 0.1 (1135 + 500)
		{-5, 11_350 - 163 - 161},
	} {
		if m.learn(l, c.over); m.ns.Load() < c.want-2 || m.ns.Load() > c.want+2 {
			t.Errorf("after %v: %d, want %d", c.over, m.ns.Load(), c.want)
		}
	}
	m.ns.Store(2000)
	if m.learn(l, 0); m.ns.Load() != 2000 {
		t.Errorf("below its limit: %d", m.ns.Load())
	}
	m.unused(l)
	if m.ns.Load() != 2000 {
		t.Errorf("unused below its limit: %d", m.ns.Load())
	}
	m.ns.Store(6400)
	if m.unused(l); m.ns.Load() != 6300 {
		t.Errorf("unused: %d", m.ns.Load())
	}
	m.ns.Store(49_999)
	if m.learn(l, time.Second); m.value(l, time.Second) != 50_000 || m.value(l, 7) != 7 {
		t.Errorf("above its limit: %d", m.ns.Load())
	}
}

func TestStatsOfTurns(t *testing.T) {
	var a tally
	a.rate = 50
	w := &waiter{wakes: 7, margin: 9}
	a.record(&turn{at: 1000, woke: 1000, back: 1000}, w)
	for i := range clock.Instant(40) {
		at := 2000 + 1000*i
		a.record(&turn{at: at, began: at - 100, woke: at + 10, back: at + 15, slept: true, missed: 2}, w)
	}
	w.shared = true
	a.record(&turn{at: 50_000, began: 50_100, woke: 50_100, back: 50_100, slept: true}, w)
	a.record(&turn{at: 60_000, began: 60_000, woke: 2_060_000, back: 2_060_000, slept: true, starved: true}, w)
	a.record(&turn{at: 3_000_000, began: 3_000_000, woke: 5_000_000, back: 5_000_000, slept: true}, w)
	a.record(&turn{at: 6_000_000, woke: 6_000_000 + 5_000_000, back: 11_000_000, overrun: true}, w) // late, but by the caller
	s := a.stats()
	want := Stats{Rate: 50, Waits: 45, Slept: 43, Missed: 80, Overrun: 1, Shared: 3, Elapsed: 10_999_000,
		p50: s.p50, p99: s.p99, max: 2_000_000,
		Margin: 9, Wakeups: 7, LateSystem: 1, LateBusy: 1, SpinShare: float64(40*110+4_000_000) / 10_999_000}
	if s != want {
		t.Errorf("got  %+v\nwant %+v", s, want)
	}
	if s.p50 != 20 { // the spin ended 10 ns late, and two returns took 5 ns each
		t.Errorf("the median lateness is %v, want 20ns", s.p50)
	}
	if again := a.stats(); again != s {
		t.Errorf("asked again: %+v", again)
	}
}

// A lateness of 0 is known or not: a wait that never slept has none.
func TestNoLatenessIsNotALatenessOfZero(t *testing.T) {
	var overrun, exact tally
	overrun.record(&turn{at: 1000, woke: 9000, back: 9000, overrun: true}, new(waiter))
	exact.record(&turn{at: 1000, began: 900, woke: 1000, back: 1000, slept: true}, new(waiter))
	if s := overrun.stats(); s.Slept != 0 || s.Waits != 1 {
		t.Errorf("a wait that did not sleep: %+v", s)
	} else if _, _, _, ok := s.Late(); ok {
		t.Errorf("a wait that did not sleep is late: %+v", s)
	}
	if p50, _, most, ok := exact.stats().Late(); !ok || p50 != 0 || most != 0 {
		t.Errorf("a wait that ended at its deadline: %v to %v, %v", p50, most, ok)
	}
}

// Each reading of this clock takes 25 ns: the one that ends the spin and the one after the return. The last return cannot be
// timed, and counts as long as that one.
func TestLatenessIncludesTheReturnToTheCaller(t *testing.T) {
	l, _ := fake(Options{Rate: 144})
	for range 200 {
		wait(t, l)
	}
	if p50 := l.Stats().p50; p50 < 50 || p50 >= 75 {
		t.Errorf("the median lateness is %v, want 50 to 75 ns", p50)
	}
}

func TestAdviceNamesTheCause(t *testing.T) {
	for _, c := range []struct {
		s    Stats
		want string
	}{
		{Stats{Waits: 100}, ""},
		{Stats{Waits: 100, LateSystem: 1}, ""},
		{Stats{Waits: 100, LateSystem: 2}, "the system woke this program late, as it does when other programs keep the processors busy: use Realtime, or leave a processor free"},
		{Stats{Waits: 100, LateSystem: 1, LateBusy: 1}, "goroutines of this program kept all its processors busy: raise GOMAXPROCS by one, or use Lock"},
		{Stats{Waits: 100, Shared: 50}, ""},
		{Stats{Waits: 100, Shared: 51, LateSystem: 99}, "many limiters and sleeps of this program wait at the same time and share wake-ups: use Lock for the few that must be exact"},
	} {
		if got := c.s.Advice(); got != c.want {
			t.Errorf("%+v: %q", c.s, got)
		}
	}
}
