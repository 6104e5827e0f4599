// SPDX-License-Identifier: BSD-3-Clause

package rolling

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
)

const second = clock.Instant(time.Second)

// feed marks events at hz in [from, end), rounded to the nanosecond. It returns the last one.
func feed(r *Rate, hz float64, from, end clock.Instant) (last clock.Instant) {
	for i := 0; ; i++ {
		at := from + clock.Instant(math.Round(float64(i)*1e9/hz))
		if at >= end {
			return last
		}
		r.Mark(at)
		last = at
	}
}

// 144 events per second, 60 from 6 s, none from 10.2 s. The values are the formula's, worked out by hand: at 6.10 s 28 events
// in 0.25278 s, at 10.70 s at most one event in the 0.51667 s since the last.
func TestRateFollowsSteps(t *testing.T) {
	steps := []struct{ at, want float64 }{
		{1, 144}, {3, 144}, {6.10, 110.769}, {6.25, 60}, {6.5, 60}, {7.05, 60}, {10.1, 60}, {10.7, 1.9355}, {11.5, 0},
	}
	var all []clock.Instant
	for i := range 864 {
		all = append(all, clock.Instant(math.Round(float64(i)*1e9/144)))
	}
	for i := range 252 {
		all = append(all, 6*second+clock.Instant(math.Round(float64(i)*1e9/60)))
	}
	r := Rate{Window: 250 * time.Millisecond}
	for _, s := range steps {
		now := clock.Instant(s.at * 1e9)
		for len(all) > 0 && all[0] <= now {
			r.Mark(all[0])
			all = all[1:]
		}
		if got := r.PerSecond(now); math.Abs(got-s.want) > 6e-4 {
			t.Errorf("at %5.2f s: %.4f, want %.3f", s.at, got, s.want)
		}
	}
}

func TestRateOfTheDefaultWindowFollowsSteps(t *testing.T) {
	var r Rate
	feed(&r, 144, 0, 6*second)
	if got := r.PerSecond(6 * second); !near(got, 144, 1e-6) {
		t.Errorf("before the step: %v", got)
	}
	last := feed(&r, 60, 6*second, 7*second+second/100)
	if got := r.PerSecond(7*second + second/100); !near(got, 60, 1e-6) {
		t.Errorf("a window after the step: %v", got)
	}
	previous := math.Inf(1)
	for after := second / 50; after < second; after += second / 50 {
		got := r.PerSecond(last + after)
		if got > previous || got <= 0 {
			t.Errorf("%v after the last event: %v after %v", after, got, previous)
		}
		previous = got
	}
	if got := r.PerSecond(last + second); got != 0 {
		t.Errorf("a window after the end: %v", got)
	}
}

func TestRateOfASteadySourceIsSteadyAtAnyRateAndMoment(t *testing.T) {
	for _, window := range []time.Duration{0, 100 * time.Millisecond, 3 * time.Second} {
		for _, hz := range []float64{0.1, 0.9, 1, 1.1, 7.77, 60, 144, 999, 12345, 1e6} {
			r := Rate{Window: window}
			span := second + second/8
			if hz < 10 {
				span = clock.Instant(25e9 / hz)
			}
			start := clock.Instant(-3e9)
			last := feed(&r, hz, start, start+span)
			n := 1e9 / hz
			for _, after := range []float64{0, 0.3 * n, 0.99 * n, 1.4 * n} {
				got := r.PerSecond(last + clock.Instant(after))
				if !near(got, hz, 1e-4) { // stamps are rounded to 1 ns, which is 1e-6 of the window
					t.Errorf("window %v: %v Hz reads %v, %v ns after an event", window, hz, got, after)
				}
			}
		}
	}
}

func TestRateIsReadyFromTheSecondEvent(t *testing.T) {
	var r Rate
	if r.PerSecond(5*second) != 0 {
		t.Error("a rate of nothing")
	}
	r.Mark(5 * second)
	if r.PerSecond(5*second+1) != 0 {
		t.Error("a rate of one event")
	}
	r.Mark(5*second + second/100)
	if got := r.PerSecond(5*second + second/100); !near(got, 100, 1e-12) {
		t.Errorf("after two events 10 ms apart: %v", got)
	}
}

func TestRateAfterASilenceCountsItsWindow(t *testing.T) {
	var r Rate
	feed(&r, 60, 0, second)
	feed(&r, 1000, 3600*second, 3600*second+second)
	for _, s := range []struct {
		at       clock.Instant
		min, max float64
	}{{250 * second / 1000, 200, 300}, {second / 2, 450, 550}, {second - 1e6, 990, 1010}} {
		var r Rate
		feed(&r, 60, 0, second)
		feed(&r, 1000, 3600*second, 3600*second+s.at+1)
		if got := r.PerSecond(3600*second + s.at); got < s.min || got > s.max {
			t.Errorf("%v after the restart: %v", time.Duration(s.at), got)
		}
	}
	if got := r.PerSecond(3601 * second); !near(got, 1000, 2e-3) {
		t.Errorf("a window after the restart: %v", got)
	}
}

func TestRateOfASlowSourceIsThatOfItsLastInterval(t *testing.T) {
	var r Rate
	for _, at := range []clock.Instant{-20, 10, 12} { // including a stamp before zero
		r.Mark(at * second)
	}
	for _, c := range []struct{ after, want float64 }{{1.9, 0.5}, {2.9, 0.5}, {3.1, 1 / 3.1}, {3.9, 1 / 3.9}, {4.1, 0}} {
		if got := r.PerSecond(12*second + clock.Instant(c.after*1e9)); !near(got, c.want, 1e-12) {
			t.Errorf("%v s after the last event: %v, want %v", c.after, got, c.want)
		}
	}
}

func TestTheFirstTwoEventsAreToldApartBeforeZero(t *testing.T) {
	var r Rate
	r.Mark(-1000)
	r.Mark(-900)
	if got := r.PerSecond(-900); !near(got, 1e7, 1e-12) {
		t.Errorf("two events 100 ns apart read %v", got)
	}
}

func TestRateFollowsAStepAfterTheRingHasWrapped(t *testing.T) {
	var r Rate
	feed(&r, 1000, 0, 20*second)
	last := feed(&r, 60, 20*second, 20*second+second/2)
	want := 0.0 // events within the window before its end, divided by the time since the event before them
	for i := range 1000 {
		if at := 19*second + clock.Instant(i)*second/1000; at > last-second {
			want++
		}
	}
	want += 30
	if got := r.PerSecond(last); !near(got, want, 0.02) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestRateAtTheEndOfTime(t *testing.T) {
	r := Rate{Window: time.Hour}
	const end = clock.Instant(math.MaxInt64)
	for i := clock.Instant(2000); i >= 0; i-- {
		r.Mark(end - i*second/2)
	}
	if got := r.PerSecond(end); !near(got, 2, 1e-9) {
		t.Errorf("2 Hz up to the last instant reads %v", got)
	}
}

func TestRateSurvivesClocksThatStepBack(t *testing.T) {
	var r Rate
	for i := range 1000 {
		at := clock.Instant(i) * second / 100
		if i%3 == 1 {
			at -= second / 20
		}
		r.Mark(at)
	}
	now := 999 * second / 100
	if got := r.PerSecond(now); got < 97 || got > 103 {
		t.Errorf("100 Hz with every third stamp 50 ms early: %v", got)
	}
	if a, b := r.PerSecond(now), r.PerSecond(now-5*second); a != b {
		t.Errorf("a reader behind the last event reads %v, not %v", b, a)
	}
}

func TestRateOfEqualStampsIsFinite(t *testing.T) {
	var r Rate
	for range 10_000 {
		r.Mark(7)
	}
	if got := r.PerSecond(7); got != 0 {
		t.Errorf("10000 events at one instant: %v", got)
	}
	if got := r.PerSecond(7 + second/2); !near(got, 2*9999, 1e-12) {
		t.Errorf("half a second after 10000 events at one instant: %v", got)
	}
}

func TestRateCountsEveryEventOfABurst(t *testing.T) {
	var r Rate
	feed(&r, 100, 0, second)
	for i := range 1_000_000 {
		r.Mark(second + clock.Instant(i)/1000) // a thousand a microsecond
	}
	if got := r.PerSecond(second + second/2); !near(got, 1_000_050, 0.02) {
		t.Errorf("a million events half a window ago: %v", got)
	}
}

// span returns the smallest and the largest rate by the documented formula if the edge of the window is uncertain by two steps
// and every event is kept.
func span(all []clock.Instant, now clock.Instant, window uint64) (lo, hi float64) {
	n := len(all)
	if n < 2 {
		return 0, 0
	}
	last := all[n-1]
	now = max(now, last)
	lo, hi = math.Inf(1), 0
	blur := 2*(window/steps+1) + 1
	for i := n - 2; i >= 0; i-- {
		age, newer := ahead(now, all[i]), ahead(now, all[i+1])
		if age < window && i > 0 {
			continue
		}
		if newer >= window+blur {
			break
		}
		k, d := float64(n-1-i), float64(ahead(last, all[i]))
		if ahead(all[i+1], all[i]) > window {
			cut := float64(age - window)
			k -= cut / float64(ahead(all[i+1], all[i]))
			d -= cut
		}
		if g := float64(ahead(now, last)); g > calm*d/k {
			d += g
		}
		v := 0.0
		if d > 0 {
			v = k / d * 1e9
		}
		lo, hi = min(lo, v), max(hi, v)
	}
	return lo, hi
}

func checkRate(t *testing.T, r *Rate, all []clock.Instant, now clock.Instant) {
	t.Helper()
	got := r.PerSecond(now)
	if math.IsNaN(got) || math.IsInf(got, 0) || got < 0 {
		t.Fatalf("PerSecond = %v", got)
	}
	if len(all) < 2 || now < all[len(all)-1] || ahead(now, all[len(all)-1]) >= r.window() {
		if limit := calm * 1e9 / float64(r.window()); len(all) > 1 && now >= all[len(all)-1] && got > limit*(1+1e-12) {
			t.Fatalf("%v after a window of silence of %d ns", got, r.window())
		}
		return
	}
	if lo, hi := span(all, now, r.window()); got < lo*(1-1e-9) || got > hi*(1+1e-9) {
		t.Fatalf("%v of %d events, want %v..%v", got, len(all), lo, hi)
	}
}

func TestRateAgreesWithAllEventsKept(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 7))
		r := Rate{Window: time.Duration(1 + rng.Int64N(int64(time.Second)))}
		scale := math.Pow(10, 3+rng.Float64()*6)
		var all []clock.Instant
		at := clock.Instant(rng.Int64())
		for i := range 3000 {
			switch rng.IntN(200) {
			case 0:
				at += clock.Instant(3 * r.Window)
			case 1, 2, 3:
			default:
				at += clock.Instant(rng.ExpFloat64() * scale)
			}
			r.Mark(at)
			all = append(all, at)
			if i%10 == 0 {
				checkRate(t, &r, all, at+clock.Instant(rng.ExpFloat64()*scale))
			}
		}
	}
}

// Sources slow enough to have a checkpoint for each event follow the formula to the last digit.
func TestRateOfSlowSourcesIsTheFormulaExactly(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	var r Rate
	var at clock.Instant
	var all []clock.Instant
	for range 5000 {
		at += second/steps + 1 + clock.Instant(rng.ExpFloat64()*2e7)
		r.Mark(at)
		all = append(all, at)
		now, i := at+clock.Instant(rng.Int64N(1e6)), len(all)-1
		for i > 0 && now-all[i] < second {
			i--
		}
		if i == len(all)-1 {
			continue
		}
		want := float64(len(all)-1-i) / float64(at-all[i]) * 1e9
		if got := r.PerSecond(now); !near(got, want, 1e-14) {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}

func FuzzRate(f *testing.F) {
	f.Add(int64(0), int64(0), []byte{1, 2, 3, 200, 0, 0, 255})
	f.Add(int64(math.MinInt64), int64(1), []byte{255, 255, 254, 1})
	f.Add(int64(math.MaxInt64-5), int64(math.MaxInt64), []byte{8, 9, 10})
	f.Add(int64(math.MaxInt64-93), int64(math.MaxInt64), append([]byte("\n0\x03\x19\t\a"), make([]byte, 2*slots)...))
	f.Fuzz(func(t *testing.T, start, window int64, data []byte) {
		r := Rate{Window: time.Duration(window)}
		at, all := clock.Instant(start), []clock.Instant(nil)
		for _, b := range data {
			stamp := at
			if step := clock.Instant(b&7) << (b >> 2); b == 255 { // backwards
				stamp = max(at, math.MinInt64+1<<40) - 1<<40
			} else if at <= math.MaxInt64-step {
				at += step
				stamp = at
			}
			r.Mark(stamp)
			if len(all) > 0 {
				stamp = max(stamp, all[len(all)-1])
			}
			all = append(all, stamp)
			checkRate(t, &r, all, at)
			r.PerSecond(math.MaxInt64)
		}
	})
}

func TestRateResetForgetsAllButTheWindow(t *testing.T) {
	used, fresh := Rate{Window: time.Second / 2}, Rate{Window: time.Second / 2}
	feed(&used, 3000, 0, second)
	used.Reset()
	if used.PerSecond(second) != 0 {
		t.Errorf("%v per second after Reset", used.PerSecond(second))
	}
	a, b := feed(&used, 300, 0, second), feed(&fresh, 300, 0, second)
	if a != b || used.PerSecond(a) != fresh.PerSecond(b) || used.PerSecond(a) == 0 {
		t.Errorf("%v per second after Reset, want %v", used.PerSecond(a), fresh.PerSecond(b))
	}
}

func TestRateAndMeanDoNotAllocate(t *testing.T) {
	var r Rate
	var m Mean
	var at clock.Instant
	for name, f := range map[string]func(){
		"Rate.Mark":      func() { at += 777; r.Mark(at) },
		"Rate.PerSecond": func() { r.PerSecond(at) },
		"Mean.Add":       func() { m.Add(3) },
		"Mean.Mean":      func() { m.Mean() },
		"Mean.Reset":     func() { m.Reset(); m.Add(3) },
		"Rate.Reset":     func() { r.Reset() },
	} {
		if n := testing.AllocsPerRun(1000, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

func BenchmarkRateMark(b *testing.B) {
	for _, gap := range []clock.Instant{100, 1e6, 16_666_667} {
		b.Run(fmt.Sprintf("every%v", time.Duration(gap)), func(b *testing.B) {
			var r Rate
			var at clock.Instant
			for b.Loop() {
				at += gap
				r.Mark(at)
			}
		})
	}
}

func BenchmarkRatePerSecond(b *testing.B) {
	var r Rate
	last := feed(&r, 10_000, 0, 2*second)
	for b.Loop() {
		r.PerSecond(last)
	}
}

func BenchmarkMeanAdd(b *testing.B) {
	var m Mean
	for b.Loop() {
		m.Add(5)
	}
}
