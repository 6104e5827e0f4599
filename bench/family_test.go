// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/stat/decide"
)

// simulateFamily runs a family whose members have these ratios, on machines of one kind. Members that are undecided get rounds in
// turn, up to the given number.
func simulateFamily(seed uint64, m machine, level, limit float64, rounds int, ratios ...float64) *Family {
	members := make([]Member, len(ratios))
	machines := make([]func() float64, len(ratios))
	for i := range ratios {
		members[i] = Member{Base: "old", Other: "new", Limit: limit}
		machines[i] = m(rand.New(rand.NewPCG(seed, uint64(i)+1)))
	}
	f, order := NewFamily(level, members...), NewOrder(2, seed)
	for range rounds {
		for i, ratio := range ratios {
			if f.Outcome(i) != decide.Undecided {
				continue
			}
			var cost [2]float64
			for _, side := range order.Next() {
				cost[side] = machines[i]()
			}
			f.Add(i, cost[0], cost[1]*ratio, order.Before(0, 1))
		}
	}
	f.Finish()
	return f
}

// count returns how many members from the given one on have an outcome.
func (f *Family) count(from int, o decide.Outcome) (n int) {
	for i := range f.members[from:] {
		if f.Outcome(from+i) == o {
			n++
		}
	}
	return n
}

func alike(ratio float64, n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = ratio
	}
	return all
}

// False alarms are most likely for members exactly at the limit. The last two families have members that truly fail, and so pass
// on their share of the error to the others.
func TestTheLevelOfFailingHoldsForTheFamily(t *testing.T) {
	const level, limit = 0.9, 0.05
	trials := scaledTrials(320)
	for name, m := range noises {
		for truly, ratios := range map[int][]float64{0: alike(1.05, 8), 1: append([]float64{1.5}, alike(1.05, 5)...), 4: append(alike(1.5, 4), alike(1.05, 2)...)} {
			wrong := 0
			for seed := range uint64(trials) {
				if simulateFamily(seed, m, level, limit, 60, ratios...).count(truly, decide.Failed) > 0 {
					wrong++
				}
			}
			t.Logf("%s noise, %d of %d members truly slower: %.1f %% have a false alarm", name, truly, len(ratios), 100*float64(wrong)/float64(trials))
			if most := float64(trials) * (1 - level + 3*math.Sqrt(level*(1-level)/float64(trials))); float64(wrong) > most {
				t.Errorf("%s noise, %d of %d members truly slower: %d of %d families have a false alarm", name, truly, len(ratios), wrong, trials)
			}
		}
	}
}

// Passing is wrong if any member is slower than allowed. Here one is, by very little.
func TestTheLevelOfPassingHoldsForEachMember(t *testing.T) {
	const level, limit = 0.9, 0.05
	trials := scaledTrials(320)
	for name, m := range noises {
		wrong := 0
		for seed := range uint64(trials) {
			if simulateFamily(seed, m, level, limit, 60, 1.0501, 1, 1).count(0, decide.Passed) == 3 {
				wrong++
			}
		}
		if most := float64(trials) * (1 - level + 3*math.Sqrt(level*(1-level)/float64(trials))); float64(wrong) > most {
			t.Errorf("%s noise: %d of %d families pass that must not", name, wrong, trials)
		}
	}
}

// This enumerates the possible orders of the rounds of a first look, for arbitrary costs: at the limit a member fails in at most
// its share of them.
func TestTheFirstLookHoldsItsLevelForAllOrders(t *testing.T) {
	const level, limit = 0.6, 0.05
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 5))
		var one, two [firstLook]float64
		for i := range one {
			one[i], two[i] = math.Exp(rng.NormFloat64()*rng.ExpFloat64()), 1.3*math.Exp(rng.NormFloat64()) // the second one costs more
		}
		failed, passed, all := 0, 0, 1<<firstLook
		for coins := range all {
			f := NewFamily(level, Member{Limit: limit})
			for i := range one {
				if baseFirst := coins>>i&1 == 0; baseFirst {
					f.Add(0, one[i], two[i]*(1+limit), true)
				} else {
					f.Add(0, two[i], one[i]*(1+limit), false)
				}
			}
			switch f.Outcome(0) {
			case decide.Failed:
				failed++
			case decide.Passed:
				passed++
			}
		}
		share := (1 - level) * 0.25
		if most := share * float64(all); float64(failed) > most || float64(passed) > most || failed == 0 || passed == 0 {
			t.Errorf("of %d orders %d fail and %d pass, which may be %g each", all, failed, passed, most)
		}
	}
}

func TestAllLooksTogetherSpendTheError(t *testing.T) {
	f := NewFamily(0.99, Member{Limit: 0.05})
	rng := rand.New(rand.NewPCG(1, 1))
	for range 5000 { // at the limit, so that nothing is decided
		f.Add(0, 1, 1.05*math.Exp(0.1*rng.NormFloat64()), rng.IntN(2) == 0)
	}
	f.Finish()
	sum := 0.0
	for _, l := range f.members[0].looks {
		sum += l.share
	}
	if f.Outcome(0) != decide.Undecided || sum > 1 || sum < 0.95 || len(f.members[0].looks) < 15 {
		t.Errorf("%v after %d looks with %v of the error", f.Outcome(0), len(f.members[0].looks), sum)
	}
}

// One of twenty members is ten percent slower. It is found, and the others pass, each at the full level.
func TestASlowMemberIsFoundAndTheOthersPass(t *testing.T) {
	trials := scaledTrials(40)
	found, passed := 0, 0
	for seed := range uint64(trials) {
		f := simulateFamily(seed, noises["independent"], 0.99, 0.05, 300, append([]float64{1.1}, alike(1, 19)...)...)
		found += f.count(0, decide.Failed)
		passed += f.count(1, decide.Passed)
	}
	if found < trials*9/10 || passed < trials*19*9/10 {
		t.Errorf("found in %d of %d families, %d of %d others passed", found, trials, passed, 19*trials)
	}
}

func TestTheGateOfAComparisonIsTheOutcomeOfItsMember(t *testing.T) {
	seen := map[decide.Outcome]int{}
	for seed := range uint64(scaledTrials(80)) {
		for name, m := range noises {
			f := simulateFamily(seed, m, 0.95, 0.05, 10+int(seed%5)*20, 1.15, 1.05, 1)
			for i := range f.members {
				c := f.Comparison(i)
				o, reason := Gate(c, 0.05)
				seen[o]++
				if o != f.Outcome(i) || o != decide.Undecided && math.Abs(c.Ratio.Level-0.9) > 1e-9 || o != decide.Undecided && !strings.Contains(reason, "95 % confidence") {
					t.Errorf("%s noise, seed %d, member %d: %s, but the gate of %v says %s", name, seed, i, f.Outcome(i), c.Ratio, reason)
				}
				if c.Ratio.Level > 0 && (c.Ratio.Center < c.Ratio.Lo || c.Ratio.Center > c.Ratio.Hi) {
					t.Errorf("%v", c.Ratio)
				}
			}
		}
	}
	if len(seen) != 3 {
		t.Errorf("only %v", seen)
	}
}

func TestAFamilyThatCannotTellSaysWhy(t *testing.T) {
	f := NewFamily(7, Member{Base: "old", Other: "new", Limit: 0.05}, Member{Base: "old", Other: "same order", Limit: 0.05})
	f.Add(0, 1, 1, true)
	f.Add(0, 0, 1, false)
	for range 50 {
		f.Add(1, 1, 2, true)
	}
	f.Finish()
	for i, want := range []string{"too few rounds for this level, 1", "too few rounds for this level, 50"} {
		c := f.Comparison(i)
		if text := c.Ratio.Reason; f.Outcome(i) != decide.Undecided || c.Ratio.Level != 0 || !strings.Contains(text, want) {
			t.Errorf("%v, %v", f.Outcome(i), c)
		}
	}
	if w := f.Comparison(0).Ratio.Warnings; f.members[0].rounds != 2 || len(w) != 2 || !strings.Contains(w[0], "1 rounds without") || !strings.HasPrefix(w[1], "Level 7 is invalid") {
		t.Errorf("%d rounds, %q", f.members[0].rounds, w)
	}
}

// By Holm's procedure members that have failed no longer take a share of the error; those that have passed or are undecided do.
func TestTheErrorOfFailingIsDividedAmongThoseThatHaveNotFailed(t *testing.T) {
	for _, c := range []struct {
		outcomes []decide.Outcome
		want     int
	}{
		{[]decide.Outcome{decide.Undecided}, 1}, {[]decide.Outcome{decide.Undecided, decide.Undecided, decide.Undecided}, 3}, {[]decide.Outcome{decide.Failed, decide.Undecided}, 1},
		{[]decide.Outcome{decide.Passed, decide.Undecided, decide.Undecided}, 3}, {[]decide.Outcome{decide.Failed, decide.Passed, decide.Undecided, decide.Failed}, 2},
	} {
		f := NewFamily(0.95, make([]Member, len(c.outcomes))...)
		for i, o := range c.outcomes {
			f.members[i].outcome = o
		}
		f.sweep()
		for _, m := range f.members {
			if m.outcome == decide.Undecided && math.Abs(m.error*float64(c.want)/0.05-1) > 1e-9 {
				t.Errorf("%v: an error of %v, want a part in %d", c.outcomes, m.error, c.want)
			}
		}
	}
}

// Of the orders of twelve and twelve rounds, one has U = 0, two have U <= 1, four U <= 2, and seven U <= 3. Each member that
// fails leaves enough of the error to the others for the next one to fail, until the last.
func TestAMemberThatFailsLeavesItsShareOfTheError(t *testing.T) {
	const rounds = 12
	least := 1.0 // the probability of one order
	for i := range rounds {
		least *= float64(i+1) / float64(rounds+i+1)
	}
	for _, c := range []struct {
		error float64 // times least
		want  [4]decide.Outcome
	}{
		{3.9, [4]decide.Outcome{decide.Undecided, decide.Undecided, decide.Undecided, decide.Undecided}}, // a fourth is less than one order
		{4.1, [4]decide.Outcome{decide.Undecided, decide.Undecided, decide.Undecided, decide.Failed}},    // a third is less than two
		{7.9, [4]decide.Outcome{decide.Undecided, decide.Undecided, decide.Failed, decide.Failed}},       // a half is less than four
		{8.1, [4]decide.Outcome{decide.Failed, decide.Failed, decide.Failed, decide.Failed}},
	} {
		f := NewFamily(1-c.error*least, make([]Member, 4)...)
		for i, m := range f.members {
			m.looks = []look{{first: rounds, second: rounds, within: 3 - i, share: 1}}
		}
		f.sweep()
		for i, want := range c.want {
			if f.Outcome(i) != want {
				t.Errorf("an error of %v orders: member %d %v, want %v", c.error, i, f.Outcome(i), want)
			}
		}
	}
}

func TestARoundAfterTheDecisionChangesNothing(t *testing.T) {
	f := simulateFamily(1, noises["independent"], 0.99, 0.05, 200, 1.5)
	before := f.Comparison(0)
	for i := range 100 {
		f.Add(0, 1, 0.5, i%2 == 0)
	}
	if after := f.Comparison(0); f.Outcome(0) != decide.Failed || after.Ratio.N != before.Ratio.N || f.members[0].rounds != int(before.Ratio.N) {
		t.Errorf("%v, then %v", before, after)
	}
}

// At a level of 0.5 or below, no value lies between the bounds for failing and for passing, so the comparison of a member that
// had failed would be undecided.
func TestALevelThatDecidesNothingIsReplacedAndNamed(t *testing.T) {
	for level, warned := range map[float64]bool{0: false, 0.5: true, 0.3: true, 1: true, -1: true, math.NaN(): true, 0.51: false} {
		f := NewFamily(level, Member{Base: "old", Other: "new", Limit: 0.05})
		for i := range 60 {
			f.Add(0, 1, 1.5+0.001*float64(i%7), i%2 == 0)
		}
		f.Finish()
		c := f.Comparison(0)
		o, reason := Gate(c, 0.05)
		if o != decide.Failed || f.Outcome(0) != decide.Failed || (len(c.Ratio.Warnings) > 0) != warned || level != 0.51 && c.Options.Level != 0.99 {
			t.Errorf("level %v: %s, but its gate %s (%s), warnings %q", level, f.Outcome(0), o, reason, c.Ratio.Warnings)
		}
	}
}

// A member with a tolerance passes between its limit and the tolerance unless it is shown to be above the limit, and its level holds at
// both ends.
func TestAToleranceIsForPassingOnly(t *testing.T) {
	const limit, tolerance, level = 0.05, 0.1, 0.9
	outcomes := func(ratio float64) (passed, failed int) {
		for seed := range uint64(200) {
			rng, order := rand.New(rand.NewPCG(seed, 9)), NewOrder(2, seed)
			f := NewFamily(level, Member{Limit: limit, Tolerance: tolerance})
			for range 40 {
				order.Next()
				f.Add(0, math.Exp(0.1*rng.NormFloat64()), ratio*math.Exp(0.1*rng.NormFloat64()), order.Before(0, 1))
			}
			switch f.Finish(); f.Outcome(0) {
			case decide.Passed:
				passed++
			case decide.Failed:
				failed++
			}
		}
		return passed, failed
	}
	if passed, failed := outcomes(1); passed < 190 || failed > 5 {
		t.Errorf("unchanged: %d passed, %d failed", passed, failed)
	}
	if _, failed := outcomes(1 + limit); failed > 35 { // 20, and three standard deviations
		t.Errorf("at the limit: %d failed", failed)
	}
	if passed, _ := outcomes(1 + limit + tolerance); passed > 35 {
		t.Errorf("at the end of the tolerance: %d passed", passed)
	}
	if passed, failed := outcomes(1.3); passed > 0 || failed < 190 {
		t.Errorf("far beyond: %d passed, %d failed", passed, failed)
	}
}
