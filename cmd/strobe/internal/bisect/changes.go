// SPDX-License-Identifier: BSD-3-Clause

package bisect

import (
	"cmp"
	"math"
	"slices"
)

// A change is a rise or a fall of the cost at one of several revisions.
type change struct {
	set       []int   // where it may be, the most probable one first
	mass      float64 // probability that it is at one of them
	first     float64 // that it is at the first of them
	by, width float64 // by how much the cost is higher after it if it is at the first of them, and the standard deviation of that
}

const (
	credible   = 0.95 // probability that a change is in its set, as far as the rest is not negligible
	probable   = 0.5  // probability of a change that is worth looking for
	negligible = 1e-3 // probability of a revision that belongs to no set
)

// above returns the probability that the cost rises by more than a limit, if it changes at the first of the set.
func (c change) above(limit float64) float64 {
	return 0.5 * math.Erfc((limit-c.by)/max(c.width, math.SmallestNonzeroFloat64)/math.Sqrt2)
}

// changes returns the probable changes, the most certain one first. Each set has revisions around the most probable one that is in no
// earlier set.
func (p *posterior) changes() (all []change) {
	left := make([]float64, p.n) // probability of each revision that is in no set
	for i := 1; i < p.n; i++ {
		left[i] = p.probability(i)
	}
	for {
		top := 0
		for i, x := range left {
			if x > left[top] {
				top = i
			}
		}
		if left[top] < negligible {
			return all
		}
		c := change{first: left[top]}
		c.set, c.mass = around(left, top)
		for _, i := range c.set {
			left[i] = 0
		}
		if c.mass >= probable {
			var v float64
			_, c.by, v = p.change(top)
			c.width = math.Sqrt(v)
			all = append(all, c)
		}
	}
}

// around returns revisions around one, the most probable first, as many as a change needs, and their probability together.
func around(left []float64, top int) (set []int, mass float64) {
	for i, x := range left {
		if x >= negligible {
			set = append(set, i)
		}
	}
	low := slices.Index(set, top)
	high := low + 1
	for mass = left[top]; mass < credible && high-low < len(set); {
		if high == len(set) || low > 0 && left[set[low-1]] >= left[set[high]] {
			low--
			mass += left[set[low]]
		} else {
			mass += left[set[high]]
			high++
		}
	}
	set = set[low:high]
	slices.SortStableFunc(set, func(a, b int) int { return cmp.Compare(left[b], left[a]) })
	return set, min(1, mass)
}
