// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"math"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/gate"
	"github.com/strobe-go/strobe/stat"
)

// comparisons returns the comparison of each job with the first.
func (b *measurement) comparisons() (all []bench.Comparison) {
	for i, pair := range b.pairs {
		c := pair.Comparison()
		if b.flags.Sequential {
			c.Ratio = stat.Interval{Lo: -math.MaxFloat64, Hi: math.MaxFloat64, Method: "none", N: uint64(len(b.jobs[i+1].runs)),
				Warnings: []string{"run one after the other: drift cannot be told from a difference"}}
		}
		all = append(all, c)
	}
	return all
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
