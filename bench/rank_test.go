// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The published table of critical values of the signed rank test, two-sided: F. Wilcoxon and R. A. Wilcox, "Some Rapid Approximate
// Statistical Procedures" (1964).
func TestRankCutIsThatOfThePublishedTable(t *testing.T) {
	for _, row := range []struct {
		n           int
		at05, at01  int
		none, none1 bool
	}{
		{n: 5, none: true, none1: true}, {n: 6, at05: 0, none1: true}, {n: 7, at05: 2, none1: true}, {n: 8, at05: 3, at01: 0},
		{n: 9, at05: 5, at01: 1}, {n: 10, at05: 8, at01: 3}, {n: 12, at05: 13, at01: 7}, {n: 15, at05: 25, at01: 15},
		{n: 20, at05: 52, at01: 37}, {n: 25, at05: 89, at01: 68}, {n: 50, at05: 434, at01: 373},
	} {
		if c, ok := rankCut(row.n, 0.025); ok == row.none || ok && c != row.at05 {
			t.Errorf("n = %d, 5 %%: %d %v, want %d", row.n, c, ok, row.at05)
		}
		if c, ok := rankCut(row.n, 0.005); ok == row.none1 || ok && c != row.at01 {
			t.Errorf("n = %d, 1 %%: %d %v, want %d", row.n, c, ok, row.at01)
		}
	}
}

func TestRankCutChangesLittleWhereTheApproximationBegins(t *testing.T) {
	for _, tail := range []float64{0.025, 0.005, 0.0005} {
		exact, _ := rankCut(64, tail)
		next, _ := rankCut(65, tail)
		if step := next - exact; step < 0 || step > 40 { // the step from 63 to 64 is about 23
			t.Errorf("tail %v: %d at 64, %d at 65", tail, exact, next)
		}
	}
}

func TestWalshAveragesAreCountedAsWhenSorted(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 30; n++ {
		s := make([]float64, n)
		for i := range s {
			s[i] = math.Round(4*rng.NormFloat64()) / 4 // with ties
		}
		slices.Sort(s)
		var all []float64
		for i := range s {
			for j := i; j < n; j++ {
				all = append(all, s[i]/2+s[j]/2)
			}
		}
		slices.Sort(all)
		for k, want := range all {
			if got := walsh(s, k+1); math.Abs(got-want) > 1e-12 {
				t.Fatalf("n = %d, number %d: %v, want %v", n, k+1, got, want)
			}
		}
	}
}

func TestOneWildValueMovesTheIntervalLittle(t *testing.T) {
	d := []float64{0.01, 0.02, 0, 0.03, 0.01, 0.02, 0.01, 0, 0.02, 0.01, 0.03, 0.02}
	_, _, before, _, _ := location(d, 0.95)
	d[3] = 50
	center, lo, hi, _, ok := location(d, 0.95)
	if !ok || hi > before+0.02 || lo < 0 || center < lo || center > hi {
		t.Errorf("%v [%v, %v]", center, lo, hi)
	}
}
