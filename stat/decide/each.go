// SPDX-License-Identifier: BSD-3-Clause

package decide

import "fmt"

// A Decision is the outcome of a gate for one comparison, with its reason in a sentence.
type Decision struct {
	Outcome Outcome // never a guess: Undecided if the samples allow either
	Reason  string  // as judge gave it, and why it does not fail together with the others
}

// Each applies a gate to n comparisons together. The function judge returns the outcome of comparison i if a failure, and also a
// pass, may be wrong with the probability error; with a larger error it must decide whatever it decides with a smaller one.
//
// The two outcomes need different tests. A failure is a claim about any of the comparisons, so they share the error by the
// procedure of [Holm]: the probability that any comparison fails wrongly is at most 1 - level. A pass is a claim about each of
// them, so each is judged with the whole error: the probability that all pass although one must not is at most 1 - level. A
// comparison that would fail on its own, but not together with the others, is Undecided.
//
// Source: R. L. Berger, "Multiparameter hypothesis testing and acceptance sampling", Technometrics 24 (1982).
func Each(n int, level float64, judge func(i int, error float64) (Outcome, string)) []Decision {
	out := make([]Decision, n)
	open := n
	tested := Holm(1-level, Equal(n), func(i int, error float64) bool {
		out[i].Outcome, out[i].Reason = judge(i, error)
		if out[i].Outcome == Failed {
			open--
		}
		return out[i].Outcome == Failed
	})
	for i, x := range tested {
		if x.Rejected {
			continue
		}
		d := &out[i]
		if d.Outcome, d.Reason = judge(i, 1-level); d.Outcome == Failed {
			d.Outcome, d.Reason = Undecided, d.Reason+fmt.Sprintf("; too few runs for one of %d comparisons", open)
		}
	}
	return out
}
