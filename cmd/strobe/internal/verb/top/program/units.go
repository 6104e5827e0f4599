// SPDX-License-Identifier: BSD-3-Clause

package program

import (
	"cmp"
	"slices"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
	"github.com/strobe-go/strobe/profile"
)

// A Unit has the figures of a root zone during the last seconds.
type Unit struct {
	Name string
	profile.UnitStats
}

// Looped reports whether the program has loops. Otherwise its frames are slices of time, which say nothing about it.
func (p *Program) Looped() bool { return p.Hello.Slice == 0 }

// Rooted reports whether the program has root zones.
func (p *Program) Rooted() bool {
	return slices.ContainsFunc(p.Hello.Zones, func(z feed.Zone) bool { return z.Root })
}

// Counted reports whether the figures of units are known, as far as they can be.
func (p *Program) Counted() bool { return !p.Rooted() || len(p.units) > 1 || p.unknown != nil }

// Units returns the root zones, those with the highest rates first, and the length of time that their figures cover. It is empty
// until figures have been received twice; the error says why they were not, if there is a reason.
func (p *Program) Units() (all []Unit, over time.Duration, err error) {
	if len(p.units) < 2 {
		return nil, 0, p.unknown
	}
	for _, u := range p.served {
		if u.Zone < len(p.Hello.Zones) && p.Hello.Zones[u.Zone].Root {
			all = append(all, Unit{p.Hello.Zones[u.Zone].Name, u})
		}
	}
	slices.SortStableFunc(all, func(a, b Unit) int { return cmp.Compare(b.Rate, a.Rate) })
	return all, time.Duration(p.units[len(p.units)-1].At - p.units[0].At), nil
}
