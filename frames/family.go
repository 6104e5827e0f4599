// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"cmp"
	"slices"

	"github.com/strobe-go/strobe/stat/decide"
)

// tierOf ranks figures by importance. The average gets two fifths of the probability of any false difference, the six usual
// figures of the slow end share two fifths, and all others share the rest. Most of the others repeat the same information, and
// equal shares would leave little for the important ones.
func tierOf(key string) (tier int) {
	switch key {
	case "avg_fps":
		return 0
	case "p1_fps", "p01_fps", "low1_average_fps", "low01_average_fps", "low1_integral_fps", "low01_integral_fps":
		return 1
	}
	return 2
}

var tierWeights = [...]float64{0.4, 0.4, 0.2}

// A decision says whether there is a difference, and the level of confidence at which that was decided.
type decision struct {
	clear bool
	level float64
}

// judge decides which figures differ, given their keys and p-values; 1 is a figure that was not tested. The probability that it
// names any figure if none differs is at most alpha (Holm's procedure, with weights). The share of alpha of a clear difference
// passes to the remaining figures.
//
// An interval at the level that decided excludes 0 if the difference is clear, and contains 0 if it is not.
func judge(keys []string, p []float64, alpha float64) []decision {
	order, sizes := make([]int, len(p)), [len(tierWeights)]float64{}
	out := make([]decision, len(p))
	for i, key := range keys {
		order[i], out[i].level = i, 1-alpha
		if p[i] < 1 {
			sizes[tierOf(key)]++
		}
	}
	weight := func(i int) float64 {
		tier := tierOf(keys[i])
		return tierWeights[tier] / sizes[tier]
	}
	order = slices.DeleteFunc(order, func(i int) bool { return !(p[i] < 1) })
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a]/weight(a), p[b]/weight(b)) })
	weights := make([]float64, len(order))
	for k, i := range order {
		weights[k] = weight(i)
	}
	for k, x := range decide.Holm(alpha, weights, func(k int, share float64) bool { return p[order[k]] <= share }) {
		out[order[k]] = decision{x.Rejected, 1 - x.Error}
	}
	return out
}
