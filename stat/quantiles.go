// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"cmp"
	"math"
	"slices"
)

// Quantile returns the value that a fraction q of the samples does not exceed: the middle of the cell of the sample of rank
// ⌈q·n⌉, and never outside Min to Max. q <= 0 gives Min, q >= 1 gives Max; without samples it is 0; see N. Quantiles returns
// several in the time of one.
func (h *Histogram) Quantile(q float64) int64 {
	var out [1]int64
	h.quantiles(out[:], []float64{q}, []int{0})
	return out[0]
}

// Quantiles returns the quantiles qs, in any order, each as Quantile does.
func (h *Histogram) Quantiles(qs ...float64) []int64 {
	order := make([]int, len(qs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(qs[a], qs[b]) })
	out := make([]int64, len(qs))
	h.quantiles(out, qs, order)
	return out
}

// quantiles sets out to the quantiles qs, which ascend in the given order.
func (h *Histogram) quantiles(out []int64, qs []float64, order []int) {
	n, least, most := h.N(), h.Min(), h.Max()
	for len(order) > 0 && (n == 0 || !(qs[order[0]] > 0)) {
		out[order[0]], order = least, order[1:]
	}
	seen := uint64(0)
	h.each(func(lo, hi int64, c uint64) bool {
		seen += c
		for len(order) > 0 && qs[order[0]] < 1 && math.Ceil(qs[order[0]]*float64(n)*(1-4e-16)) <= float64(seen) { // 0.07·100 is a little more than 7
			out[order[0]], order = max(least, min(most, lo+(hi-lo)/2)), order[1:]
		}
		return len(order) > 0
	})
	for _, i := range order {
		out[i] = most
	}
}
