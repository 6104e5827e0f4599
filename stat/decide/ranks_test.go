// SPDX-License-Identifier: BSD-3-Clause

package decide

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// permutations returns the two-sided p-value by trying every choice of len(a) from all values.
func permutations(a, b []float64) float64 {
	all := slices.Concat(a, b)
	u := func(chosen uint) (twice int) {
		for i := range all {
			for j := range all {
				if chosen>>i&1 == 1 && chosen>>j&1 == 0 {
					switch {
					case all[i] > all[j]:
						twice += 2
					case all[i] == all[j]:
						twice++
					}
				}
			}
		}
		return twice
	}
	at := u(1<<len(a) - 1)
	low, high, total := 0, 0, 0
	for chosen := range uint(1) << len(all) {
		count := 0
		for c := chosen; c > 0; c &= c - 1 {
			count++
		}
		if count != len(a) {
			continue
		}
		total++
		if v := u(chosen); v <= at {
			low++
			if v == at {
				high++
			}
		} else {
			high++
		}
	}
	return min(1, 2*float64(min(low, high))/float64(total))
}

func TestMannWhitneyCountsPermutationsAlsoWithTies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 60 {
		a, b := make([]float64, 1+r.IntN(6)), make([]float64, 1+r.IntN(6))
		span := 2 + r.IntN(12)
		for i := range a {
			a[i] = float64(r.IntN(span))
		}
		for i := range b {
			b[i] = float64(r.IntN(span))
		}
		want := permutations(a, b)
		slices.Sort(a)
		slices.Sort(b)
		if got := MannWhitney(a, b); math.Abs(got.P-want) > 1e-12 || got.Least > got.P+1e-12 {
			t.Errorf("%v and %v: %+v, want %v", a, b, got, want)
		}
	}
}

func TestBothWaysToCountWithoutTiesAgree(t *testing.T) {
	const n, m = 9, 7
	byGroups := tiedWays(n, m, slices.Repeat([]int{1}, n+m))
	direct := allWays(n, m)
	total := 0.0
	for u, w := range direct {
		total += w
		if byGroups[2*u] != w {
			t.Errorf("U=%d: %v and %v", u, byGroups[2*u], w)
		}
	}
	if total != binomial(n+m, n) {
		t.Errorf("%v ways, want %v", total, binomial(n+m, n))
	}
}

// With ties and more than 25 values per side, the p-value is an approximation close to the exact one.
func TestNormalApproximationIsNearTheExactTest(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, span := range []int{2, 3, 8, 1000} {
		a, b := make([]float64, 28), make([]float64, 30)
		for i := range a {
			a[i] = float64(r.IntN(span))
		}
		for i := range b {
			b[i] = float64(r.IntN(span)) + float64(r.IntN(2))/2*float64(span)/4
		}
		slices.Sort(a)
		slices.Sort(b)
		twiceU, groups := rankGroups(a, b)
		exact := twoTails(tiedWays(len(a), len(b), groups), twiceU)
		if got := MannWhitney(a, b); math.Abs(got.P-exact) > 0.06*exact+1e-4 || got.Above != (twiceU > len(a)*len(b)) {
			t.Errorf("%d values: p %v, exactly %v", span, got.P, exact)
		}
	}
	if got := MannWhitney(make([]float64, 60), make([]float64, 60)); got.P != 1 || got.Least != 1 || got.Above {
		t.Errorf("equal values: %+v", got)
	}
}

// With more than 50 values per side, U is treated as normal, with a correction for continuity. Near the middle, where it matters
// most, the result is that of the exact distribution to 1 in 1000; without the correction the error would be three times as
// large.
func TestTheNormalApproximationOfUIsCorrectedForContinuity(t *testing.T) {
	const n = exactLimit + 1
	ways := allWays(n, n)
	for _, above := range []int{0, 5, 20} { // shift of b against a, in values
		a, b := make([]float64, n), make([]float64, n)
		for i := range n {
			a[i], b[i] = float64(2*i), float64(2*(i+above)+1)
		}
		twiceU, _ := rankGroups(b, a)
		got, want := MannWhitney(b, a).P, twoTails(ways, twiceU/2)
		if math.Abs(got-want) > 1e-3 {
			t.Errorf("shifted by %d: p = %v, exactly %v", above, got, want)
		}
	}
}

func TestTheTestIsTheSameBothWaysRound(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		a, b := drawn(r, 1+r.IntN(60), 1+r.IntN(40)), drawn(r, 1+r.IntN(60), 1+r.IntN(40))
		one, other := MannWhitney(a, b), MannWhitney(b, a)
		if math.Abs(one.P-other.P) > 1e-12 || math.Abs(one.Least-other.Least) > 1e-12 || one.Above && other.Above || one.Least > one.P+1e-12 || one.P > 1 {
			t.Errorf("%v and %v: %+v and %+v", a, b, one, other)
		}
		if !one.Above && !other.Above && one.P < 1 {
			t.Errorf("%v and %v: neither is above, but P is %v", a, b, one.P)
		}
	}
}

func TestTheTestOfNothingShowsNothing(t *testing.T) {
	nan := math.NaN()
	for _, s := range [][2][]float64{{nil, nil}, {{1}, nil}, {nil, {1, 2}}, {{nan, nan}, {1, nan}}} {
		if got := MannWhitney(s[0], s[1]); got.Above || got.P != 1 {
			t.Errorf("%v: %+v", s, got)
		}
	}
}

// drawn returns n sorted values, of the given number of different ones.
func drawn(r *rand.Rand, n, span int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(r.IntN(span))
	}
	slices.Sort(x)
	return x
}

// The interval of a shift contains what the test does not reject: it contains 0 if and only if P is above the error.
func TestTheIntervalHoldsWhatTheTestDoesNotReject(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	rejected := 0
	for range 2000 {
		a, b := make([]float64, 1+r.IntN(14)), make([]float64, 1+r.IntN(14))
		for i := range a {
			a[i] = r.NormFloat64()
		}
		for i := range b {
			b[i] = r.NormFloat64() + 1
		}
		slices.Sort(a)
		slices.Sort(b)
		alpha := 0.001 + 0.3*r.Float64()
		p := MannWhitney(a, b).P
		cut, ok := Cut(len(a), len(b), alpha/2)
		d := NewDifferences(a, b)
		outside := ok && (d.At(cut+1) > 0 || d.At(d.N()-cut) < 0)
		if outside != (p <= alpha) {
			t.Errorf("%v and %v: P is %v at an error of %v, but 0 outside the interval is %v", a, b, p, alpha, outside)
		}
		if outside {
			rejected++
		}
	}
	if rejected < 200 || rejected > 1800 {
		t.Errorf("%d of 2000 are rejected", rejected)
	}
}
