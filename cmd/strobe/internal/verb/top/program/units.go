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

func (p *Program) addUnits(u *feed.Units) {
	if p.unknown = u.Err; u.Err != nil {
		return
	}
	s := u.Snapshot
	if n := len(p.units); n > 0 && (s.At <= p.units[n-1].At || forgot(p.units[n-1], s)) {
		p.units = nil // it was reset
	}
	p.units = append(p.units, s)
	// Keep the latest that is at least a window old, and all later ones.
	at := recent(p.units, func(s profile.Snapshot) int64 { return int64(s.At) }, int64(s.At)-unitSpan+1)
	p.units = p.units[max(at-1, len(p.units)-keptUnits, 0):]
	p.served = s.Sub(p.units[0]).Units
}

// forgot reports whether the number of calls of a root zone has decreased.
func forgot(before, after profile.Snapshot) bool {
	now := after.Totals()
	for i, z := range before.Totals() {
		if i < len(now) && now[i].Calls < z.Calls {
			return true
		}
	}
	return false
}
