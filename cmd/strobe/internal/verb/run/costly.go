// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument"
	"github.com/strobe-go/strobe/profile"
)

// What is left out of the next build.
const (
	noticed  = 0.04  // by how much the program must be slowed, so that it is worth a build
	accepted = 0.02  // by how much it may be slowed after that
	leastOwn = 0.2   // of the processor time is taken to be the program's own at least
	slight   = 0.001 // what a zone may slow it, to be left out only after the others
	misled   = 0.01  // of the time that all goroutines ran and waited: a wait of so much stays, or its function would seem to have run then
	much     = 0.01  // of the self time: a function that has so much stays if measuring it took less than accepted of that

	// If the zones left out would have most of the self time, as in an interpreter, the report would not show where the time goes.
	mostHidden     = 0.5  // of the self time that zones left out may have; if it is more, the next two take the place of noticed and accepted
	noticedSteady  = 0.08 // of what the zones cost once they are sampled
	acceptedSteady = 0.05 // likewise
)

// A candidate is a zone that may be left out.
type candidate struct {
	instrument.Costly
	cost   float64 // of measuring it, in ns
	steady float64 // the same, once it is sampled if it was sampled in the end
	tell   float64 // the time that it tells of, in ns
}

// costly returns the zones that the next build of the program is to leave out: so many that what measuring the others took is little.
// The first ones are those that cost most for the self time that they tell of, since the largest costs may be those of the functions that
// take the time. Those that cost next to nothing come last. Zones that tell of much for what they cost stay, and so do those that
// the user named. If they had most of the self time, with those that were left out before, fewer are left out.
func (x *report) costly(p *instrument.Plan) (all []instrument.Costly) {
	used, scale := float64(x.slow.processor-x.slow.readings), 1.0
	own := used - float64(x.slow.cost)
	if x.slow.processor < leastProcessor || used <= 0 || x.slow.share <= noticed {
		return nil
	}
	if own < leastOwn*used { // on a busy machine calls are measured to cost too much
		own, scale = leastOwn*used, (1-leastOwn)*used/float64(x.slow.cost)
	}
	candidates := x.candidates(p, own, scale)
	all = leaveOut(candidates, func(c *candidate) float64 { return c.cost }, own, accepted, accepted)
	hidden := 0.0
	for _, c := range slices.Concat(p.Costly, all) {
		hidden += c.Self
	}
	if hidden > mostHidden {
		return leaveOut(candidates, func(c *candidate) float64 { return c.steady }, own, noticedSteady, acceptedSteady)
	}
	return all
}

// candidates returns the zones that may be left out of a program that took so long by itself, with their measured costs times scale.
func (x *report) candidates(p *instrument.Plan, own, scale float64) (all []candidate) {
	costs, sum := x.reading.Costs, 0.0
	for _, f := range x.functions {
		sum += float64(f.stats.Self)
	}
	for _, f := range x.waits {
		sum += float64(f.stats.Total)
	}
	for _, f := range append(slices.Clone(x.functions), x.waits...) {
		z, ok := planned(p, f.zone)
		if !ok || f.stats.Zone >= len(costs) {
			continue
		}
		cost := scale * costs[f.stats.Zone]
		self, tell := f.share, f.stats.Self
		if f.zone.Wait {
			self, tell = 0, f.stats.Total
			if float64(tell) >= misled*sum && cost < noticed*own {
				continue
			}
		} else if f.share >= much && cost < accepted*float64(tell) {
			continue
		}
		steady := cost
		if f.stats.Zone < len(x.reading.Steady) {
			steady = scale * x.reading.Steady[f.stats.Zone]
		}
		all = append(all, candidate{instrument.Costly{Package: z.Package, Name: z.Name, Share: cost / own, Self: self}, cost, steady, float64(tell)})
	}
	return all
}

// leaveOut returns which candidates to leave out if together they cost more than a part of the program's own time, so that the others cost
// no more than another part of it.
func leaveOut(all []candidate, of func(*candidate) float64, own, worth, leave float64) (out []instrument.Costly) {
	rest := 0.0
	for i := range all {
		rest += of(&all[i])
	}
	if rest <= worth*own {
		return nil
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		little := of(&a) < slight*own
		if little != (of(&b) < slight*own) {
			if little {
				return 1
			}
			return -1
		}
		return cmp.Compare(of(&b)*max(a.tell, 1), of(&a)*max(b.tell, 1))
	})
	for i := range all {
		if rest <= leave*own {
			break
		}
		rest -= of(&all[i])
		out = append(out, all[i].Costly)
	}
	return out
}

// planned returns the zone of a plan that a zone of the program is. ok is false if it is none, or one that stays: a unit, main, or one
// that the user named.
func planned(p *instrument.Plan, z profile.ZoneInfo) (found instrument.Zone, ok bool) {
	n := 0
	for _, q := range p.Zones {
		if q.Name == z.Name && filepath.Base(q.Position) == filepath.Base(z.Where) {
			found = q
			n++
		}
	}
	return found, n == 1 && !found.Stays
}
