// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

// An attribution finds the self times of nodes if some zones are sampled. As measured, the time of calls that were not timed is in the
// self times of the spans around them.
//
// All calls of a sampled zone get the time that dissected calls took in themselves on average, those that were not timed on the node of the
// timed call that stands for them. This time is subtracted from the spans in which these calls were, but not from timed calls of sampled
// zones, which get what dissected calls took anyway. The sum of all self times stays what was measured.
type attribution struct {
	shape []twig
	now   []count // of what is listed, by node
	ever  []count // since the beginning

	gains   []float64 // by node, in ticks: what its calls took in themselves
	charges []float64 // by node: how much of that is in its self time
	around  []float64 // by node: what was in sampled calls on it, less what these had for it when they ended
	zones   []mean    // by zone: what a call takes in itself
}

// A mean is a sum in ticks, and of how many calls it is.
type mean struct{ ticks, calls float64 }

// fillings is how often what one node cannot give is asked of the others.
const fillings = 8

// attribute changes the self times in now. ever has the same nodes since the beginning.
func (a *attribution) attribute(shape []twig, now, ever []count) {
	n := len(now)
	a.shape, a.now, a.ever = shape, now, ever
	a.gains, a.charges, a.around = zeros(a.gains, n), zeros(a.charges, n), zeros(a.around, n)
	a.average()
	due, whole := 0.0, 0.0          // what is to be subtracted from spans that are not sampled; all gains
	adrift, calls := 0.0, uint64(0) // the part of due that is in spans which are not on the node above, and of how many calls
	for i := range now {
		c := &now[i]
		b := &c.beyond
		if b.skipped+b.timed == 0 {
			continue
		}
		calls += b.adrift
		call, spent := a.inItself(i), min(b.spent, c.self)
		c.self -= spent
		a.gains[i] = call * float64(b.skipped+b.timed)
		whole += a.gains[i]
		called := float64(spent) - call*float64(b.timed) // in the calls that have ended
		due -= called
		a.around[i] -= called
		adrift += call * float64(b.adrift)
		due += call * float64(b.adrift)
		if p := shape[i].parent; p >= 0 {
			near := b.skipped - min(b.skipped, b.adrift)
			due += call * float64(near)
			a.charges[p] += call * float64(b.charged)
			a.around[p] += call * float64(near-min(near, b.charged))
		}
	}
	for i := range now {
		a.charges[i] += adrift * float64(now[i].beyond.owed) / float64(max(calls, 1))
	}
	for i := range now {
		if now[i].open {
			a.charges[i] += max(0, a.around[i])
		}
	}
	if due < 0 {
		a.giveBack(-due)
	}
	for range fillings {
		due -= a.charge(due)
	}
	part := 1.0 // of the gains for which there is time
	if due > 0 {
		part -= due / whole
	}
	for i, gain := range a.gains {
		now[i].self += uint64(max(0, part*gain))
	}
}

// charge subtracts ticks from the nodes, in proportion to their charges, and returns how many they had.
func (a *attribution) charge(ticks float64) (had float64) {
	sum := 0.0
	for i, c := range a.charges {
		if a.now[i].self > 0 {
			sum += c
		}
	}
	if ticks < 1 || sum == 0 {
		return 0
	}
	for i, c := range a.charges {
		if c > 0 {
			give := min(a.now[i].self, uint64(ticks*c/sum))
			a.now[i].self -= give
			had += float64(give)
		}
	}
	return had
}

// giveBack adds ticks to the nodes on which timed calls took longer than they and the calls inside them are known to have taken.
func (a *attribution) giveBack(ticks float64) {
	sum := 0.0
	for _, x := range a.around {
		sum += max(0, -x)
	}
	for i, x := range a.around {
		if x < 0 {
			a.now[i].self += uint64(ticks * -x / sum)
		}
	}
}

// average finds what calls of each zone take in themselves, since the beginning.
func (a *attribution) average() {
	clear(a.zones)
	for i := range a.ever {
		b, zone := &a.ever[i].beyond, int(a.shape[i].zone)
		if zone < 0 || b.skipped+b.timed == 0 {
			continue
		}
		for len(a.zones) <= zone {
			a.zones = append(a.zones, mean{})
		}
		a.zones[zone].ticks += float64(b.own)
		a.zones[zone].calls += float64(b.ownOf)
	}
}

// inItself returns what a call of a sampled zone takes in itself on a node, in ticks: of the calls that are listed if some were dissected,
// or else of all on the node, or of all of the zone. If none was, it is the most that those which were timed can have taken.
func (a *attribution) inItself(node int) float64 {
	now, ever, zone := &a.now[node].beyond, &a.ever[node].beyond, a.zones[a.shape[node].zone]
	switch {
	case now.ownOf > 0:
		return float64(now.own) / float64(now.ownOf)
	case ever.ownOf > 0:
		return float64(ever.own) / float64(ever.ownOf)
	case zone.calls > 0:
		return zone.ticks / zone.calls
	}
	return float64(ever.spent) / float64(max(ever.timed, 1))
}

// zeros returns n zeros, in the memory of v if there is enough.
func zeros(v []float64, n int) []float64 {
	if n > cap(v) {
		return make([]float64, n)
	}
	v = v[:n]
	clear(v)
	return v
}
