// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"cmp"
	"math"
	"slices"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/gate"
	"github.com/strobe-go/strobe/stat"
)

// comparisons returns the comparison of each job with the first.
func (b *measurement) comparisons() (all []bench.Comparison) {
	for _, pair := range b.pairs {
		c := pair.Comparison()
		if b.flags.Sequential {
			c.Ratio = stat.Unknown("run one after the other: drift cannot be distinguished from a difference")
		}
		all = append(all, c)
	}
	return all
}

// sorted returns the jobs in the order of tables.
func (b *measurement) sorted() []int {
	order := make([]int, len(b.jobs))
	for i := range order {
		order[i] = i
	}
	if b.flags.Sort == "mean-time" {
		mean := func(i int) float64 {
			if len(b.jobs[i].runs) == 0 {
				return math.Inf(1)
			}
			return b.jobs[i].figures().mean.Center
		}
		slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(mean(i), mean(k)) })
	}
	return order
}

// gate returns nil if none was asked for.
func (b *measurement) gate() *gate.Gate {
	if b.flags.Gate == nil {
		return nil
	}
	limit := float64(*b.flags.Gate)
	g := gate.New(limit)
	for _, c := range b.comparisons() {
		g.Add(bench.Gate(c, limit))
	}
	return g
}
