// SPDX-License-Identifier: BSD-3-Clause

package profdiff

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// shares are the shares of functions in a made-up profile.
var shares = []float64{0.4, 0.25, 0.15, 0.1, 0.05, 0.03, 0.02}

// simulate adds runs of about 30 samples each. With spread above 0, the shares vary between runs: each has a lognormal factor
// with this standard deviation.
func simulate(p *Profiles, rng *rand.Rand, side, runs int, of []float64, spread float64) {
	for range runs {
		weights, sum := make([]float64, len(of)), 0.0
		for i, x := range of {
			weights[i] = x * math.Exp(spread*rng.NormFloat64())
			sum += weights[i]
		}
		counts := map[string]int{}
		for range 25 + rng.IntN(10) {
			at := rng.Float64() * sum
			i := 0
			for ; i < len(of)-1 && at >= weights[i]; i++ {
				at -= weights[i]
			}
			counts[fmt.Sprintf("m.BenchmarkX m.F%d", i)]++
		}
		s := &p.sides[side]
		run := sampledRun{count: map[int]int{}}
		for text, n := range counts {
			run.count[s.at(p.programs[side], []string{"m.BenchmarkX", text[len("m.BenchmarkX "):]})] += n
			run.all += n
		}
		run.slots = float64(run.all)
		s.runs = append(s.runs, run)
	}
}

// grown returns the shares of a benchmark in which one function costs more.
func grown(of []float64, which int, by float64) []float64 {
	after := append([]float64(nil), of...)
	after[which] += by
	for i := range after {
		after[i] /= 1 + by
	}
	return after
}

// The intervals of the difference contain it as often as they say, whether the runs resemble each other or not.
func TestIntervalsContainTheDifference(t *testing.T) {
	const trials, error = 300, 0.05
	for _, spread := range []float64{0, 0.5} {
		for _, runs := range []int{4, 16} {
			rng := rand.New(rand.NewPCG(1, uint64(runs)))
			missed, all := 0, 0
			for range trials {
				p := NewProfiles(modules, true)
				simulate(p, rng, Base, runs, shares, spread)
				simulate(p, rng, New, runs, grown(shares, 1, 0.3), spread)
				cost := exact(1000, 1300)
				v := p.comparer(cost, nil)
				for i := range shares {
					name := fmt.Sprintf("m.F%d", i)
					base, latest := v.sides[Base].of(v.sides[Base].own, name), v.sides[New].of(v.sides[New].own, name)
					want := 0.0
					if i == 1 {
						want = 300
					}
					if spread > 0 { // the mean shares of runs that vary differ from the given ones
						want = mean(grown(shares, 1, 0.3), spread)[i]*1300 - mean(shares, spread)[i]*1000
					}
					if iv := difference(v.share(Base, base), v.share(New, latest), error, v.dispersion(base, latest)); iv.Lo > want || iv.Hi < want {
						missed++
					}
					all++
				}
			}
			rate := float64(missed) / float64(all)
			t.Logf("%d runs, spread %v: %.2f %% of %d intervals miss", runs, spread, 100*rate, all)
			if rate > 0.06 {
				t.Errorf("%d runs, spread %v: %.2f %% of %d intervals miss, want at most 5", runs, spread, 100*rate, all)
			}
		}
	}
}

var means = map[string][]float64{}

// mean returns the mean shares of runs that differ, by many of them.
func mean(of []float64, spread float64) []float64 {
	key := fmt.Sprint(of, spread)
	if m := means[key]; m != nil {
		return m
	}
	m, rng := make([]float64, len(of)), rand.New(rand.NewPCG(7, 7))
	const draws = 100_000
	for range draws {
		weights, sum := make([]float64, len(of)), 0.0
		for i, x := range of {
			weights[i] = x * math.Exp(spread*rng.NormFloat64())
			sum += weights[i]
		}
		for i := range m {
			m[i] += weights[i] / sum / draws
		}
	}
	means[key] = m
	return m
}

// With 95 % confidence, at most a twentieth of pairs of profiles of the same code claim any difference.
func TestProfilesOfTheSameCodeClaimNothing(t *testing.T) {
	const pairs = 200
	for _, spread := range []float64{0, 0.5} {
		rng := rand.New(rand.NewPCG(2, 3))
		wrong := 0
		for i := range pairs {
			p := NewProfiles(modules, true)
			simulate(p, rng, Base, 4+i%13, shares, spread)
			simulate(p, rng, New, 4+i%13, shares, spread)
			c := p.Compare(exact(1000, 1000), 0.05)
			claimed := c.Waiting.Changed
			for _, f := range c.Functions {
				claimed = claimed || f.Own.Changed || f.Total.Changed
			}
			if claimed {
				wrong++
			}
		}
		t.Logf("spread %v: %d of %d pairs", spread, wrong, pairs)
		if wrong > pairs/20 {
			t.Errorf("spread %v: %d of %d pairs claim a difference", spread, wrong, pairs)
		}
	}
}

// The function that doubled is found, and no other.
func TestTheFunctionThatDoubledIsFound(t *testing.T) {
	const trials = 100
	rng := rand.New(rand.NewPCG(4, 5))
	found, others := 0, 0
	for range trials {
		p := NewProfiles(modules, true)
		simulate(p, rng, Base, 8, shares, 0.2)
		simulate(p, rng, New, 8, grown(shares, 1, 0.25), 0.2)
		c := p.Compare(exact(1000, 1250), 0.05)
		for _, f := range c.Functions {
			switch {
			case f.Own.Changed && f.Name == "m.F1":
				found++
			case f.Own.Changed:
				others++
			}
		}
	}
	t.Logf("found %d of %d, others %d", found, trials, others)
	if found < 60 || others > trials/20 {
		t.Errorf("found %d of %d, others %d", found, trials, others)
	}
}
