// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"cmp"
	"slices"
)

// tierOf sorts figures by how much they are asked for. The average gets two fifths of the probability of any false
// difference, the six usual figures of the slow end two fifths, and all others share the rest: most of those say the same
// once more, and in equal parts they would leave the others little.
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

// clearOnes tells which differences there are, by the probabilities of such large ones if there were none; 1 is one that
// was not tested. The probability that it names any where nothing differs is at most alpha: Holm's procedure, with weights.
// What a difference that is clear had of alpha is shared by the rest.
func clearOnes(differences []Difference, p []float64, alpha float64) []bool {
	order, sizes := make([]int, len(p)), [len(tierWeights)]float64{}
	for i, d := range differences {
		order[i] = i
		if p[i] < 1 {
			sizes[tierOf(d.Key)]++
		}
	}
	weight := func(i int) float64 {
		tier := tierOf(differences[i].Key)
		return tierWeights[tier] / sizes[tier]
	}
	order = slices.DeleteFunc(order, func(i int) bool { return !(p[i] < 1) })
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a]/weight(a), p[b]/weight(b)) })
	rest := 0.0
	for _, i := range order {
		rest += weight(i)
	}
	out := make([]bool, len(p))
	for _, i := range order {
		if p[i] > alpha*weight(i)/rest {
			break
		}
		out[i] = true
		rest -= weight(i)
	}
	return out
}
