// SPDX-License-Identifier: BSD-3-Clause

package decide

// A Tested is what [Holm] did with a hypothesis.
type Tested struct {
	Rejected bool
	Error    float64 // at which it was rejected, or tested last
}

// Holm tests several hypotheses so that the probability of rejecting any that is true is at most alpha, whichever are. Weights
// say how much of alpha each begins with, in relation to the others; they are above 0. The share of a rejected hypothesis
// passes to the rest, and the procedure ends when no more are rejected.
//
// The function rejects tests hypothesis i with this error; whoever rejects with a small error must with a larger one. It is called
// in the order of the weights, and again after a rejection. If p-values are known, the order of p/weight rejects each with the
// largest error that the procedure allows; what is rejected does not depend on the order.
//
// Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979).
func Holm(alpha float64, weights []float64, rejects func(i int, error float64) bool) []Tested {
	out := make([]Tested, len(weights))
	rest := 0.0
	for _, w := range weights {
		rest += w
	}
	for again := true; again; {
		again = false
		for i, w := range weights {
			if out[i].Rejected {
				continue
			}
			out[i].Error = min(alpha, alpha*w/rest)
			if rejects(i, out[i].Error) {
				out[i].Rejected, again = true, true
				rest -= w
			}
		}
	}
	return out
}

// Equal returns n equal weights.
func Equal(n int) []float64 {
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = 1
	}
	return weights
}
