// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A machine makes up what a command takes on a noisy one, in turn.
type machine func(rng *rand.Rand) func() float64

// noises are the kinds of disturbance that a comparison must stand.
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

// scaledTrials divides the trials of simulations where each costs much: the bounds widen with it.
func scaledTrials(n int) int {
	if raceEnabled || testing.Short() {
		return n / 8
	}
	return n
}

// simulate runs one comparison to its end on a made-up machine.
func simulate(seed uint64, m machine, ratio float64, rounds int, o Options) Comparison {
	next := m(rand.New(rand.NewPCG(seed, 1)))
	order := NewOrder(2, seed)
	p := NewPairs("a", "b", o)
	for n := 1; ; n++ {
		var cost [2]float64
		for _, i := range order.Next() {
			cost[i] = next()
		}
		p.Add(cost[0], cost[1]*ratio)
		if p.Done(float64(n) / float64(rounds)) {
			return p.Comparison()
		}
	}
}

func TestIntervalsOfComparisonsCoverUnderAnyNoise(t *testing.T) {
	trials := scaledTrials(800)
	for name, m := range noises {
		for what, o := range map[string]Options{
			"all":             {Level: 0.95, Precision: -1},
			"to a width":      {Level: 0.95, Precision: 0.02},
			"to a gate":       {Level: 0.95, Precision: -1, Gate: 0.03},
			"few, to a width": {Level: 0.95, Precision: 0.05, MinRepeat: 4},
		} {
			for _, rounds := range []int{6, 14, 60} {
				missed := 0
				for seed := range uint64(trials) {
					if iv := simulate(seed, m, 1.03, rounds, o).Ratio; iv.Lo > 1.03 || iv.Hi < 1.03 {
						missed++
					}
				}
				// Three standard errors of the simulation above the nominal 5 %, and a point and a half for stopping by width.
				if limit := float64(trials) * (0.05 + 3*math.Sqrt(0.05*0.95/float64(trials)) + 0.015); float64(missed) > limit {
					t.Errorf("%s noise, %s, %d rounds: %d of %d intervals miss the truth", name, what, rounds, missed, trials)
				}
			}
		}
	}
}

// What a verdict is wrong about: two that are the same.
func TestFalseVerdictsAreRarerThanTheLevelSays(t *testing.T) {
	trials := scaledTrials(3000)
	for name, m := range noises {
		wrong := 0
		for seed := range uint64(trials) {
			o := Options{Precision: 0.01}
			if seed%2 == 1 {
				o.Gate = 0.02
			}
			if v := simulate(seed, m, 1, 40, o).Verdict; v == Faster || v == Slower {
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
			if simulate(seed, m, 1.05, 200, Options{Precision: 0.01}).Verdict == Slower {
				found++
			}
		}
		if min := 0.8 * float64(trials); float64(found) < min && name != "in bursts" { // which scatter by a quarter
			t.Errorf("%s noise: found in %d of %d", name, found, trials)
		}
	}
}

func TestAGateThatIsClearStopsEarly(t *testing.T) {
	for _, ratio := range []float64{0.5, 1.5} {
		c := simulate(1, noises["independent"], ratio, 1000, Options{Precision: -1, Gate: 0.05})
		if c.Ratio.N >= 200 {
			t.Errorf("ratio %v: %d rounds of 1000", ratio, c.Ratio.N)
		}
		want := Passed
		if ratio > 1 {
			want = Failed
		}
		if o, reason := Gate(c, 0.05); o != want {
			t.Errorf("ratio %v: %s, %s", ratio, o, reason)
		}
	}
}
