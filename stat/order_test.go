// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/internal/simulated"
	"github.com/strobe-go/strobe/internal/tuned"
	"github.com/strobe-go/strobe/stat/dist"
)

func TestCorrelatedSamplesAreNamed(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	const rounds = 500
	for _, c := range []struct {
		phi         float64
		least, most int
	}{{0, 0, rounds * 5 / 100}, {0.5, rounds * 80 / 100, rounds}, {0.9, rounds * 97 / 100, rounds}} {
		warned := 0
		for range rounds {
			a, b := make([]float64, 30), make([]float64, 30)
			process := simulated.NewAutoregression(c.phi, r.NormFloat64)
			for i := range a {
				a[i] = 100 + process.Next()
			}
			process = simulated.NewAutoregression(c.phi, r.NormFloat64)
			for i := range b {
				b[i] = 100 + process.Next()
			}
			for _, w := range Compare(a, b, 0.95).Warnings {
				if strings.Contains(w, "correlated") {
					warned++
					break
				}
			}
		}
		if warned < c.least || warned > c.most {
			t.Errorf("φ=%v: %d of %d warned, want %d to %d", c.phi, warned, rounds, c.least, c.most)
		}
	}
	for want, other := range map[string][]float64{
		"the values of other are correlated with their neighbours (lag-1 0.57)": {7, 6, 5, 4, 3, 2, 1},
		"values are sorted": {1, 2, 3, 4, 5, 6, 7, 8},
	} {
		if c := Compare(normals(r, 7, 4, 2), other, 0.95); len(c.Warnings) != 1 || !strings.HasPrefix(c.Warnings[0], want) {
			t.Errorf("%v: %q", other, c.Warnings)
		}
	}
	huge := []float64{7e307, 6e307, 5e307, 4e307, 3e307, 2e307, 1e307} // whose squares overflow
	if c := Compare(normals(r, 7, 4, 2), huge, 0.95); len(c.Warnings) == 0 || !strings.HasPrefix(c.Warnings[0], "the values of other are correlated with their neighbours (lag-1 0.57)") {
		t.Errorf("huge values: %q", c.Warnings)
	}
	if c := Compare(normals(r, 7, 0, 1), []float64{1, 2, 3}, 0.95); len(c.Warnings) != 0 {
		t.Errorf("three values cannot tell: %q", c.Warnings)
	}
}

// Correlation causes a warning nearly as often as the best possible test detects it, and correlated samples seldom show a
// difference; independent samples keep nearly all of their power.
func TestCorrelatedSamplesSeldomDiffer(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 16))
	const rounds = 1000
	var table strings.Builder
	table.WriteString("| neighbours | values a side | a difference | without a warning | correlation is named | the best test |\n|---|---:|---:|---:|---:|---:|\n")
	for _, c := range []struct {
		phi, shift    float64
		n             int
		least, most   int // differences shown
		silent, warns int // most differences without a warning, least number of warnings
	}{
		{0, 0, 5, 0, 55, 55, 0}, {0, 0, 10, 0, 55, 55, 0}, {0, 0, 30, 0, 55, 55, 0}, {0, 1.2, 10, 620, 1000, 1000, 0},
		{0.5, 0, 5, 0, 185, 185, 90}, {0.5, 0, 8, 0, 200, 200, 250},
		{0.5, 0, 10, 0, 185, 185, 360}, {0.5, 0, 20, 0, 100, 80, 780}, {0.5, 0, 50, 0, 65, 5, 980},
		{0.9, 0, 5, 0, 560, 510, 220}, {0.9, 0, 8, 0, 400, 240, 600},
		{0.9, 0, 10, 0, 320, 150, 790}, {0.9, 0, 20, 0, 155, 10, 980}, {0.9, 0, 50, 0, 85, 5, 990},
	} {
		shown, silent, warns, best := 0, 0, 0, 0
		likelihood := func(x []float64) (sum float64) { // likelihood of an autoregression, given the order
			for i, v := range x[1:] {
				off := v - 10 - c.phi*(x[i]-10)
				sum -= off * off
			}
			return sum
		}
		for range rounds {
			a, b := make([]float64, c.n), make([]float64, c.n)
			simulated.Noisy(c.phi, simulated.Level)(r, a)
			simulated.Noisy(c.phi, func(int) float64 { return 10 + c.shift })(r, b)
			got := Compare(a, b, 0.95)
			warned := slices.ContainsFunc(got.Warnings, func(w string) bool { return strings.Contains(w, "correlated with") })
			if warned {
				warns++
			}
			if got.Finding == Higher || got.Finding == Lower {
				shown++
				if !warned {
					silent++
				}
			}
			if c.phi > 0 && orderTells(r, likelihood, a, b) {
				best++
			}
		}
		t.Logf("φ=%v, shift %v, n=%d: of %d a difference shown in %d, in %d without a warning; %d warned of, %d by the best test", c.phi, c.shift, c.n, rounds, shown, silent, warns, best)
		if shown < c.least || shown > c.most || silent > c.silent || warns < c.warns || c.phi == 0 && warns > 50 || warns < best-150 {
			t.Errorf("φ=%v, shift %v, n=%d: of %d a difference shown in %d, in %d without a warning; %d warned of, %d by the best test", c.phi, c.shift, c.n, rounds, shown, silent, warns, best)
		}
		if c.shift == 0 {
			of := func(count int) string { return fmt.Sprintf("%.1f", 100*float64(count)/rounds) }
			name, power := fmt.Sprintf("AR(%v)", c.phi), of(best)
			if c.phi == 0 {
				name, power = "independent", "-"
			}
			fmt.Fprintf(&table, "| %s | %d | %s | %s | %s | %s |\n", name, c.n, of(shown), of(silent), of(warns), power)
		}
	}
	documented(t, "comparisons", table.String())
}

// Correlation on one side is named on that side, and reversing the values changes nothing: only differences of neighbours matter.
func TestCorrelationIsNamedOnItsSide(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 17))
	steady := normals(r, 30, 10, 1)
	moving := make([]float64, 30)
	for i := range moving {
		moving[i] = 10 + math.Sin(float64(i)/3) + 0.1*r.NormFloat64()
	}
	for want, c := range map[string]Comparison{
		"the values of base are correlated":       Compare(moving, steady, 0.95),
		"the values of other are correlated":      Compare(steady, moving, 0.95),
		"the values of both sides are correlated": Compare(moving, moving, 0.95),
	} {
		if len(c.Warnings) != 1 || !strings.HasPrefix(c.Warnings[0], want) {
			t.Errorf("%q, want %q", c.Warnings, want)
		}
	}
}

// If correlation inflates the variances of means fourfold, the p-value is that of half their distance, with a quarter of the
// degrees of freedom, and the interval is wider accordingly.
func TestCorrelatedValuesCountAsFewer(t *testing.T) {
	w := welchMeans{difference: 3, va: 1, vb: 1.25, free: 20}
	if got, want := w.p(4), 2*dist.StudentTail(1, 5); math.Abs(got-want) > 1e-15 {
		t.Errorf("p %v, want %v", got, want)
	}
	if got, want := (tuned.Order{Inflation: 4}).Widening(20, 0.05), 2*dist.StudentUpper(0.025, 5)/dist.StudentUpper(0.025, 20); math.Abs(got-want) > 1e-12 {
		t.Errorf("widened by %v, want %v", got, want)
	}
	if p := (welchMeans{free: 3}).p(2); p != 1 {
		t.Errorf("no difference and no variance: %v", p)
	}
	if p := (welchMeans{difference: 1, free: 3}).p(2); p != 0 {
		t.Errorf("a difference without variance: %v", p)
	}
}
