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
	Split   *profile.Split // what units did, as far as package capture saw it; nil if it did not
	Slowest *feed.Slowest  // of the latest minute; nil if there is none
}

// Looped reports whether frames are turns of a loop. Otherwise there are none, or slices of time, which say nothing about the program.
func (p *Program) Looped() bool { return p.Hello.Slice == 0 && p.Hello.Root == nil }

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
			all = append(all, Unit{p.Hello.Zones[u.Zone].Name, u, p.split(u.Zone), p.slowest(u.Zone)})
		}
	}
	slices.SortStableFunc(all, func(a, b Unit) int { return cmp.Compare(b.Rate, a.Rate) })
	return all, time.Duration(p.units[len(p.units)-1].At - p.units[0].At), nil
}

// split returns what the units of a root zone did; nil if it was not seen.
func (p *Program) split(zone int) *profile.Split {
	if p.looks != nil {
		for i := range p.looks.Units {
			if s := &p.looks.Units[i]; s.Zone == zone && s.Total() > s.Unknown {
				return &s.Split
			}
		}
	}
	return nil
}

// Looks returns what package capture saw, in the time of Units or else since it was started; nil if it was not.
func (p *Program) Looks() *profile.Looks { return p.looks }

// slowest returns the slowest unit of a root zone that ended in the latest minute; nil if there is none.
func (p *Program) slowest(zone int) *feed.Slowest {
	for i := range p.worst {
		if w := &p.worst[i]; w.Zone == zone && w.Start+w.Took >= p.At-slowSpan {
			return w
		}
	}
	return nil
}

// Unseen says why it is not known what units did; "" if it is, for some.
func (p *Program) Unseen() string {
	switch {
	case p.looks == nil:
		return "start package capture in the program to see when units ran and waited"
	case p.looks.Covered == 0:
		return "when units ran and waited is not known: " + p.looks.Reason
	}
	return ""
}

// slowSpan is how long a slow unit and a report are shown.
const slowSpan = 60_000_000_000

// SlowestUnit returns the slowest unit of the latest minute; ok is false if there is none.
func (p *Program) SlowestUnit() (u feed.Unit, ok bool) {
	for _, x := range p.slow {
		if x.Start+x.Took >= p.At-slowSpan && (!ok || x.Took > u.Took) {
			u, ok = x, true
		}
	}
	return u, ok
}

// Hanging returns the unit that has been open for the longest time, of those that take long, and how many there are.
func (p *Program) Hanging() (u feed.Unit, of int) {
	s, _ := p.State()
	for i, x := range s.Open {
		if i == 0 || x.Took > u.Took {
			u = x
		}
	}
	return u, len(s.Open)
}

// Root returns the name of the root zone about whose calls the stream is; "" if it is about frames.
func (p *Program) Root() string {
	if r := p.Hello.Root; r != nil && *r >= 0 && *r < len(p.Hello.Zones) {
		return p.Hello.Zones[*r].Name
	}
	return ""
}
