// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"fmt"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/internal/race"
)

// burst reads the clock every step ns or so for span ns, and fails if it steps back. It returns the largest error.
func burst(t *testing.T, d *discipline, w *world, span, step float64, last *int64) (worst int64) {
	t.Helper()
	for end := w.ns + span; w.ns < end; w.sleep(w.noise.ExpFloat64() * step) {
		got := d.now()
		if got < *last {
			t.Fatalf("at %.6f s: stepped back by %d ns", w.ns/1e9, *last-got)
		}
		*last = got
		worst = max(worst, magnitude(got-w.truth()))
	}
	return worst
}

// seeds returns how many simulations to run: n, or a few.
func seeds(n uint64) uint64 {
	switch {
	case race.Enabled: // these tests have one goroutine
		return min(n, 1)
	case testing.Short():
		return min(n, 5)
	}
	return n
}

func TestGoodCounterIsKeptInProgramsThatReadRarely(t *testing.T) {
	for _, c := range []struct{ long, every float64 }{ // ns of reading, and from one burst to the next
		{1.5e6, 240e9}, {5e6, 600e9}, {1e5, 10e9}, {20e6, 30e9}, {2e6, 3600e9}, {200e6, 120e9}, {1, 60e9},
	} {
		t.Run(fmt.Sprintf("%v ms every %v s", c.long/1e6, c.every/1e9), func(t *testing.T) {
			for seed := range seeds(50) {
				w := seeded(seed)
				d := disciplined(w)
				var last int64
				for i := range 20 {
					worst := burst(t, d, w, c.long, c.long/500, &last)
					if i > 2 && worst > 200 {
						t.Fatalf("seed %d, burst %d: off by %d ns", seed, i, worst)
					}
					w.sleep(c.every - c.long)
				}
				if e := d.load(); e.mode != running || e.strikes != 0 || e.steps != 0 {
					t.Fatalf("seed %d: mode %d, %d strikes, %d steps, %s", seed, e.mode, e.strikes, e.steps, e.reason)
				}
			}
		})
	}
}

func TestBadCounterIsGivenUp(t *testing.T) {
	for _, c := range []struct {
		name        string
		long, every float64
		between     func(w *world, idle float64)
	}{
		{"stands still in idle, read rarely", 20e6, 240e9, func(w *world, idle float64) { w.ns += idle }},
		{"runs at half speed in idle, read rarely", 5e6, 60e9, func(w *world, idle float64) { w.ns += idle / 2; w.pass(idle / 2) }},
		{"starts at zero after idle", 5e6, 60e9, func(w *world, idle float64) { w.ticks = 1000; w.ns += idle }},
		{"changes its rate and jumps", 3e9, 3e9, func(w *world, _ float64) {
			w.hz *= 0.9 + 0.2*w.noise.Float64()
			w.ticks += w.hz * 0.01 * w.noise.Float64()
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range seeds(20) {
				w := seeded(seed)
				d := disciplined(w)
				var last int64
				for range 6 {
					burst(t, d, w, c.long, c.long/500, &last)
					c.between(w, c.every-c.long)
				}
				burst(t, d, w, c.long, c.long/500, &last)
				if worst := burst(t, d, w, c.long, c.long/500, &last); worst > 100 {
					t.Errorf("seed %d: off by %d ns", seed, worst)
				}
				if e := d.load(); e.mode != fallback || e.strikes < maxStrikes || e.reason == "" {
					t.Errorf("seed %d: mode %d, %d strikes, %q", seed, e.mode, e.strikes, e.reason)
				}
			}
		})
	}
}

// A processor whose counter is off cannot be detected directly, but the anchors taken on it jump forwards and back.
func TestCounterThatDiffersBetweenProcessorsIsGivenUp(t *testing.T) {
	for _, ns := range []float64{-100e3, 100e3, 30e3, 500e3, 5e6} {
		for seed := range seeds(10) {
			w := seeded(seed)
			w.skew = ns * w.hz / 1e9
			d := disciplined(w)
			for begin := w.ns; w.ns < begin+60e9 && d.load().mode != fallback; {
				w.core = w.noise.IntN(2)
				for range 5 {
					d.now()
					w.sleep(2e6)
				}
			}
			if e := d.load(); e.mode != fallback || e.strikes == 0 && !strings.Contains(e.reason, "processors differ") {
				t.Errorf("%v ns, seed %d: mode %d, %d strikes, %d flips, %q", ns, seed, e.mode, e.strikes, e.flips, e.reason)
			}
		}
	}
}

func TestServoOfTheReferenceIsNoFault(t *testing.T) {
	for seed := range seeds(10) {
		w := seeded(seed)
		d := disciplined(w)
		var last int64
		run(t, d, w, 100e9, &last)
		for range 40 { // NTP slews in alternating directions, less each time
			drift := w.drift
			w.drift = (w.noise.Float64() - 0.5) * 200e-6
			w.lag += int64(w.ns*(1+w.drift)) - int64(w.ns*(1+drift))
			run(t, d, w, 32e9, &last)
		}
		if e := d.load(); e.mode != running || e.strikes != 0 {
			t.Errorf("seed %d: mode %d, %d strikes, %d flips, %q", seed, e.mode, e.strikes, e.flips, e.reason)
		}
	}
}

func TestKernelsVerdictIsSeenWithoutAJump(t *testing.T) {
	w := newWorld()
	d := disciplined(w)
	var last int64
	run(t, d, w, 100e9, &last)
	asked := w.asked
	if asked < 100e9/verifyAfter/2 || asked > 100e9/verifyAfter+2 {
		t.Errorf("the kernel was asked %d times in 100 s", asked)
	}
	w.distrust = "the kernel uses clock source hpet"
	run(t, d, w, 2*verifyAfter, &last)
	if e := d.load(); e.mode != fallback || e.reason != w.distrust || e.strikes != 0 {
		t.Errorf("mode %d, %d strikes, reason %q", e.mode, e.strikes, e.reason)
	}
}

func TestWideBracketsCountOnlyIfTheyDisproveTheLine(t *testing.T) {
	w := newWorld()
	d := disciplined(w)
	var last int64
	run(t, d, w, 30e9, &last)
	w.delay = 40_000 // every reading of the reference takes 40 us, nearly all of it after the reading itself
	if worst := run(t, d, w, 30e9, &last); worst > 60 {
		t.Errorf("off by %d ns while brackets are 40 us wide", worst)
	}
	w.lag -= 500_000 // the reference jumps ahead by more than the width of the brackets
	if worst := run(t, d, w, 30e9, &last); worst > 45_000 {
		t.Errorf("off by %d ns: a wide bracket proved the line wrong and was not heard", worst)
	}
	w.delay = 0
	if worst := run(t, d, w, 120e9, &last); worst > 60 {
		t.Errorf("off by %d ns once brackets are narrow again", worst)
	}
	if e := d.load(); e.mode != running {
		t.Errorf("mode %d: %s", e.mode, e.reason)
	}
}

func TestWideBracketsAtTheStartWaitForALongerBaseline(t *testing.T) {
	w := newWorld()
	w.delay = 100_000
	d := disciplined(w)
	var last int64
	burst(t, d, w, 1e9, 1e5, &last)
	e := d.load()
	if rate := 1e9 / w.hz; e.mode != running || e.rate < rate*0.999 || e.rate > rate*1.001 {
		t.Errorf("mode %d, rate %g, want %g", e.mode, e.rate, rate)
	}
	if span := e.latest.ns - e.oldest.ns; span < 90*ms {
		t.Errorf("the first baseline was %d ns long", span)
	}
}

// However often a program reads the clock, it has a baseline of 10 ms after 10 ms.
func TestStartIsTheSameHoweverOftenAProgramReads(t *testing.T) {
	for _, step := range []float64{0, 100, 1e3, 1e4, 1e5, 1e6, 5e6} {
		var worst int64
		for seed := range seeds(80) {
			w := seeded(seed)
			d := disciplined(w)
			var last int64
			worst = max(worst, burst(t, d, w, 12e6, step, &last))
			if e := d.load(); e.mode == running && step <= 1e5 && e.latest.ns-e.oldest.ns < 9*ms {
				t.Errorf("every %v ns, seed %d: a baseline of %d ns after 12 ms", step, seed, e.latest.ns-e.oldest.ns)
			}
			if step == 0 { // that would be two million readings in 100 ms
				step = 50e3
				worst = max(worst, burst(t, d, w, 150e6, step, &last))
				step = 0
				continue
			}
			worst = max(worst, burst(t, d, w, 300e6, max(step, 5e3), &last))
		}
		if worst > 82 {
			t.Errorf("every %v ns: off by %d ns in the first 0.3 s", step, worst)
		}
	}
}
