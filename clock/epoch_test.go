// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"sync"
	"sync/atomic"
	"testing"
)

func TestClockFollowsTheReferenceWithinNanoseconds(t *testing.T) {
	w := newWorld()
	d := disciplined(w)
	var last int64
	// The simulated reading is about 30 ns older than the truth that it is compared with, and the reference steps by 10 ns.
	for _, span := range []float64{0.02e9, 0.2e9, 2e9, 60e9, 300e9} {
		if worst := run(t, d, w, span, &last); worst > 60 {
			t.Errorf("after another %.2f s: off by %d ns", span/1e9, worst)
		}
	}
	if e := d.load(); e.strikes != 0 || e.mode != running {
		t.Errorf("a steady counter got %d strikes, mode %d", e.strikes, e.mode)
	}
	if e := d.load(); e.latest.ns-e.oldest.ns > longBaseline+2000*ms {
		t.Errorf("the baseline has grown to %d ns; a change of rate would never show", e.latest.ns-e.oldest.ns)
	}
}

func TestClockFollowsANewReferenceRate(t *testing.T) {
	w := newWorld()
	d := disciplined(w)
	var last int64
	run(t, d, w, 100e9, &last)
	w.drift = 100e-6                               // NTP slews by 100 ppm
	w.lag += int64(w.ns*(1+w.drift)) - int64(w.ns) // keep the reference continuous
	run(t, d, w, 120e9, &last)
	if worst := run(t, d, w, 10e9, &last); worst > 100 {
		t.Errorf("off by %d ns two minutes after the reference changed its rate", worst)
	}
	if e := d.load(); e.strikes != 0 {
		t.Errorf("slewing by NTP cost %d strikes", e.strikes)
	}
}

func TestClockSurvivesSuspend(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(w *world)
	}{
		{"counter ran on, reference stood", func(w *world) { w.pass(3600e9); w.lag += 3600_000 * ms }},
		{"counter stood, reference ran on", func(w *world) { w.ns += 3600e9 }},
		{"counter began at zero", func(w *world) { w.ticks = 1000; w.ns += 5e9 }},
		{"counter jumped ahead by 0.3 s", func(w *world) { w.ticks += 0.3 * w.hz }},
		{"counter changed its rate by a tenth", func(w *world) { w.hz *= 1.1 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			d := disciplined(w)
			var last int64
			run(t, d, w, 10e9, &last)
			c.do(w)
			run(t, d, w, 5e9, &last)
			if worst := run(t, d, w, 30e9, &last); worst > 100 {
				t.Errorf("still off by %d ns after 35 s", worst)
			}
			e := d.load()
			if e.mode != running {
				t.Errorf("gave the counter up after one event: %s", e.reason)
			}
			if e.steps == 0 {
				t.Error("the step went unnoticed")
			}
			run(t, d, w, 100e9, &last)
			if e := d.load(); e.strikes != 0 {
				t.Errorf("%d strikes are left after a quiet minute", e.strikes)
			}
		})
	}
}

func TestThreeStrikesEndTheCounter(t *testing.T) {
	w := newWorld()
	d := disciplined(w)
	var last int64
	run(t, d, w, 5e9, &last)
	tick := d.ticks()
	for range maxStrikes {
		w.ticks += 0.05 * w.hz
		run(t, d, w, 3e9, &last)
	}
	e := d.load()
	if e.mode != fallback || e.reason == "" {
		t.Fatalf("mode %d with reason %q after three strikes", e.mode, e.reason)
	}
	w.ticks = 0 // the counter no longer matters
	run(t, d, w, 10e9, &last)
	if now := d.ticks(); now <= tick {
		t.Error("ticks stepped back when the counter was given up")
	}
	before, ns := d.ticks(), w.ns
	w.sleep(1e9)
	if got := float64(d.ticks()-before) * d.rate(); got < 0.999*(w.ns-ns) || got > 1.001*(w.ns-ns) {
		t.Errorf("ticks without the counter measured %.0f ns of %.0f", got, w.ns-ns)
	}
}

func TestKernelsVerdictEndsTheCounterAtOnce(t *testing.T) {
	w := newWorld()
	d := disciplined(w)
	var last int64
	run(t, d, w, 5e9, &last)
	w.distrust = "the kernel uses clock source hpet"
	w.ticks += 0.05 * w.hz
	run(t, d, w, 5e9, &last)
	if e := d.load(); e.mode != fallback || e.reason != w.distrust {
		t.Errorf("mode %d, reason %q", e.mode, e.reason)
	}
}

func TestUntrustedCounterIsNeverUsed(t *testing.T) {
	w := newWorld()
	w.distrust = "no invariant counter"
	d := disciplined(w)
	var last int64
	run(t, d, w, 5e9, &last)
	if e := d.load(); e.mode != fallback || e.reason != w.distrust {
		t.Errorf("mode %d, reason %q", e.mode, e.reason)
	}
	if r := d.rate(); r != 1 {
		t.Errorf("a tick without a counter is %g ns, want 1", r)
	}
	if w.asked != 1 {
		t.Errorf("the kernel was asked %d times", w.asked)
	}
}

func TestReadingTicksAloneStartsTheClock(t *testing.T) {
	w := newWorld()
	d := disciplined(w)
	for range 200 {
		d.ticks()
		w.sleep(10_000)
	}
	if e := d.load(); e.mode != running {
		t.Errorf("2 ms of reading ticks left the clock in mode %d, on its slow path", e.mode)
	}
}

// Readings are of the reference until there is a line, which begins after them.
func TestTheFirstReadingsAreOfTheReference(t *testing.T) {
	w := newWorld()
	d := disciplined(w)
	d.now()
	for range 100 {
		before, first := w.ns, w.truth()
		if ns := d.now(); w.ns-before > 1000 || ns < first-w.grain || ns > w.truth() {
			t.Fatalf("a reading at %d that took %.0f ns is %d", first, w.ns-before, ns)
		}
	}
	for d.load().mode != running {
		d.now()
	}
	e := d.load()
	if lead := float64(e.base-e.latest.tick) * e.rate; lead < 50_000 || lead > 60_000 { // anchoring takes a few µs
		t.Errorf("the first line begins %.0f ns after its anchor", lead)
	}
}

func TestTheRateIsMeasuredBeforeAnyReading(t *testing.T) {
	w := newWorld()
	if got, want := disciplined(w).rate(), 1e9/w.hz; got < want*0.999 || got > want*1.001 || w.ns > 2*firstBaseline {
		t.Errorf("%g ns per tick after %.0f ns, want %g", got, w.ns, want)
	}
}

func TestACounterThatBeginsAnewUnderTheFirstLineIsNoticed(t *testing.T) {
	w := newWorld()
	d := disciplined(w)
	for d.load().mode != running {
		d.now()
	}
	w.ticks = 1000
	last := d.now()
	run(t, d, w, 1e9, &last)
	if e := d.load(); e.steps != 1 || e.strikes != 1 {
		t.Errorf("%d steps, %d strikes", e.steps, e.strikes)
	}
}

func TestStandingCounterFallsBack(t *testing.T) {
	w := newWorld()
	w.hz = 0
	d := disciplined(w)
	var last int64
	run(t, d, w, 1e9, &last)
	if e := d.load(); e.mode != fallback || e.reason == "" {
		t.Errorf("mode %d, reason %q", e.mode, e.reason)
	}
}

// scripted is hardware with a given duration of each bracket, half of it before the reference is read.
type scripted struct {
	world
	widths []uint64
	n      int // number of readings of the counter
	tick   uint64
}

func (*scripted) processor() int { return 0 }

func (s *scripted) counter() uint64 {
	if w := s.widths[min(s.n/2, len(s.widths)-1)]; s.n%2 == 1 {
		s.tick += w - w/2
	} else {
		s.tick += 1000
	}
	s.n++
	return s.tick
}

func (s *scripted) reference() int64 {
	s.tick += s.widths[min((s.n-1)/2, len(s.widths)-1)] / 2
	return int64(s.tick) * 10
}

func TestAnchorIsTheMeanOfTheTightestBrackets(t *testing.T) {
	for _, c := range []struct {
		widths []uint64
		want   anchor
	}{
		{[]uint64{100, 200, 40, 80}, anchor{tick: 3320, ns: 33_200, width: 40}},
		{[]uint64{100, 40, 80, 40, 200, 41}, anchor{tick: (2120 + 4240) / 2, ns: (21_200 + 42_400) / 2, width: 40}},
	} {
		s := &scripted{widths: c.widths}
		d := &discipline{cur: new(epoch), hw: s}
		if got := d.anchor(); got != c.want || s.n != 128 {
			t.Errorf("brackets of %v: %+v after %d readings, want %+v", c.widths, got, s.n, c.want)
		}
	}
}

// The clocks are compared before a line ends, so that the next begins where it ends.
func TestClocksAreComparedBeforeALineEnds(t *testing.T) {
	w := newWorld()
	d := disciplined(w)
	var last int64
	run(t, d, w, 1e9, &last)
	for range 5 {
		e := d.load()
		for d.load() == e {
			w.sleep(1e6)
			if past := int64(d.hw.counter() - e.base); past > int64(e.end-e.base) {
				t.Fatalf("%d ticks after its base the line that ends at %d is in use", past, e.end-e.base)
			}
			d.now()
		}
		if n := d.load(); n.base != e.end || n.before != e.line {
			t.Errorf("a line begins %d ticks after the end of the one before", int64(n.base-e.end))
		}
	}
}

func TestFirstLineWaitsForItsBaseline(t *testing.T) {
	w := newWorld()
	d := disciplined(w)
	begin := w.ns
	for d.load().mode != running {
		d.now()
	}
	if e := d.load(); e.latest.ns-e.oldest.ns < firstBaseline || w.ns-begin > 2*firstBaseline {
		t.Errorf("the first baseline is %d ns, after %.0f ns", e.latest.ns-e.oldest.ns, w.ns-begin)
	}
}

// Readers on many goroutines share one simulated machine, which passes through all epochs and a suspend. None may read an instant
// before one that another has published.
func TestReadersNeverSeeTimeStepBackAcrossGoroutines(t *testing.T) {
	w := newWorld()
	d := disciplined(w)
	var published atomic.Int64
	var wg sync.WaitGroup
	rounds := 20_000
	if testing.Short() {
		rounds = 2_000
	}
	for g := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range rounds {
				seen := published.Load()
				now := d.now()
				if now < seen {
					t.Errorf("read %d after %d was published", now, seen)
					return
				}
				for old := published.Load(); now > old && !published.CompareAndSwap(old, now); old = published.Load() {
				}
				if g == 0 {
					w.sleep(3e5)
					if i == rounds/2 {
						w.sleep(20e9)
					}
				}
			}
		}()
	}
	wg.Wait()
	if e := d.load(); e.mode != running {
		t.Errorf("mode %d: %s", e.mode, e.reason)
	}
}

func TestLineIsExactOverItsWholeRange(t *testing.T) {
	l := line{base: 1 << 63, mult: fixed(1 / 2.596138199), off: -5}
	for _, ticks := range []uint64{0, 1, 26, 1 << 31, 1 << 33, 1 << 40, 1 << 50} {
		want := -5 + int64(float64(ticks)*l.slope())
		if got := l.at(l.base + ticks); got-want > 1 || want-got > 1 {
			t.Errorf("%d ticks: %d ns, want %d", ticks, got, want)
		}
	}
	if got := (line{base: ^uint64(0) - 5, mult: 1 << 32}).at(10); got != 16 {
		t.Errorf("across the wrap of the counter: %d, want 16", got)
	}
}
