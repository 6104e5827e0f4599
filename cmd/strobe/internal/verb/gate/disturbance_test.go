// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
	"github.com/strobe-go/strobe/internal/race"
	"github.com/strobe-go/strobe/stat/decide"
)

func TestRoundsThatWaitedAreSetApartButNeverHalf(t *testing.T) {
	for name, c := range map[string]struct {
		waited []float64
		want   string
	}{
		"quiet":          {[]float64{0, 0.01, 0.04, 0.02, 0.049}, "....."},
		"some disturbed": {[]float64{0.01, 0.3, 0.01, 0.02, 0.4, 0.02}, ".x..x."},
		"first":          {[]float64{0.5, 0.5, 0.5, 0.01}, "...."},
		"always alike":   {[]float64{0.3, 0.35, 0.32, 0.4, 0.31}, "....."},
		"ever more":      {[]float64{0.06, 0.13, 0.27, 0.6, 0.9}, ".x.x."},
		"half":           {[]float64{0, 0.9, 0, 0.9, 0, 0.9, 0.9, 0.9}, ".x.x.x.."},
	} {
		var q quietRule
		var got strings.Builder
		for i, w := range c.waited {
			first, second := w, w/2
			if i%2 == 0 {
				first, second = second, first
			}
			if q.setsApart(first, second) {
				got.WriteByte('x')
			} else {
				got.WriteByte('.')
			}
			if 2*q.apart > i+1 {
				t.Errorf("%s: %d of %d are apart", name, q.apart, i+1)
			}
		}
		if got.String() != c.want {
			t.Errorf("%s: %s, want %s", name, got.String(), c.want)
		}
	}
}

// disturbedFamily runs a gate whose new side costs ratio times as much, on a machine where some rounds are disturbed: the run that
// waits costs more, and the new side waits more often when its runs are longer. It reports the outcome and how many rounds counted.
func disturbedFamily(seed uint64, ratio, limit, level float64, rounds int, apart bool) (o decide.Outcome, counted int) {
	rng := rand.New(rand.NewPCG(seed, 1))
	order := bench.NewOrder(2, seed)
	f := bench.NewFamily(level, bench.Member{Limit: limit})
	var q quietRule
	for range rounds {
		var cost, waited [2]float64
		for place, side := range order.Next() {
			length := 1.0
			if side == newSide {
				length = ratio
			}
			waited[side] = 0.01 * rng.Float64()
			if rng.Float64() < 0.25*length { // in proportion to its length
				waited[side] = min(0.9, 0.1*rng.ExpFloat64()+0.02)
			}
			cost[side] = length * math.Exp(0.01*rng.NormFloat64()+0.02*float64(place)) / (1 - waited[side]) // the second run costs more
		}
		if apart && q.setsApart(waited[oldSide], waited[newSide]) {
			continue
		}
		counted++
		f.Add(0, cost[oldSide], cost[newSide], order.Before(oldSide, newSide))
		if f.Outcome(0) != decide.Undecided {
			break
		}
	}
	f.Finish()
	return f.Outcome(0), counted
}

// At the limit, both failing and passing are errors. Setting rounds apart must not make either more frequent than allowed, and
// must detect more differences.
func TestTheLevelHoldsWithDisturbedRoundsSetApart(t *testing.T) {
	race.Sequential(t)
	const level, limit, trials = 0.9, 0.05, 600
	var failed, passed, found, without int
	for seed := range uint64(trials) {
		switch o, _ := disturbedFamily(seed, 1+limit, limit, level, 60, true); o {
		case decide.Failed:
			failed++
		case decide.Passed:
			passed++
		}
		if o, _ := disturbedFamily(seed, 1.09, limit, level, 24, true); o == decide.Failed {
			found++
		}
		if o, _ := disturbedFamily(seed, 1.09, limit, level, 24, false); o == decide.Failed {
			without++
		}
	}
	most := trials * (1 - level + 3*math.Sqrt(level*(1-level)/trials))
	t.Logf("at the limit %.1f %% fail and %.1f %% pass; of a larger slowdown %.0f %% are found, %.0f %% without setting rounds apart",
		100*float64(failed)/trials, 100*float64(passed)/trials, 100*float64(found)/trials, 100*float64(without)/trials)
	if float64(failed) > most || float64(passed) > most {
		t.Errorf("at the limit %d of %d fail and %d pass, which may be %.0f each", failed, trials, passed, most)
	}
	if found <= without {
		t.Errorf("%d of %d slowdowns are found, %d without setting rounds apart", found, trials, without)
	}
}

// This enumerates all orders: the waiting times of a round belong to its first and second run, not to a side, so the same rounds
// count in any order.
func TestWhichRoundsCountDoesNotDependOnTheOrder(t *testing.T) {
	race.Sequential(t)
	rng := rand.New(rand.NewPCG(3, 3))
	var first, second [12]float64
	for i := range first {
		first[i], second[i] = rng.ExpFloat64()/10, rng.ExpFloat64()/20
	}
	var want [12]bool
	for coins := range 1 << len(first) {
		var q quietRule
		for i := range first {
			sides := [2]float64{first[i], second[i]}
			if coins>>i&1 == 1 {
				sides = [2]float64{second[i], first[i]}
			}
			apart := q.setsApart(sides[oldSide], sides[newSide])
			if coins == 0 {
				want[i] = apart
			} else if apart != want[i] {
				t.Fatalf("order %b, round %d: %v", coins, i, apart)
			}
		}
	}
}

func TestWhatIsUnknownIsNotZero(t *testing.T) {
	run := command.Run{}
	if d := disturbanceOf(&run); d.known || d.switches {
		t.Errorf("%+v", d)
	}
	run.Queued, run.Stolen, run.Known.Queued, run.Known.Stolen = 0.2, 0.5, true, true
	if d := disturbanceOf(&run); !d.known || math.Abs(d.waited-0.6) > 1e-9 {
		t.Errorf("%+v", d)
	}
	known, unknown := disturbance{known: true, waited: 0.3, preempted: 4, switches: true}, disturbance{}
	for _, c := range []struct {
		rounds, disturbed []round
		text              string
		waited            bool
	}{
		{[]round{{}, {}}, nil, "is unknown", false},
		{[]round{{runs: [2]disturbance{known, known}}, {}}, nil, "waited for a processor for 30 % of the time, so that none stands out as disturbed", true},
		{[]round{{runs: [2]disturbance{known, unknown}}, {runs: [2]disturbance{known, known}}}, []round{{runs: [2]disturbance{known, {known: true, waited: 0.5}}}},
			"1 of 3 rounds were disturbed: they waited for a processor for 50 % of the time; they are not counted", true},
	} {
		b := &benchmark{series: series{rounds: c.rounds, disturbed: c.disturbed}}
		r := &report{m: &measurement{flags: &Flags{By: "wall"}, all: []*benchmark{b}}}
		if got := r.disturbed(); (got == "") != (c.text == "") || !strings.Contains(got, c.text) {
			t.Errorf("%q, want %q", got, c.text)
		}
		share, preempted := b.waiting()
		if (share != nil) != c.waited || (preempted != nil) != c.waited || c.waited && (*share != 0.3 || *preempted != 4) {
			t.Errorf("%v, %v", share, preempted)
		}
	}
}
