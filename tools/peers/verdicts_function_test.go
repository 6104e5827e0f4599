// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"testing"
	"time"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/stat/decide"
)

func BenchmarkFunctionVerdicts(b *testing.B) { runRows(b, functionVerdictRows()) }

func functionVerdictRows() []row {
	var all []row
	for _, judge := range []string{"bench.Compare", "benchstat-one-after-the-other", "benchstat-in-turn"} {
		all = append(all, judged(judge, functionTrials))
	}
	return all
}

// steps returns a function with n dependent steps of about half a ns.
//
//go:noinline
func steps(n int) func() {
	return func() {
		x := uint64(n)
		for range n {
			x = x<<1 ^ x>>3 + 7
		}
		bench.Keep(x)
	}
}

var functionScores map[string]*score

// functionTrials gives each judge two seconds for two functions of about 100 ns. benchstat gets ten samples of 100 ms of each, as
// with -count=10 -benchtime=100ms: first all of one, then of the other, and also in turn.
func functionTrials(t testing.TB) map[string]*score {
	if functionScores != nil {
		return functionScores
	}
	budget := 2 * time.Second
	if *sampleFor < time.Second {
		budget = 50 * time.Millisecond
	}
	n := 100 // steps that take 100 ns, a multiple of 100, so that a percent more is a whole number
	for n < 1000 && time100(steps(n)) < 100 {
		n += 100
	}
	if n > 100 && time100(steps(n)) > 150 {
		n -= 100
	}
	scores := map[string]*score{"bench.Compare": {}, "benchstat-one-after-the-other": {}, "benchstat-in-turn": {}}
	dir := t.TempDir()
	after, inTurn := newPile(dir, "after"), newPile(dir, "turn")
	same, slower := trials()
	for i := range same + slower {
		tell(i, same+slower)
		base, other := steps(n), steps(n)
		isSlower := i*slower/(same+slower) != (i+1)*slower/(same+slower)
		if isSlower {
			other = steps(n + n/100)
		}
		c := bench.Compare(base, other, bench.CompareOptions{MaxTime: budget})
		scores["bench.Compare"].count(isSlower, c.Verdict.String())
		if isSlower != (c.Verdict == decide.Slower) && c.Verdict != decide.Same && c.Verdict != decide.Inconclusive || c.Ratio.N < 100 {
			t.Logf("trial %d of %d steps, slower %v: %v, %d rounds, seed %d, %.1f and %.1f ns", i, n, isSlower, c, c.Ratio.N, c.Options.Seed,
				c.BaseTime.Center, c.OtherTime.Center)
		}

		var a, b []float64
		for range 10 {
			a = append(a, perCall(base, budget/20))
		}
		for range 10 {
			b = append(b, perCall(other, budget/20))
		}
		after.add(isSlower, a, b)
		a, b = nil, nil
		for range 10 {
			a = append(a, perCall(base, budget/20))
			b = append(b, perCall(other, budget/20))
		}
		inTurn.add(isSlower, a, b)
	}
	after.judge(t, scores["benchstat-one-after-the-other"])
	inTurn.judge(t, scores["benchstat-in-turn"])
	functionScores = scores
	return scores
}

// time100 returns the time of a call in ns, the least of several.
func time100(f func()) float64 {
	least := 1e9
	for range 20 {
		start := clock.Now()
		for range 1000 {
			f()
		}
		least = min(least, float64(clock.Since(start))/1000)
	}
	return least
}

// perCall returns the seconds per call, measured for about the given time.
func perCall(f func(), during time.Duration) float64 {
	start, calls := clock.Now(), 0
	for clock.Since(start) < during {
		for range 1000 {
			f()
		}
		calls += 1000
	}
	return clock.Since(start).Seconds() / float64(calls)
}
