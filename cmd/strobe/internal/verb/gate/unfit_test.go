// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/flags"
	"github.com/strobe-go/strobe/stat/decide"
)

// noisy returns a measurement by wall time of benchmarks that did not change, on a machine whose rounds scatter.
func noisy(benchmarks, rounds int, scatter float64, call time.Duration) *measurement {
	rng := rand.New(rand.NewPCG(8, 9))
	m := &measurement{flags: &Flags{By: "wall", Level: 0.99, MaxTime: flags.Duration(time.Minute)}, spent: time.Minute}
	var members []bench.Member
	for range benchmarks {
		b := &benchmark{pkg: &pkg{path: "m/p"}, name: "B", limit: fallback, iterations: 1, blocks: 1, longCalls: 10}
		b.time = charge{bound: bound{byTime, fallback, false}, plain: bound{byTime, fallback, false}}
		for _, s := range []*series{&b.series, &b.long} {
			for k := range rounds {
				s.rounds = append(s.rounds, round{cost: [2]float64{float64(call), float64(call) * math.Exp(scatter*rng.NormFloat64())}, baseFirst: k%2 == 0})
			}
		}
		m.all, members = append(m.all, b), append(members, bench.Member{Base: "b", Other: "o", Limit: b.limit})
	}
	for _, x := range members[:benchmarks] {
		x.Tolerance = tolerance
		members = append(members, x)
	}
	m.family = bench.NewFamily(0.99, members...)
	for i, b := range m.all {
		for k := range b.rounds {
			m.family.Add(i, b.rounds[k].cost[oldSide], b.rounds[k].cost[newSide], b.rounds[k].baseFirst)
			m.family.Add(benchmarks+i, b.long.rounds[k].cost[oldSide], b.long.rounds[k].cost[newSide], b.long.rounds[k].baseFirst)
		}
	}
	m.family.Finish()
	return m
}

func TestAMachineThatIsTooBusyIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		rounds  int
		scatter float64
		call    time.Duration
		grows   bool
		want    string // empty if the machine can decide
		cpu     bool
	}{
		"quiet":                     {100, 0.01, time.Millisecond, false, "", false},
		"noisy":                     {40, 0.2, time.Millisecond, false, "of 5 benchmarks: about ", true},
		"noisy, short calls":        {40, 0.2, 100, false, "would do, --max-time ", false},
		"noisy, grows in set-up":    {40, 0.2, time.Millisecond, true, "would do, --max-time ", false},
		"hopeless":                  {8, 0.9, time.Millisecond, false, "no practicable time would do; use a quieter machine", true},
		"too few rounds to know it": {2, 0.2, time.Millisecond, false, "", false},
	} {
		m := noisy(5, c.rounds, c.scatter, c.call)
		for _, b := range m.all {
			b.setUpGrows = c.grows
		}
		r := m.report()
		reasons := strings.Join(r.gate.Reasons, "\n")
		if (r.unfit != nil) != (c.want != "") || !strings.Contains(reasons, c.want) || strings.Contains(reasons, "--by cpu") != c.cpu {
			t.Errorf("%s: %q", name, r.gate.Reasons)
			continue
		}
		text, err := json.Marshal(r.object(false))
		if err != nil || strings.Contains(string(text), `"machine_too_busy":{"undecided":`) != (c.want != "") {
			t.Errorf("%s: %v, %s", name, err, text)
		}
		if c.want != "" && (r.gate.Outcome != decide.Undecided || r.verdict() != "undecided, the machine is too busy" || r.unfit.needs != 0 && r.unfit.needs <= time.Minute) {
			t.Errorf("%s: %s, %v", name, r.verdict(), r.unfit.needs)
		}
	}
}

// Given as many rounds as are said to be lacking, nine in ten benchmarks that did not change are decided.
func TestTheRoundsThatAreLackingSuffice(t *testing.T) {
	const n, few = 12, 40
	lacking := 0.0
	for _, b := range noisy(n, few, 0.15, time.Millisecond).all {
		lacking += b.series.lacks(fallback, 0.005) / n
	}
	open := 0
	for _, x := range noisy(n, int(few*lacking), 0.15, time.Millisecond).report().rows {
		if x.outcome == decide.Undecided {
			open++
		}
	}
	t.Logf("%.1f times as many rounds, %d of %d undecided", lacking, open, n)
	if most := 0.1*n + 3*math.Sqrt(n*0.1*0.9); lacking < 2 || float64(open) > most {
		t.Errorf("with %.1f times as many rounds, %d of %d are undecided", lacking, open, n)
	}
}

// A large change needs fewer rounds than none, however much they scatter.
func TestALargeChangeIsNotTooMuchForAMachine(t *testing.T) {
	same, twice := noisy(1, 40, 0.5, time.Millisecond).all[0], noisy(1, 40, 0.5, time.Millisecond).all[0]
	for i := range twice.rounds {
		twice.rounds[i].cost[newSide] *= 3
	}
	if none, large := same.series.lacks(fallback, 0.005), twice.series.lacks(fallback, 0.005); none < 10 || large > 2 {
		t.Errorf("%v times as many rounds for no change, %v for a large one", none, large)
	}
}

// Rounds that agree do not make a machine too busy, however few there are.
func TestTooFewRoundsAreNoNoise(t *testing.T) {
	r := noisy(5, 7, 0.001, time.Microsecond).report()
	reasons := strings.Join(r.gate.Reasons, "\n")
	if r.unfit != nil || r.gate.Outcome != decide.Undecided || !strings.Contains(reasons, "5 of 5 benchmarks: too few rounds, or ") || !strings.Contains(reasons, "; about 3 minutes would do, --max-time 3m") {
		t.Errorf("%v, %q", r.gate.Outcome, r.gate.Reasons)
	}
}

// Those for which there was no time need as much as the others.
func TestBenchmarksWithoutARoundNeedTime(t *testing.T) {
	needs := func(idle int) (time.Duration, string) {
		m := noisy(5+idle, 40, 0.3, time.Microsecond)
		for _, b := range m.all[5:] {
			b.rounds, b.long.rounds = nil, nil
		}
		r := m.report()
		if r.unfit == nil {
			t.Fatalf("%q", r.gate.Reasons)
		}
		return r.unfit.needs, strings.Join(r.gate.Reasons, "\n")
	}
	five, _ := needs(0)
	ten, reasons := needs(5)
	if ratio := ten.Seconds() / five.Seconds(); five <= 0 || ratio < 1.7 || ratio > 2.3 || !strings.Contains(reasons, " of 10 benchmarks, and had hardly a round for 5 more: about ") {
		t.Errorf("%v and %v, %q", five, ten, reasons)
	}
}
