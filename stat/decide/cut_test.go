// SPDX-License-Identifier: BSD-3-Clause

package decide

import (
	"math"
	"math/big"
	"testing"
)

// The published table of critical values of U, two-sided: H. B. Mann and D. R. Whitney's test as tabulated by L. C. Auble,
// "Extended tables for the Mann-Whitney statistic" (1953).
func TestCutIsThatOfThePublishedTable(t *testing.T) {
	for _, row := range []struct{ m, n, at05, at01 int }{
		{3, 3, -1, -1}, {4, 4, 0, -1}, {5, 5, 2, 0}, {6, 6, 5, 2}, {7, 7, 8, 4}, {8, 8, 13, 7}, {9, 9, 17, 11}, {10, 10, 23, 16},
		{12, 12, 37, 27}, {15, 15, 64, 51}, {20, 20, 127, 105}, {3, 8, 2, -1}, {5, 9, 7, 3}, {9, 5, 7, 3}, {10, 20, 55, 42}, {2, 8, 0, -1},
	} {
		if c, ok := Cut(row.m, row.n, 0.025); ok != (row.at05 >= 0) || ok && c != row.at05 {
			t.Errorf("%d and %d, 5 %%: %d %v, want %d", row.m, row.n, c, ok, row.at05)
		}
		if c, ok := Cut(row.m, row.n, 0.005); ok != (row.at01 >= 0) || ok && c != row.at01 {
			t.Errorf("%d and %d, 1 %%: %d %v, want %d", row.m, row.n, c, ok, row.at01)
		}
	}
}

func TestCutAtTheEnds(t *testing.T) {
	if c, ok := Cut(1, 3, 0.25); !ok || c != 0 { // U is 0 in exactly one of four
		t.Errorf("%d, %v", c, ok)
	}
	if c, ok := Cut(1, 3, 0.9); !ok || c != 1 { // a tail is at most 0.5
		t.Errorf("%d, %v", c, ok)
	}
	for _, tail := range []float64{0, -1, math.NaN(), math.Inf(-1)} {
		for _, n := range []int{0, 3, 1000} {
			if c, ok := Cut(n, 1000, tail); ok || c >= 0 {
				t.Errorf("%d, tail %v: %d", n, tail, c)
			}
		}
	}
	for _, n := range []int{-1, 0} {
		if _, ok := Cut(n, 5, 0.4); ok {
			t.Errorf("a cut of %d values", n)
		}
	}
}

func BenchmarkCut(b *testing.B) {
	for b.Loop() {
		Cut(exactLimit, exactLimit, 0.005)
	}
}

// exactCut is Cut in whole numbers, for samples of any size.
func exactCut(m, n int, tail float64) int {
	ways := make([]*big.Int, m*n+1)
	for u := range ways {
		ways[u] = new(big.Int)
	}
	ways[0].SetInt64(1)
	for i := 1; i <= m; i++ {
		for u := m * n; u >= n+i; u-- {
			ways[u].Sub(ways[u], ways[u-n-i])
		}
		for u := i; u <= m*n; u++ {
			ways[u].Add(ways[u], ways[u-i])
		}
	}
	all := new(big.Float).SetInt(new(big.Int).Binomial(int64(m+n), int64(m)))
	limit, _ := all.Mul(all, big.NewFloat(tail)).Int(nil)
	below, c := new(big.Int), 0
	for ; below.Add(below, ways[c]).Cmp(limit) <= 0; c++ {
	}
	return c - 1
}

func TestCutIsExactWhereItCounts(t *testing.T) {
	for _, tail := range []float64{0.25, 0.025, 0.005, 0.0005, 1e-5, 1e-9} {
		for _, s := range [][2]int{{4, 7}, {28, 28}, {29, 28}, {25, 33}, {33, 25}, {40, 40}, {30, 50}, {50, 50}, {3, 300}, {10, 120}} {
			want := exactCut(s[0], s[1], tail)
			if c, ok := Cut(s[0], s[1], tail); ok != (want >= 0) || ok && c != want {
				t.Errorf("%v, tail %v: %d, want %d", s, tail, c, want)
			}
			if c, _ := Cut(s[1], s[0], tail); want >= 0 && c != want {
				t.Errorf("%v the other way round, tail %v: %d, want %d", s, tail, c, want)
			}
		}
	}
}

func TestTheApproximationOfTheCutIsGoodToARank(t *testing.T) {
	for _, tail := range []float64{0.025, 0.005, 0.0005, 1e-5} {
		for _, s := range []struct{ n, m, less int }{{51, 50, 1}, {51, 51, 1}, {40, 80, 1}, {70, 45, 1}, {10, 1260, 40}} {
			if s.n*s.m*min(s.n, s.m) <= exactWork {
				t.Fatalf("%v is counted", s)
			}
			want := exactCut(s.n, s.m, tail)
			if c, ok := Cut(s.n, s.m, tail); !ok || c < want-s.less || c > want {
				t.Errorf("%v, tail %v: %d, want %d or %d less", s, tail, c, want, s.less)
			}
		}
	}
	if c, ok := Cut(20_000, 30_000, 0.005); !ok || math.Abs(float64(c)/3e8-1+2.5758293*math.Sqrt(50_001./12/6e8)*2) > 1e-4 {
		t.Errorf("%d", c)
	}
}

// The smaller the tail, the smaller the cut, even far beyond the range of the expansion.
func TestCutFallsWithTheTail(t *testing.T) {
	for _, s := range [][2]int{{51, 51}, {5, 6000}, {2, 40_000}, {1, 200_000}} {
		before := math.MaxInt
		for exponent := 0.5; exponent < 300; exponent *= 1.1 {
			c, ok := Cut(s[0], s[1], math.Pow(10, -exponent))
			if c > before || ok != (c >= 0) {
				t.Fatalf("%v, tail 1e-%g: %d, after %d", s, exponent, c, before)
			}
			before = c
		}
		if before >= 0 {
			t.Errorf("%v: a cut of %d at 1e-300", s, before)
		}
	}
}
