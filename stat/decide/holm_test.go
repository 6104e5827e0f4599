// SPDX-License-Identifier: BSD-3-Clause

package decide

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// closed is the closed test that Holm's procedure abbreviates: it rejects a hypothesis if the weighted Bonferroni test rejects
// every set of hypotheses that contains it.
func closed(alpha float64, weights, p []float64) []bool {
	out := make([]bool, len(p))
	for i := range out {
		out[i] = true
	}
	for set := 1; set < 1<<len(p); set++ {
		sum, least := 0.0, math.Inf(1)
		for i, w := range weights {
			if set>>i&1 == 1 {
				sum += w
				least = min(least, p[i]/w)
			}
		}
		for i := range p {
			if set>>i&1 == 1 && least*sum > alpha {
				out[i] = false
			}
		}
	}
	return out
}

func TestHolmIsTheClosedTest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	seen := map[int]int{}
	for range 3000 {
		n := 1 + r.IntN(6)
		weights, p := make([]float64, n), make([]float64, n)
		for i := range p {
			weights[i], p[i] = 0.1+r.Float64(), 0.2*r.Float64()*r.Float64()
		}
		const alpha = 0.1
		want := closed(alpha, weights, p)
		var got []bool
		count := 0
		for i, x := range Holm(alpha, weights, func(i int, error float64) bool { return p[i] <= error }) {
			if got = append(got, x.Rejected); x.Rejected {
				count++
			}
			if x.Rejected != (p[i] <= x.Error) || x.Error > alpha {
				t.Errorf("P %v is compared with an error of %v: %v", p[i], x.Error, x.Rejected)
			}
		}
		if seen[count]++; !slices.Equal(got, want) {
			t.Errorf("weights %v, P %v: %v, want %v", weights, p, got, want)
		}
	}
	if len(seen) != 7 {
		t.Errorf("numbers of rejections: %v", seen)
	}
}

func TestWhatIsRejectedLeavesItsErrorToTheRest(t *testing.T) {
	got := Holm(0.12, Equal(4), func(i int, error float64) bool { return []float64{0.03, 1, 0.05, 0.04}[i] <= error })
	for i, want := range []Tested{{true, 0.03}, {false, 0.12}, {true, 0.06}, {true, 0.04}} {
		if got[i].Rejected != want.Rejected || math.Abs(got[i].Error-want.Error) > 1e-15 {
			t.Errorf("%d: %+v, want %+v", i, got[i], want)
		}
	}
	if len(Holm(0.05, nil, nil)) != 0 {
		t.Error("results of no hypotheses")
	}
}

func TestAllAnalysesTogetherSpendTheError(t *testing.T) {
	sum := Final
	for k := range 100_000 {
		if Interim(k+1) >= Interim(k) {
			t.Fatalf("analysis %d has more than the one before", k+1)
		}
		sum += Interim(k)
	}
	if sum > 1 || sum < 0.9999 {
		t.Errorf("%v of the error", sum)
	}
	if Spent(1) != 1-Final || Spent(7) != Spent(1) || Spent(0) != 0 || Spent(-1) != 0 || math.Abs(Spent(0.5)-Spent(1)/4) > 1e-15 {
		t.Errorf("%v, %v, %v", Spent(-1), Spent(0.5), Spent(7))
	}
}
