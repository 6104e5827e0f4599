// SPDX-License-Identifier: BSD-3-Clause

package toll

import (
	"math"
	"slices"
	"testing"
	"time"
)

func TestASpanThatIsSeldomBegunMayFindItsDataGone(t *testing.T) {
	for _, x := range []struct {
		spans uint64
		in    time.Duration
		cold  float64
		want  Cost
	}{
		{0, time.Second, 300, Cost{16, 20, 46}},
		{1, 0, 300, Cost{16, 20, 46}},
		{200_001, time.Second, 300, Cost{16, 20, 46}},
		{200_000, time.Second, 300, Cost{16, 20, 300}},
		{100_000, time.Second, 300, Cost{16, 90, 300}},
		{50_000, time.Second, 300, Cost{16, 125, 300}},
		{1, 1 << 60, 300, Cost{16, 160, 300}},
		{50_000, time.Second, 0, Cost{16, 20, 46}}, // not known
		{50_000, time.Second, 19, Cost{16, 20, 46}},
		{50_000, time.Second, 28, Cost{16, 23, 46}},
	} {
		got := Span(20, x.cold, x.spans, x.in)
		if got.Likely = math.Round(got.Likely); got != x.want {
			t.Errorf("%d spans in %v, cold %v ns: %+v, want %+v", x.spans, x.in, x.cold, got, x.want)
		}
	}
}

func TestCostsAddUp(t *testing.T) {
	if got, want := (Cost{1, 2, 3}).Times(10).Plus(Cost{100, 200, 300}), (Cost{110, 220, 330}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// What runs of public programs with zones in their functions took, in seconds of processor time, beside runs without, on a busy machine, and
// what their calls would have taken in a loop. An estimate that is low for most programs would flatter, one that is high would drop zones.
func TestWhatCallsTookInPublicPrograms(t *testing.T) {
	type program struct {
		name                            string
		plain, with, readings, measured float64
	}
	ratios := make(map[string][]float64)
	for _, x := range []program{
		{"gopher-lua v1.1.1, a script", 1.50, 2.06, 0.098, 0.374},
		{"gopher-lua v1.1.1, a script", 1.49, 2.01, 0.076, 0.357},
		{"gopher-lua v1.1.1, a script", 1.49, 2.01, 0.074, 0.362},
		{"gomarkdown, printast", 0.23, 0.36, 0.027, 0.073},
		{"gomarkdown, printast", 0.23, 0.38, 0.032, 0.069},
		{"gomarkdown, printast", 0.23, 0.38, 0.029, 0.081},
		{"gomarkdown, printast, a long text", 1.26, 1.82, 0.031, 0.239},
		{"goja, a script", 0.85, 1.35, 0.072, 0.367},
		{"goja, a script", 0.77, 1.30, 0.059, 0.402},
		{"goja, a script", 0.81, 1.31, 0.059, 0.419},
	} {
		c, took := InALoop(x.measured).InFunctions(), x.with-x.readings-x.plain
		if took < c.Least || took > c.Most {
			t.Errorf("%s: calls took %v s, and the bounds are %v and %v s", x.name, took, c.Least, c.Most)
		}
		ratios[x.name] = append(ratios[x.name], took/c.Likely)
	}
	mean := 0.0 // of the logarithms: too much in one program and too little in another cancel out
	for _, all := range ratios {
		slices.Sort(all)
		mean += math.Log(all[len(all)/2]) / float64(len(ratios))
	}
	if math.Abs(mean) > math.Log(1.15) {
		t.Errorf("calls took %.2f times of what was likely", math.Exp(mean))
	}
}

func TestTheLikelyCostIsWithinItsBounds(t *testing.T) {
	if got, want := (Cost{1, 2, 3}).InFunctions(), (Cost{1, 2 * likely, 3}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := (Cost{1, 2.9, 3}).InFunctions(); got.Likely != 3 {
		t.Errorf("%+v", got)
	}
}
