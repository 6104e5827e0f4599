// SPDX-License-Identifier: BSD-3-Clause

package attach

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/internal/tether"
	"github.com/strobe-go/strobe/internal/toll"
	"github.com/strobe-go/strobe/profile"
)

const (
	mostOfOne    = 0.02 // of the time of a goroutine, or of the process, that measuring one zone may take
	mostOfAll    = 0.04 // that measuring all zones together may take
	sampledShare = 0.06 // what the timed calls of a sampled zone are to take at most, as a part of mostOfOne: the fewer, the worse the estimates
	longWait     = 0.01 // of its duration is what measuring a long wait takes at most
	leastEvery   = 8
	mostEvery    = 8192
	leastCalls   = 1000 // in a reading: fewer say nothing about what follows
	leastWindow  = 10 * time.Millisecond
	leastUsed    = 50 * time.Millisecond // processor time of the process
	leastShare   = 5 * time.Millisecond  // processor time in a reading
)

// A keeper keeps the cost of measuring down: it samples the zones that take too much.
type keeper struct {
	reader  *strobe.Reader
	process work
	used    time.Duration // processor time at the beginning of process
	latest  time.Duration // likewise at the latest reading
	spans   toll.Cost     // what spans have cost
	costs   []float64     // the same of each zone, likely
	counted []float64     // likewise, what counting all its calls alone would have cost
	sampled []tether.Sampled
	share   float64 // what timing calls took of the time between the latest two readings; at most 1
	lowered bool    // the latest reading was a reason to sample more zones
}

func newKeeper() *keeper {
	return &keeper{reader: &strobe.Reader{Lanes: listedLanes}, used: processor()}
}

// read looks at what has happened since the previous reading.
func (k *keeper) read() {
	s, now := k.reader.Read(), processor()
	ran := running(s.Elapsed, now-k.latest)
	k.latest = now
	k.lowered = false
	timed := 0.0
	k.process.add(s, ran)
	for _, l := range s.Lanes {
		for i := range l.Zones {
			c := costIn(s, &l.Zones[i], ran)
			k.spans = k.spans.Plus(c.all)
			timed += c.all.Likely - c.skipped
			if z := l.Zones[i].Zone; z >= 0 && z < len(s.Zones) {
				more := make([]float64, max(0, len(s.Zones)-len(k.costs)))
				k.costs, k.counted = append(k.costs, more...), append(k.counted, more...)
				k.costs[z] += c.all.Likely
				k.counted[z] += c.counting
			}
		}
	}
	k.share = min(1, max(0, timed/float64(max(1, ran))))
	if s.Elapsed >= leastWindow {
		for _, l := range s.Lanes {
			if l.ID >= 0 {
				k.sample(s, choose(loads(l, s, ran)))
			}
		}
	}
	if took := now - k.used; took >= leastUsed {
		k.sample(s, choose(k.process.loads(took)))
		k.process, k.used = work{}, k.used+took
	}
}

// steady returns what each zone would have cost if those that are sampled now had been so from the beginning.
func (k *keeper) steady() []float64 {
	all := slices.Clone(k.costs)
	for _, x := range k.sampled {
		if x.Zone < len(all) {
			all[x.Zone] = min(all[x.Zone], k.counted[x.Zone]+mostOfOne*sampledShare*float64(k.latest))
		}
	}
	return all
}

// running returns for how long a goroutine can have run at most, in a time in which the process used some processor time: on a busy
// machine that may be much less. Where systems count it in steps, it is not known of a short time.
func running(elapsed, used time.Duration) time.Duration {
	if used < leastShare {
		return elapsed
	}
	return min(elapsed, used)
}

// sample samples the zones that were chosen, unless the program or a viewer has chosen something else.
func (k *keeper) sample(s profile.Snapshot, chosen []tether.Sampled) {
	zones := strobe.Zones()
	for _, c := range chosen {
		if c.Zone >= len(zones) || c.Zone >= len(s.Zones) {
			continue
		}
		at := slices.IndexFunc(k.sampled, func(x tether.Sampled) bool { return x.Zone == c.Zone })
		if at < 0 {
			if s.Zones[c.Zone].Every == 1 {
				k.sampled = append(k.sampled, c)
				zones[c.Zone].SetSampling(c.Every)
				k.lowered = true
			}
			continue
		}
		x := &k.sampled[at]
		x.Least = x.Least || c.Least
		if s.Zones[c.Zone].Every == x.Every && x.Every < c.Every {
			x.Every = c.Every
			zones[c.Zone].SetSampling(c.Every)
		}
	}
}

// A load is the share of a time that measuring a zone takes.
type load struct {
	zone  int
	share cost
	told  float64 // the time that the zone tells of: if it is sampled, its callers seem to have most of it
	wait  bool
	of    string
}

// waits reports whether a zone is one of waiting.
func waits(s profile.Snapshot, zone int) bool { return zone < len(s.Zones) && s.Zones[zone].Wait }

// loads returns the loads of a goroutine in a reading, in which it ran that long.
func loads(l profile.LaneStats, s profile.Snapshot, ran time.Duration) (all []load) {
	for i := range l.Zones {
		if z := &l.Zones[i]; z.Calls >= leastCalls && z.Zone >= 0 {
			all = append(all, load{z.Zone, costIn(s, z, ran).over(ran), float64(z.Total) / float64(ran), waits(s, z.Zone), l.Name})
		}
	}
	return all
}

// work is what measuring took on all goroutines, which may each take little, by zone. Systems count processor time in steps, so it is
// added up until enough was used.
type work []struct {
	cost  cost
	calls uint64
	told  time.Duration
	wait  bool
}

func (w *work) add(s profile.Snapshot, ran time.Duration) {
	for _, l := range s.Lanes {
		for i := range l.Zones {
			z := &l.Zones[i]
			if z.Zone < 0 || z.Zone >= len(s.Zones) {
				continue
			}
			*w = append(*w, make(work, max(0, len(s.Zones)-len(*w)))...)
			x := &(*w)[z.Zone]
			x.cost = x.cost.plus(costIn(s, z, ran))
			x.calls += z.Calls
			x.told += z.Total
			x.wait = s.Zones[z.Zone].Wait
		}
	}
}

// loads returns the loads of the process, which used that much processor time.
func (w work) loads(used time.Duration) (all []load) {
	for zone, x := range w {
		if x.calls >= leastCalls {
			all = append(all, load{zone, x.cost.over(used), float64(x.told) / float64(used), x.wait, "the process"})
		}
	}
	return all
}

// choose returns which zones to sample, and how, because of their loads.
func choose(all []load) (chosen []tether.Sampled) {
	for _, l := range tooMuch(all) {
		chosen = append(chosen, tether.Sampled{Zone: l.zone, Every: everyFor(l.share.full), Share: l.share.all.Likely, Of: l.of,
			Least: l.share.skipped > mostOfOne})
	}
	return chosen
}

// tooMuch returns those of the zones of one goroutine, or of the process, that must be sampled: each that takes too much alone, and
// if all others together do, first those whose measuring takes the most for the time that they tell of. Long waits, during which their
// functions would seem to run, stay.
func tooMuch(loads []load) []load {
	rest := 0.0
	for _, l := range loads {
		rest += l.share.all.Likely
	}
	slices.SortStableFunc(loads, func(a, b load) int { return cmp.Compare(b.worth(), a.worth()) })
	n := 0
	for n < len(loads) && (loads[n].share.all.Likely > mostOfOne || rest > mostOfAll && !loads[n].long()) {
		rest -= loads[n].share.all.Likely
		n++
	}
	return loads[:n]
}

// long reports whether the zone is a wait so long that measuring adds little to what it takes to sleep and to wake up.
func (l load) long() bool { return l.wait && l.share.full <= longWait*l.told }

// worth is higher for a load of which sampling saves more, and hides less. It is infinite for one that is too large alone, and 0 for long waits.
func (l load) worth() float64 {
	c := l.share.all.Likely
	switch {
	case c > mostOfOne:
		return math.Inf(1)
	case l.long():
		return 0
	}
	return c * c / max(l.told, c)
}

// everyFor returns one in how many calls to time, if timing all of them takes that share.
func everyFor(share float64) int {
	every := leastEvery
	for every < mostEvery && share*sampledCost/float64(every) > mostOfOne*sampledShare {
		every *= 2
	}
	return every
}
