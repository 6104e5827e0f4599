// SPDX-License-Identifier: BSD-3-Clause

package decide

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestWordsSurviveJSON(t *testing.T) {
	if *new(Verdict) != Inconclusive || *new(Outcome) != Undecided {
		t.Error("the zero values decide something")
	}
	type both struct {
		V Verdict
		O Outcome
	}
	for _, x := range []both{{Inconclusive, Undecided}, {Faster, Passed}, {Slower, Failed}, {Same, Passed}} {
		text, err := json.Marshal(x)
		var back both
		if err != nil || json.Unmarshal(text, &back) != nil || back != x {
			t.Errorf("%s, %v: %+v", text, err, back)
		}
		if want := fmt.Sprintf(`{"V":"%s","O":"%s"}`, x.V, x.O); string(text) != want {
			t.Errorf("%s, want %s", text, want)
		}
	}
	if json.Unmarshal([]byte(`{"V":"quick"}`), &both{}) == nil || Verdict(4).String() != "decide.Verdict(4)" || Verdict(-1).String() != "decide.Verdict(-1)" || Outcome(3).String() != "decide.Outcome(3)" {
		t.Error("words that do not exist")
	}
}

func TestTheWorstOutcomeIsThatOfAll(t *testing.T) {
	all := []Outcome{Passed, Undecided, Failed} // ascending
	for i, a := range all {
		for j, b := range all {
			if got := a.And(b); got != all[max(i, j)] {
				t.Errorf("%s and %s are %s", a, b, got)
			}
		}
	}
	for o, want := range map[Outcome]int{Passed: 0, Failed: 1, Undecided: 3, Outcome(9): 3} {
		if o.ExitCode() != want {
			t.Errorf("%s: exit code %d, want %d", o, o.ExitCode(), want)
		}
	}
}

// judged returns a comparison with known p-values at the limit, on either side.
func judged(failing, passing []float64) func(int, float64) (Outcome, string) {
	return func(i int, error float64) (Outcome, string) {
		switch {
		case failing[i] <= error:
			return Failed, fmt.Sprintf("fails at %.4g", error)
		case passing[i] <= error:
			return Passed, fmt.Sprintf("passes at %.4g", error)
		}
		return Undecided, "open"
	}
}

func TestFailuresShareTheErrorAndPassesDoNot(t *testing.T) {
	failing, passing := []float64{1, 0.01, 0.04, 1, 0.018}, []float64{0.045, 1, 1, 0.06, 1}
	want := []Decision{{Passed, "passes at 0.05"}, {Failed, "fails at 0.01"}, {Undecided, "fails at 0.05; too few runs for one of 4 comparisons"}, {Undecided, "open"},
		{Undecided, "fails at 0.05; too few runs for one of 4 comparisons"}}
	for i, got := range Each(5, 0.95, judged(failing, passing)) {
		if got != want[i] {
			t.Errorf("%d: %+v, want %+v", i, got, want[i])
		}
	}
	if got := Each(1, 0.95, judged([]float64{0.04}, []float64{1})); got[0].Outcome != Failed {
		t.Errorf("alone: %+v", got)
	}
	if len(Each(0, 0.95, nil)) != 0 {
		t.Error("decisions about nothing")
	}
}

// At the limit, each comparison looks slower with a probability of 0.5. The test counts both kinds of errors, whose rates are
// documented.
func TestManyComparisonsKeepTheErrorsOfOne(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const trials, n, level = 20_000, 8, 0.9
	failed, passed := 0, 0
	for range trials {
		failing, passing := make([]float64, n), make([]float64, n)
		for i := range failing {
			failing[i] = r.Float64()
			passing[i] = 1 - failing[i]
			if i > 0 {
				passing[i] = 0 // clearly within the limit; only the first must not pass
			}
		}
		all := Passed
		for _, d := range Each(n, level, judged(failing, passing)) {
			all = all.And(d.Outcome)
		}
		switch all {
		case Failed:
			failed++
		case Passed:
			passed++
		}
	}
	most := trials * (1 - level) * 1.08 // 3.8 standard deviations more
	if float64(failed) > most || float64(passed) > most || float64(failed) < 0.8*most {
		t.Errorf("of %d gates at the limit %d fail and %d pass, which may be %g each", trials, failed, passed, trials*(1-level))
	}
}
