// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"strings"
	"testing"

	"github.com/strobe-go/strobe/internal/race"
)

// hopping reads the clock for span ns, a few times on one of some processors, then on another, at once. It ends if the counter is given
// up, and returns how far back time stepped at most.
func hopping(d *discipline, w *world, processors int, span float64) (back int64) {
	last := int64(0)
	for end := w.ns + span; w.ns < end && d.load().mode != fallback; {
		w.core = w.noise.IntN(processors)
		for range 5 {
			now := d.now()
			back, last = max(back, last-now), now
			w.sleep(2e6)
		}
		last = d.now()
	}
	return back
}

func TestCountersThatDifferByMicrosecondsAreFound(t *testing.T) {
	for _, processors := range []int{2, 4, 8} {
		for _, ns := range []float64{1e3, -1e3, 3e3, 10e3, -10e3} {
			for seed := range seeds(10) {
				w := seeded(seed)
				w.skew = ns * w.hz / 1e9
				d := disciplined(w)
				begin := w.ns
				hopping(d, w, processors, 180e9)
				if e := d.load(); e.mode != fallback || !strings.Contains(e.reason, "the counters of the processors differ") {
					t.Errorf("%d processors, %v ns, seed %d: after %.0f s mode %d, %+v, %d flips, %q", processors, ns, seed, (w.ns-begin)/1e9, e.mode, e.apart, e.flips, e.reason)
				}
			}
		}
	}
}

// The limit that is documented: a step back of more than a microsecond does not last.
func TestCountersThatDifferByLessAreNotFoundAndCostNoMore(t *testing.T) {
	const ns = apartLimit
	for seed := range seeds(10) {
		w := seeded(seed)
		w.skew = ns * w.hz / 1e9
		d := disciplined(w)
		back := hopping(d, w, 2, 300e9)
		if e := d.load(); e.mode != running || e.strikes != 0 || back < ns/2 || back > 2*ns {
			t.Errorf("seed %d: mode %d, %d strikes, %q; %d ns back", seed, e.mode, e.strikes, e.reason, back)
		}
	}
}

func TestAReferenceThatChangesItsRateIsNotTakenForProcessorsThatDiffer(t *testing.T) {
	for _, c := range []struct {
		processors int
		every      float64 // ns from one change of the rate to the next
		size       float64 // of the changes
	}{
		{2, 0.9e9, 0.2e-6}, {4, 0.3e9, 1e-6}, {16, 0.9e9, 1e-6}, {2, 10e9, 1e-6}, {4, 2e9, 5e-6}, {16, 0.9e9, 5e-6}, {2, 10e9, 50e-6},
	} {
		if race.Enabled && c.processors > 2 { // one goroutine
			continue
		}
		for seed := range seeds(15) {
			w := seeded(seed)
			d := disciplined(w)
			hopping(d, w, c.processors, 60e9)
			for i := range 200 {
				drift := w.drift
				switch seed % 3 {
				case 0:
					w.drift = (w.noise.Float64() - 0.5) * 2 * c.size
				case 1: // in turns
					w.drift = c.size * float64(i%2*2-1)
				default:
					w.drift = c.size * float64(w.noise.IntN(3)-1)
				}
				w.lag += int64(w.ns*(1+w.drift)) - int64(w.ns*(1+drift))
				hopping(d, w, c.processors, c.every)
			}
			if e := d.load(); e.mode != running || e.apart.agreed > enoughPart/2 {
				t.Errorf("%+v, seed %d: mode %d, %d agree, %q", c, seed, e.mode, e.apart.agreed, e.reason)
			}
		}
	}
}

func TestOnlyChangesThatAgreeProveThatProcessorsDiffer(t *testing.T) {
	type step struct {
		from, to int
		shift    int64
	}
	there, back, stay := step{1, 2, 2000}, step{2, 1, -2000}, step{1, 1, 50}
	for name, c := range map[string]struct {
		steps         []step
		agreed, quiet int
	}{
		"in turns":                    {[]step{there, back, there, back, stay}, 3, 1},
		"the first is not compared":   {[]step{there}, 0, 0},
		"by nearly as much":           {[]step{there, {2, 1, -2400}, {1, 2, 1900}}, 2, 0},
		"by another amount":           {[]step{there, back, stay, {1, 2, 5000}}, 0, 0},
		"in the wrong direction":      {[]step{there, back, stay, {2, 1, 2000}}, 0, 0},
		"a quiet change of a pair":    {[]step{there, back, stay, {1, 2, 0}}, 0, 0},
		"small, and then a bit more":  {[]step{{1, 2, 550}, {2, 1, -650}, {1, 2, 590}}, 0, 0},
		"only small":                  {[]step{{1, 2, 100}, {2, 1, -100}, stay}, 0, 1},
		"a loud anchor where it was":  {[]step{there, back, stay, {2, 2, 900}, there}, 0, 0},
		"where one is unknown":        {[]step{there, {0, 2, 5000}, {2, 0, 900}, {0, 0, 900}, back}, 1, 0},
		"of several pairs":            {[]step{there, {2, 3, 1000}, {3, 1, -3000}, {1, 3, 3100}, {3, 2, -1000}, back}, 3, 0},
		"more pairs than can be kept": {[]step{there, {2, 3, 1000}, {3, 4, 1000}, {4, 5, 1000}, {5, 6, 1000}, there}, 0, 0},
	} {
		var a apart
		for _, s := range c.steps {
			a.add(s.from, s.to, s.shift, 100)
		}
		if a.agreed != c.agreed || a.quiet != c.quiet {
			t.Errorf("%s: %d agree, %d quiet, want %d and %d", name, a.agreed, a.quiet, c.agreed, c.quiet)
		}
	}
	for _, c := range []struct {
		agreed, quiet int
		proved        bool
	}{{enoughPart, enoughPart, true}, {enoughPart - 1, 100, false}, {100, enoughPart - 1, false}} {
		e := epoch{apart: apart{agreed: c.agreed, quiet: c.quiet, shift: -3000}}
		if got := e.verdict(); (got == "the counters of the processors differ by 3.000 us" || got == "the counters of the processors differ by 3 µs") != c.proved {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
