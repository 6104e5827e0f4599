// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/internal/long"
	"github.com/strobe-go/strobe/internal/race"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
)

// A machine simulates the times of commands run one after the other on a noisy machine.
type machine func(rng *rand.Rand) func() float64

// noises are the kinds of disturbance that a comparison must withstand.
var noises = map[string]machine{
	"independent": func(rng *rand.Rand) func() float64 {
		return func() float64 { return math.Exp(0.05 * rng.NormFloat64()) }
	},
	"correlated": func(rng *rand.Rand) func() float64 {
		x := rng.NormFloat64()
		return func() float64 {
			x = 0.8*x + 0.6*rng.NormFloat64()
			return math.Exp(0.05 * x)
		}
	},
	"drifting": func(rng *rand.Rand) func() float64 {
		t, slope := 0.0, 0.005*rng.NormFloat64()
		return func() float64 {
			t++
			return math.Exp(slope*t + 0.02*rng.NormFloat64())
		}
	},
	"long-tailed": func(rng *rand.Rand) func() float64 {
		return func() float64 {
			x := 1 + 0.01*math.Abs(rng.NormFloat64())
			if rng.Float64() < 0.15 {
				x += rng.ExpFloat64()
			}
			return x
		}
	},
	"stalls of two": func(rng *rand.Rand) func() float64 {
		stalled := 0
		return func() float64 {
			if stalled--; stalled < 0 && rng.Float64() < 0.2 {
				stalled = 1
			}
			x := 1 + 0.01*rng.NormFloat64()
			if stalled >= 0 {
				x *= 1.5
			}
			return x
		}
	},
	"in bursts": func(rng *rand.Rand) func() float64 {
		busy := false
		return func() float64 {
			if rng.Float64() < 0.1 {
				busy = !busy
			}
			x := 1 + 0.01*rng.NormFloat64()
			if busy {
				x *= 1.5 + 0.3*rng.NormFloat64()
			}
			return max(x, 0.1)
		}
	},
	"who follows pays": func(rng *rand.Rand) func() float64 {
		turn := 0
		return func() float64 {
			turn++
			return 1 + 0.1*float64(turn%2) + 0.02*rng.NormFloat64()
		}
	},
}

// scaledTrials reduces the trials of a simulation, unless it may take long; the bounds widen accordingly.
func scaledTrials(n int) int {
	switch {
	case race.Enabled || testing.Short():
		return n / 8
	case !long.Enabled:
		return n / 4
	}
	return n
}

// simulate runs one comparison to its end on a simulated machine.
func simulate(seed uint64, m machine, ratio float64, rounds int, o CompareOptions) Comparison {
	next := m(rand.New(rand.NewPCG(seed, 1)))
	order := NewOrder(2, seed)
	p := NewPairs("a", "b", o)
	for n := 1; ; n++ {
		var cost [2]float64
		for _, i := range order.Next() {
			cost[i] = next()
		}
		p.Add(cost[0], cost[1]*ratio, order.Before(0, 1))
		if p.Done(float64(n) / float64(rounds)) {
			return p.Comparison()
		}
	}
}

func TestIntervalsOfComparisonsCoverUnderAnyNoise(t *testing.T) {
	trials := scaledTrials(800)
	for name, m := range noises {
		for what, o := range map[string]CompareOptions{
			"all":             {Level: 0.95, Precision: -1},
			"to a width":      {Level: 0.95, Precision: 0.02},
			"to a gate":       {Level: 0.95, Precision: -1, Gate: 0.03},
			"few, to a width": {Level: 0.95, Precision: 0.05, MinRounds: 6},
		} {
			for _, rounds := range []int{6, 14, 60} {
				missed := 0
				for seed := range uint64(trials) {
					if iv := simulate(seed, m, 1.03, rounds, o).Ratio; iv.Lo > 1.03 || iv.Hi < 1.03 {
						missed++
					}
				}
				// The limit is the nominal 5 % plus three standard errors of the simulation, plus 1.5 points for stopping by
				// width.
				if limit := float64(trials) * (0.05 + 3*math.Sqrt(0.05*0.95/float64(trials)) + 0.015); float64(missed) > limit {
					t.Errorf("%s noise, %s, %d rounds: %d of %d intervals miss the truth", name, what, rounds, missed, trials)
				}
			}
		}
	}
}

// A verdict is false if it calls two equal commands different.
func TestFalseVerdictsAreRarerThanTheLevelSays(t *testing.T) {
	trials := scaledTrials(3000)
	for name, m := range noises {
		wrong := 0
		for seed := range uint64(trials) {
			o := CompareOptions{Precision: 0.01}
			if seed%2 == 1 {
				o.Gate = 0.02
			}
			if v := simulate(seed, m, 1, 40, o).Verdict; v == decide.Faster || v == decide.Slower {
				wrong++
			}
		}
		if limit := float64(trials) * (0.01 + 3*math.Sqrt(0.01*0.99/float64(trials))); float64(wrong) > limit {
			t.Errorf("%s noise: %d of %d pairs that are the same are told apart", name, wrong, trials)
		}
	}
}

func TestAFivePercentDifferenceIsFound(t *testing.T) {
	trials := scaledTrials(300)
	for name, m := range noises {
		found := 0
		for seed := range uint64(trials) {
			if simulate(seed, m, 1.05, 200, CompareOptions{Precision: 0.01}).Verdict == decide.Slower {
				found++
			}
		}
		if min := 0.8 * float64(trials); float64(found) < min && name != "in bursts" { // bursts scatter by a quarter
			t.Errorf("%s noise: found in %d of %d", name, found, trials)
		}
	}
}

func TestAGateThatIsClearStopsEarly(t *testing.T) {
	for _, ratio := range []float64{0.5, 1.5} {
		c := simulate(1, noises["independent"], ratio, 1000, CompareOptions{Precision: -1, Gate: 0.05})
		if c.Ratio.N >= 200 {
			t.Errorf("ratio %v: %d rounds of 1000", ratio, c.Ratio.N)
		}
		want := decide.Passed
		if ratio > 1 {
			want = decide.Failed
		}
		if o, reason := Gate(c, 0.05); o != want {
			t.Errorf("ratio %v: %s, %s", ratio, o, reason)
		}
	}
}

// The ratio is the limit, so every look at the gate is undecided.
func TestEarlyLooksLeaveEnoughForTheEnd(t *testing.T) {
	for seed := range uint64(scaledTrials(200)) {
		for _, o := range []CompareOptions{{Gate: 0.05}, {Gate: 0.05, Precision: -1}, {Gate: 0.05, Precision: 0.04}} {
			c := simulate(seed, noises["independent"], 1.05, 40, o)
			if c.Ratio.Level != 0.99 || c.Ratio.Lo < 0.8 || c.Ratio.Hi > 1.3 {
				t.Fatalf("%+v: %v", o, c)
			}
		}
	}
}

func TestLooksAtTheGateSpendWithTheSquareOfTheInformation(t *testing.T) {
	p := NewPairs("a", "b", CompareOptions{Level: 0.98, Gate: 0.05, Precision: -1})
	rng := rand.New(rand.NewPCG(3, 3))
	add := func(n int) {
		for range n {
			p.Add(1, 1.05*math.Exp(0.01*rng.NormFloat64()), rng.IntN(2) == 0)
		}
	}
	add(20)
	for _, look := range []struct{ information, spent float64 }{{0.1, 0.0001}, {0.5, 0.0025}, {0.4, 0.0025}, {0.9, 0.0081}, {1, 0.01}, {7, 0.01}} {
		if p.lookAtGate(look.information) {
			t.Fatalf("decided: %v", p.Comparison())
		}
		if math.Abs(p.spent-look.spent) > 1e-12 {
			t.Errorf("with %v of the information %v is spent, want %v", look.information, p.spent, look.spent)
		}
	}
	want := p.interval(0.02 - 0.01)
	if got := p.Comparison().Ratio; got.Lo != want.Lo || got.Hi != want.Hi || got.Level != 0.98 || want.Level != 0.99 {
		t.Errorf("the last interval is %v, want %v, at the level asked for", got, want)
	}

	// A look that decides has the interval for the error that it may spend.
	p = NewPairs("a", "b", CompareOptions{Level: 0.98, Gate: 0.05, Precision: -1})
	for i := range 40 {
		p.Add(1, 1.5*math.Exp(0.01*rng.NormFloat64()), i%2 == 0)
	}
	want = p.interval(0.01 * 0.25)
	if !p.lookAtGate(0.5) || !p.Done(0) || p.Comparison().Ratio.Lo != want.Lo || p.Comparison().Ratio.Hi != want.Hi {
		t.Errorf("%v, want %v", p.Comparison().Ratio, want)
	}
}

func TestPairsStopWhenTheyShould(t *testing.T) {
	feed := func(p *Pairs, n int, sd float64) {
		rng := rand.New(rand.NewPCG(5, 5))
		for i := range n {
			p.Add(1, math.Exp(sd*rng.NormFloat64()), i%2 == 0)
		}
	}
	for _, c := range []struct {
		what   string
		o      CompareOptions
		rounds int
		sd     float64
		spent  float64
		want   bool
	}{
		{"too few, all spent", CompareOptions{MinRounds: 30}, 29, 0.01, 2, false},
		{"enough, all spent", CompareOptions{MinRounds: 30}, 30, 0.5, 1, true},
		{"time left, wide", CompareOptions{}, 60, 0.5, 0.99, false},
		{"narrow", CompareOptions{Precision: 0.01}, 60, 0.01, 0, true},
		{"narrow, but few", CompareOptions{Precision: 0.01}, 19, 0.0001, 0, false},
		{"narrow, just enough", CompareOptions{Precision: 0.01}, 20, 0.0001, 0, true},
		{"narrow, precision off", CompareOptions{Precision: -1}, 60, 0.0001, 0, false},
		{"gate clear", CompareOptions{Precision: -1, Gate: 0.5}, 64, 0.01, 0.5, true},
		{"gate clear, but early", CompareOptions{Precision: -1, Gate: 0.5}, 64, 0.01, 0, false},
		{"gate off", CompareOptions{Precision: -1}, 64, 0.01, 0.5, false},
		{"one order only", CompareOptions{}, 0, 0, 0, false},
	} {
		p := NewPairs("a", "b", c.o)
		if feed(p, c.rounds, c.sd); c.rounds == 0 {
			for range 50 {
				p.Add(1, 1, true)
			}
		}
		if got := p.Done(c.spent); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}

	// Looks are at intervals of a 16th.
	p := NewPairs("a", "b", CompareOptions{Precision: 0.01})
	feed(p, 64, 0.3)
	p.Done(0)
	p.first, p.second, p.rounds = nil, nil, 0
	feed(p, 67, 0.0001)
	if p.Done(0) {
		t.Error("looked again at once")
	}
	if p.Add(1, 1, true); !p.Done(0) {
		t.Error("not looked at a 16th more")
	}
}

func TestLooksAtTheGateAreAtTwiceTheRounds(t *testing.T) {
	p := NewPairs("a", "b", CompareOptions{Precision: -1, Gate: 0.05})
	rng := rand.New(rand.NewPCG(1, 9))
	var at []int // from MinRounds on; looks at the width, a 16th apart, lie between the looks at the gate
	for spent := 0.0; p.rounds < 300; {
		before := p.look
		p.Add(1, 1.05*math.Exp(0.01*rng.NormFloat64()), rng.IntN(2) == 0)
		if p.Done(spent); p.look != before {
			at = append(at, p.rounds)
		}
	}
	if want := []int{10, 20, 40, 82, 173}; !slices.Equal(at, want) {
		t.Errorf("looked after %v rounds, want %v", at, want)
	}
}

func TestInconclusiveSaysHowMuchLonger(t *testing.T) {
	ratio := func(center, lo, hi float64) Comparison {
		iv := stat.Interval{Center: center, Lo: lo, Hi: hi, Level: 0.99, N: 100}
		return Comparison{Base: "a", Other: "b", Ratio: iv, Verdict: judge(iv, 0.005), Within: 0.005}
	}
	e := math.Exp
	for _, c := range []struct {
		c    Comparison
		want float64 // 0 is none
	}{
		{ratio(e(0.01), e(-0.01), e(0.03)), 4},            // 1 is halfway between center and bound
		{ratio(e(-0.01), e(-0.03), e(0.01)), 4},           // below 1 as above it
		{ratio(e(0.01), e(0.001), e(0.02)), 0},            // slower
		{ratio(1, e(-0.02), e(0.02)), 16.08},              // only "same" can result: (0.02/ln 1.005)^2
		{ratio(e(0.001), e(-0.02), e(0.02)), 27.72},       // the farther of the two sides decides: (0.021/0.004988)^2, (0.019/0.003988)^2
		{ratio(e(0.0049875415), e(-0.01), e(0.02)), 9.03}, // at the border of "same" it must exclude 1
	} {
		times, ok := c.c.Longer()
		if ok != (c.want > 0) || ok && math.Abs(times/c.want-1) > 0.2 {
			t.Errorf("%v: %v, %v, want %v", c.c, times, ok, c.want)
		}
		if strings.Contains(c.c.String(), "times as many rounds") != ok {
			t.Errorf("%v", c.c)
		}
	}
	c := ratio(e(0.01), e(-0.01), e(0.03))
	c.Within = 0 // nothing counts as the same
	if times, ok := c.Longer(); !ok || math.Abs(times-4) > 0.01 {
		t.Errorf("%v, %v", times, ok)
	}
	if _, reason := Gate(ratio(e(0.04), e(0.0), e(0.08)), e(0.06)-1); !strings.Contains(reason, "about 4 times as many rounds") {
		t.Error(reason)
	}
	for times, want := range map[float64]string{1.2: "a few more", 1.6: "about 1.6 times", 33.3: "about 33 times", 50: "about 50 times", 51: "too close", 1000: "too close"} {
		if got := (Comparison{}).longer(times); !strings.Contains(got, want) || strings.Contains(got, "runs") {
			t.Errorf("%v: %s", times, got)
		}
		if got := (Comparison{Apart: true}).longer(times); strings.Contains(got, "rounds") || strings.Contains(want, "times") && !strings.Contains(got, " runs ") {
			t.Errorf("%v, measured apart: %s", times, got)
		}
	}
	if times := needed(ratio(1, e(-0.02), e(0.02)).Ratio, 0); times < 1e9 {
		t.Errorf("exactly at the limit: %v", times)
	}
}
