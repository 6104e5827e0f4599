// SPDX-License-Identifier: BSD-3-Clause

package neighbour

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/stat"
)

const us = time.Microsecond

func TestASpinIsJudgedByTheFastestSoFar(t *testing.T) {
	var w Watch
	if w.Add(0) != Unknown || w.Add(-us) != Unknown || w.Fastest() != 0 {
		t.Error("a time that is not above zero was judged")
	}
	for _, c := range []struct {
		took time.Duration
		want State
	}{{100 * us, Alone}, {129 * us, Alone}, {130 * us, Shared}, {250 * us, Shared}, {400 * us, Away}, {50 * us, Alone}, {100 * us, Shared}, {200 * us, Away}, {time.Hour, Away}} {
		if got := w.Add(c.took); got != c.want {
			t.Errorf("%v beside %v: %v, want %v", c.took, w.Fastest(), got, c.want)
		}
	}
	if w.Fastest() != 50*us {
		t.Errorf("the fastest is %v", w.Fastest())
	}
}

// played adds n spins of a core that is alone for a share of the time, in runs of several spins.
func played(w *Watch, n int, alone, away float64, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	is := rng.Float64() < alone
	for range n {
		if rng.Float64() < 0.05 {
			is = rng.Float64() < alone
		}
		took := 5000 + rng.IntN(100)
		if !is {
			took += 5000 + rng.IntN(1000)
		}
		if rng.Float64() < away {
			took += 1e6
		}
		w.Add(time.Duration(took))
	}
}

func TestTheShareIsThatOfTheTimeAndHasAnInterval(t *testing.T) {
	for _, alone := range []float64{0.1, 0.5, 0.9} {
		missed := 0
		for seed := range uint64(40) {
			var w Watch
			played(&w, 20_000, alone, 0.02, seed)
			r := w.Report()
			if !r.Share.Bounded() || r.Share.Lo < 0 || r.Share.Hi > 1 || r.Spins != 20_000 {
				t.Fatalf("%+v", r)
			}
			if 1-alone < r.Share.Lo || 1-alone > r.Share.Hi {
				missed++
			}
			if math.Abs(r.Factor-2.2) > 0.05 || math.Abs(r.Away-0.02) > 0.01 {
				t.Fatalf("%.3f times, away in %.3f", r.Factor, r.Away)
			}
			if seen, ok := r.Seen(); !seen || !ok {
				t.Fatalf("%+v", r)
			}
		}
		if missed > 8 { // of intervals of 95 %
			t.Errorf("alone for %v of the time: %d of 40 intervals miss that", alone, missed)
		}
	}
}

func TestWhatCannotBeToldHasAReason(t *testing.T) {
	for want, c := range map[string]struct{ n, away int }{
		"only 0 looks":  {},
		"only 99 looks": {99, 0},
		"too busy: the thread lost its processor in 60 % of the looks": {200, 120},
	} {
		var w Watch
		for i := range c.n {
			took := 5 * us
			if i < c.away {
				took = time.Millisecond
			}
			w.Add(took)
		}
		r := w.Report()
		if _, ok := r.Seen(); ok || r.Share.Known() || !strings.Contains(r.String(), "cannot be told") || !strings.Contains(r.String(), want) {
			t.Errorf("%d spins, %d away: %v", c.n, c.away, r)
		}
	}
}

func TestACoreThatIsAloneIsSaidToBe(t *testing.T) {
	var w Watch
	played(&w, 1000, 1, 0, 1)
	r := w.Report()
	if seen, ok := r.Seen(); seen || !ok || r.Factor != 0 || r.String() != "nothing else was seen to use this core for long" {
		t.Errorf("%+v: %v", r, r)
	}
}

func TestAShareThatMayBeNothingIsNotSeen(t *testing.T) {
	for want, share := range map[bool]stat.Interval{
		true:  {Center: 0.02, Lo: 0.001, Hi: 0.1, Level: 0.95, N: 1000},
		false: {Center: 0.3, Lo: 0, Hi: 0.8, Level: 0.95, N: 1000},
	} {
		if seen, ok := (Report{Spins: 1000, Share: share}).Seen(); seen != want || !ok {
			t.Errorf("%v: %v, %v", share, seen, ok)
		}
	}
	if seen, ok := (Report{Spins: 1000, Share: stat.Interval{Center: 0.019, Lo: 0.01, Hi: 0.03, Level: 0.95, N: 1000}}).Seen(); seen || !ok {
		t.Error("a share that is negligible was seen")
	}
}

func TestTheReportNamesWhoItCanBe(t *testing.T) {
	const costs, anyone = " shares this core 63 ± 8 % of the time, which costs up to 2.4x", "something else (a program on another processor, another machine, or a lower frequency)"
	r := Report{Spins: 1000, Share: stat.Interval{Center: 0.63, Lo: 0.55, Hi: 0.71, Level: 0.95, N: 1000}, Factor: 2.38}
	for _, c := range []struct {
		busy    stat.Interval
		virtual bool
		want    string
	}{
		{stat.Point(0.01, 10, "count", ""), true, "another machine"},
		{stat.Point(0.4, 10, "count", ""), true, anyone},
		{stat.Point(0.01, 10, "count", ""), false, anyone},
		{stat.Unknown("none"), true, anyone},
	} {
		r.Busy, r.Virtual = c.busy, c.virtual
		if got := r.String(); got != c.want+costs {
			t.Errorf("%q, want %q", got, c.want+costs)
		}
	}
}

func TestAWatchKeepsTheLatestSpins(t *testing.T) {
	var w Watch
	for range most {
		w.Add(10 * us)
	}
	for range most / 2 {
		w.Add(20 * us)
	}
	r := w.Report()
	if len(w.took) != most || r.Spins != most || math.Abs(r.Share.Center-0.5) > 1e-9 {
		t.Errorf("%d spins, %v", r.Spins, r.Share)
	}
}

func TestASpinTakesTimeAndAllocatesNothing(t *testing.T) {
	if took := Spin(); took <= 0 {
		t.Errorf("%v", took)
	}
	var w Watch
	w.Look()
	w.took = make([]time.Duration, 0, 1000)
	if n := testing.AllocsPerRun(100, func() { w.Look() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if a, b := work(turns), work(turns+1); a == b {
		t.Error("the work does not depend on its turns")
	}
}

func BenchmarkSpin(b *testing.B) {
	for b.Loop() {
		Spin()
	}
}

func BenchmarkLook(b *testing.B) {
	var w Watch
	for b.Loop() {
		w.Look()
	}
}
