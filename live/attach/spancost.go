// SPDX-License-Identifier: BSD-3-Clause

package attach

import (
	"time"

	"github.com/strobe-go/strobe/internal/toll"
	"github.com/strobe-go/strobe/profile"
)

// sampledCost is the cost of a timed call of a sampled zone, in spans of others, with those timed inside it for its self time.
const sampledCost = 6

// A cost is what measuring a zone took, or, in shares of a time instead of ns, takes.
type cost struct {
	all      toll.Cost
	skipped  float64 // the part of the calls that were not timed
	counting float64 // if no call was timed
	full     float64 // if all calls were timed
}

func (c cost) plus(d cost) cost {
	return cost{c.all.Plus(d.all), c.skipped + d.skipped, c.counting + d.counting, c.full + d.full}
}

func (c cost) over(d time.Duration) cost {
	f := 1 / float64(d)
	return cost{c.all.Times(f), c.skipped * f, c.counting * f, c.full * f}
}

// costIn returns what measuring a zone took on a goroutine in a reading, in which the goroutine ran at most that long.
func costIn(s profile.Snapshot, z *profile.ZoneStats, ran time.Duration) cost {
	timed, in := min(z.Timed, z.Calls), toll.InALoop(entry())
	span := toll.Span(s.Cost, s.CostCold, z.Calls, ran)
	one := toll.InALoop(max(s.CostSkipped, entry()))
	skip := one.Times(float64(z.Calls - timed))
	full := span.Plus(in)
	if z.Zone >= 0 && z.Zone < len(s.Zones) && s.Zones[z.Zone].Every > 1 {
		span = span.Times(sampledCost)
	}
	all := span.Plus(in).Times(float64(timed)).Plus(skip)
	return cost{all.InFunctions(), skip.InFunctions().Likely, float64(z.Calls) * one.InFunctions().Likely, float64(z.Calls) * full.InFunctions().Likely}
}
