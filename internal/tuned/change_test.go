// SPDX-License-Identifier: BSD-3-Clause

package tuned

import (
	"math"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/internal/series"
)

func TestChangesAreWrittenWithTheirSize(t *testing.T) {
	for want, c := range map[string]struct {
		c             Change
		samples, mean float64
	}{
		"not stationary: the level changes near sample 320 by +25 % of the mean": {Change{Kind: Step, At: 40, Size: 5}, 8, 20},
		"not stationary: the level changes near sample 40; treat":                {Change{Kind: Step, At: 40, Size: 5}, 1, 0},
		"not stationary: the samples drift by -50 % of the mean from start":      {Change{Kind: Trend, Size: -5}, 8, -10},
		"not stationary: the samples drift by +194 % of the mean from start":     {Change{Kind: Trend, Size: 99}, 8, 51},
		"periodic: a pattern repeats every 100 samples":                          {Change{Kind: Period, Length: 12.5}, 8, 1},
	} {
		if got := c.c.warning(c.samples, c.mean); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if text := (Change{}).warning(1, 1); text != "" {
		t.Errorf("no change: %q", text)
	}
}

func TestChangesOfExactSeriesAreFound(t *testing.T) {
	line, edge := make([]float64, 40), make([]float64, 40)
	for i := range line {
		line[i] = 3 * float64(i)
		edge[i] = float64(i%2) / 100
		if i >= 25 {
			edge[i] -= 7
		}
	}
	if c := Committed.Change(line); c.Kind != Trend || math.Abs(c.Size-117) > 1e-9 {
		t.Errorf("line: %+v", c)
	}
	if c := Committed.Change(edge); c.Kind != Step || c.At != 25 || math.Abs(c.Size+7) > 0.01 {
		t.Errorf("edge: %+v", c)
	}
	for _, w := range [][]float64{nil, line[:15], make([]float64, 40)} {
		if c := Committed.Change(w); c.Kind != NoChange {
			t.Errorf("%v: %+v", w, c)
		}
	}
}

// A few large values near an end make the means of both sides differ, but not the ranks. That is not a step.
func TestOutliersAreNotAStep(t *testing.T) {
	w := make([]float64, 40)
	for i := range w {
		w[i] = float64(i * 17 % 40) // in no order
	}
	w[36], w[38], w[39] = 4000, 4100, 3900
	s, _, errors := Committed.bestStep(w, series.Describe(w))
	if s.At != 36 || errors < Committed.ChangeSurely {
		t.Fatalf("the means have no step: %+v, %v standard errors", s, errors)
	}
	if c := Committed.Change(w); c.Kind == Step {
		t.Errorf("%+v", c)
	}
}
