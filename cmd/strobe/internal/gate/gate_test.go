// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"slices"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat/decide"
)

func TestTheExitCodeIsThatOfTheWorstOutcome(t *testing.T) {
	for _, c := range []struct {
		outcomes []decide.Outcome
		code     int
		text     string
	}{
		{nil, session.Done, ""},
		{[]decide.Outcome{decide.Passed, decide.Passed}, session.Done, ""},
		{[]decide.Outcome{decide.Passed, decide.Undecided, decide.Passed}, session.Inconclusive, "the gate of 5 % is undecided"},
		{[]decide.Outcome{decide.Undecided, decide.Failed, decide.Undecided}, session.GateFailed, "the gate of 5 % failed"},
	} {
		g := New(0.05)
		for _, o := range c.outcomes {
			g.Add(o, "")
		}
		err := g.Err()
		if session.CodeOf(err) != c.code || err != nil && err.Error() != c.text || len(g.Reasons) > 0 {
			t.Errorf("%v: %v, exit %d", c.outcomes, err, session.CodeOf(err))
		}
	}
	if (*Gate)(nil).Err() != nil {
		t.Error("no gate has an error")
	}
}

func TestOfManyComparisonsThoseThatPassAreCounted(t *testing.T) {
	g := New(0.05)
	passed := g.Judge(3, 0.95, func(i int, error float64) (decide.Outcome, string) {
		switch p := []float64{0.001, 0.03, 1}[i]; {
		case p <= error:
			return decide.Failed, "slow"
		case p == 1:
			return decide.Passed, "fast"
		}
		return decide.Undecided, "unclear"
	})
	if want := []string{"failed: slow", "undecided: slow; too few runs for one of 2 comparisons"}; passed != 1 || g.Outcome != decide.Failed || !slices.Equal(g.Reasons, want) {
		t.Errorf("%d passed, %s: %q", passed, g.Outcome, g.Reasons)
	}
}
