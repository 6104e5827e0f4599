// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
	"github.com/strobe-go/strobe/cmd/strobe/internal/flags"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat/decide"
)

// A consumption is what calls made in one go take, ns: elapsed time, processor time, and time for their preparation, which is not
// timed and needs a processor too.
type consumption func(calls int) (elapsed, processor, prepared float64)

// each returns a consumption where every call costs the same on one processor.
func each(ns float64) consumption {
	return prepared(ns, 0, 0)
}

// prepared returns one where something is prepared for all calls, and for each.
func prepared(ns, all, call float64) consumption {
	return func(n int) (elapsed, processor, prepared float64) {
		return ns * float64(n), ns * float64(n), all + call*float64(n)
	}
}

// noisyGate measures a benchmark whose sides take this much, for a minute.
func noisyGate(seed uint64, by string, base, latest consumption) *measurement {
	return noisyGates(1, time.Minute, seed, by, base, latest)
}

// noisyGates measures n benchmarks whose sides take this much, on a busy machine: runs wait, and their speed varies.
func noisyGates(n int, budget time.Duration, seed uint64, by string, base, latest consumption) *measurement {
	rng, now := rand.New(rand.NewPCG(seed, 5)), time.Duration(0)
	f := &Flags{By: by, Level: 0.99, MaxTime: flags.Duration(budget), Run: flags.Duration(20 * time.Millisecond), Seed: seed + 1}
	g := &measurement{flags: f, seed: f.Seed, elapsed: func() time.Duration { return now }}
	pk := &pkg{path: "m/p", binaries: [3][]string{{""}, {""}}}
	pk.runner = func(_ context.Context, b *benchmark, side, _ int, p process) (out printout, _ error) {
		speed, used, waited := math.Exp(0.05*rng.NormFloat64()), 4e6+5e5*rng.ExpFloat64(), 0.3*rng.Float64()
		took := used
		for range p.blocks {
			elapsed, processor, prepared := [2]consumption{base, latest}[side](p.iterations)
			speed := speed * (1 + 0.02*rng.ExpFloat64())
			if elapsed < 1e6 && rng.Float64() < 0.7 { // short enough to be undisturbed
				took += 2e5 + (elapsed+prepared)*speed
			} else {
				elapsed /= 1 - waited
				took += 2e5 + (elapsed+prepared/(1-waited))*speed
			}
			used += 2e5 + (processor+prepared)*speed
			out.values = append(out.values, values{name: b.name, calls: p.iterations, ns: elapsed * speed / float64(p.iterations), timed: true})
		}
		now += time.Duration(took)
		out.run = command.Run{Wall: time.Duration(took), User: time.Duration(used), Queued: waited, Uncounted: "simulated"}
		out.run.Known.Queued = true
		return out, nil
	}
	for i := range n {
		g.all = append(g.all, &benchmark{pkg: pk, name: "A" + strings.Repeat("x", i), limit: 0.05, once: time.Microsecond})
	}
	g.measure(&session.Session{Ctx: context.Background(), Err: io.Discard, Out: io.Discard})
	return g
}

// What the calls of a short block cost says nothing of these.
func TestLongRunsSeeWhatShortBlocksDoNot(t *testing.T) {
	trials := 20
	if testing.Short() {
		trials = 5
	}
	after := func(calls int, ns float64) consumption { // these calls
		return func(n int) (elapsed, processor, prepared float64) {
			more := 1000*float64(n) + float64(n/calls)*ns
			return more, more, 0
		}
	}
	for name, latest := range map[string]consumption{
		"every 4096th call":      after(4096, 0.28*4096*1000),
		"a rare call":            after(2000, 0.28*2000*1000),
		"the collector":          after(9000, 0.4*9000*1000),
		"the end of a large set": after(4000, 0.53*4000*1000),
		"another goroutine": func(n int) (elapsed, processor, prepared float64) {
			if elapsed = 1000 * float64(n); elapsed > 2e6 {
				elapsed *= 1.27
			}
			return elapsed, elapsed, 0
		},
		"a goroutine on another processor": func(n int) (elapsed, processor, prepared float64) {
			if elapsed = 1000 * float64(n); elapsed < 2e6 {
				return elapsed, elapsed, 0
			}
			return elapsed, 1.27 * elapsed, 0
		},
		"waiting": func(n int) (elapsed, processor, prepared float64) {
			return 1000*float64(n) + float64(n/4096)*0.28*4096*1000, 1000 * float64(n), 0
		},
	} {
		found := 0
		for seed := range uint64(trials) {
			g := noisyGate(seed, "wall", each(1000), latest)
			x := g.report().rows[0]
			switch {
			case x.outcome == decide.Passed:
				t.Errorf("%s: passed: %s", name, x.sentence)
			case x.outcome == decide.Failed && strings.Contains(x.sentence, "which short blocks of") && g.spent <= time.Minute+time.Second:
				found++
			}
		}
		if 10*found < 8*trials {
			t.Errorf("%s: %d of %d are found", name, found, trials)
		}
	}
	passed := 0
	for seed := range uint64(2 * trials) {
		switch x := noisyGate(seed, "wall", each(1000), each(1000)).report().rows[0]; x.outcome {
		case decide.Passed:
			passed++
		case decide.Failed:
			t.Errorf("nothing changed: %s", x.sentence)
		}
	}
	if 10*passed < 9*2*trials {
		t.Errorf("%d of %d without a change pass", passed, 2*trials)
	}
}

// What is prepared before the calls, and not timed, is not theirs.
func TestPreparationIsNotTheCostOfCalls(t *testing.T) {
	for _, by := range []string{"wall", "cpu"} {
		for seed := range uint64(5) {
			if x := noisyGate(seed, by, prepared(1000, 1e6, 0), prepared(1000, 2e7, 0)).report().rows[0]; x.outcome == decide.Failed {
				t.Errorf("by %s: %s", by, x.sentence)
			}
			x := noisyGate(seed, by, prepared(1000, 0, 2000), prepared(1000, 0, 4000)).report().rows[0]
			if told := strings.Contains(x.sentence, "cannot be told from that of its preparation"); x.outcome == decide.Failed || told != (by == "cpu") {
				t.Errorf("by %s, for each call: %s", by, x.sentence)
			}
		}
	}
}

// Where short blocks show a slowdown that long runs exclude, the benchmark neither fails nor passes.
func TestASlowdownOfTheFirstCallsOnlyIsUndecided(t *testing.T) {
	first := func(n int) (elapsed, processor, prepared float64) {
		all := 1000*float64(n) + 300*float64(min(n, 500))
		return all, all, 0
	}
	x := noisyGate(1, "wall", each(1000), first).report().rows[0]
	if x.outcome != decide.Undecided || !strings.Contains(x.sentence, "depends on how many are made") {
		t.Errorf("%v: %s", x.outcome, x.sentence)
	}
}

// Short blocks cost 8 % more here, for certain. Long runs vary, so that they do not fail by themselves.
func TestLongRunsThatLookSlowerDoNotContradict(t *testing.T) {
	for _, c := range []struct {
		long [3]float64
		want decide.Outcome
	}{
		{[3]float64{1.03, 1.04, 1.06}, decide.Undecided},
		{[3]float64{1.04, 1.06, 1.075}, decide.Failed},
		{[3]float64{0.95, 1.04, 1.13}, decide.Failed}, // perhaps as much as the others
	} {
		b := &benchmark{pkg: &pkg{path: "m/p"}, name: "A", limit: 0.05, iterations: 1, blocks: 1, longCalls: 1000}
		m := &measurement{flags: &Flags{Level: 0.99, By: "wall"}, all: []*benchmark{b}}
		m.open()
		for i := range 40 {
			first, long := i%2 == 0, 100*c.long[i%3]
			b.rounds = append(b.rounds, round{cost: [2]float64{100, 108}, baseFirst: first})
			b.long.rounds = append(b.long.rounds, round{cost: [2]float64{100, long}, baseFirst: first})
			m.family.Add(0, 100, 108, first)
			m.family.Add(1, 100, long, first)
		}
		m.family.Finish()
		x := m.report().rows[0]
		if x.outcome != c.want || x.opinion.outcome == decide.Failed {
			t.Errorf("%v in long runs: %v, alone %v, %s", c.long, x.outcome, x.opinion.outcome, x.sentence)
		}
	}
}

// Nothing passes by short blocks alone.
func TestWithoutLongRunsNothingPasses(t *testing.T) {
	b := &benchmark{pkg: &pkg{path: "m/p"}, name: "A", limit: 0.05, iterations: 1, blocks: 1, longCalls: 1000}
	m := &measurement{flags: &Flags{Level: 0.99, By: "wall"}, all: []*benchmark{b}}
	m.open()
	for i := range 40 {
		r := round{cost: [2]float64{100, 100}, baseFirst: i%2 == 0}
		b.rounds = append(b.rounds, r)
		m.family.Add(0, 100, 100, r.baseFirst)
	}
	m.family.Finish()
	r := m.report()
	if x := r.rows[0]; x.outcome != decide.Undecided || r.gate.Outcome != decide.Undecided || !strings.Contains(x.sentence, "there was time for 0 rounds in runs of 1000 calls only") {
		t.Errorf("%v, %v: %s", x.outcome, r.gate.Outcome, x.sentence)
	}
}

// Where there are too many benchmarks for the time, some are measured rather than all prepared.
func TestPreparationLeavesTimeForRounds(t *testing.T) {
	const budget = 20 * time.Second
	m := noisyGates(40, budget, 1, "wall", each(1000), each(1000))
	rounds, unprepared := 0, 0
	for _, b := range m.all {
		if rounds += len(b.rounds) + len(b.long.rounds); b.longCalls == 0 {
			unprepared++
		}
	}
	if m.prepared > budget/2 || m.spent > budget+budget/20 || rounds < 50 || unprepared == 0 {
		t.Errorf("%v of %v prepared, %d rounds, %d not prepared", m.prepared, m.spent, rounds, unprepared)
	}
}
