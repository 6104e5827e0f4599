// SPDX-License-Identifier: BSD-3-Clause

package attach

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/internal/tether"
	"github.com/strobe-go/strobe/profile"
)

const (
	mostOfOne    = 0.02 // of the time of a goroutine, or of the process, that measuring one zone may take
	mostOfAll    = 0.04 // that measuring all zones together may take
	sampledShare = 0.1  // what the timed calls of a sampled zone are to take at most, as a part of mostOfOne
	leastEvery   = 16
	mostEvery    = 1024
	leastCalls   = 1000 // in a reading: fewer say nothing about what follows
	leastWindow  = 10 * time.Millisecond
	skippedCost  = 0.1 // cost of a call that is not timed, as a part of that of one that is
)

// A keeper keeps the cost of measuring down: it samples the zones that take too much.
type keeper struct {
	reader  *strobe.Reader
	used    time.Duration // processor time at the previous reading
	spans   float64       // ns that spans have cost
	sampled []tether.Sampled
}

func newKeeper() *keeper {
	return &keeper{reader: &strobe.Reader{Lanes: listedLanes}, used: processor()}
}

// read looks at what has happened since the previous reading.
func (k *keeper) read() {
	s, used := k.reader.Read(), processor()
	for _, l := range s.Lanes {
		for i := range l.Zones {
			k.spans += costOf(&l.Zones[i], s.Cost).sum()
		}
	}
	took := used - k.used
	k.used = used
	if s.Elapsed < leastWindow {
		return
	}
	zones := strobe.Zones()
	for _, c := range choose(s, took) {
		if c.Zone >= len(zones) {
			continue
		}
		at := slices.IndexFunc(k.sampled, func(x tether.Sampled) bool { return x.Zone == c.Zone })
		switch now := s.Zones[c.Zone].Every; {
		case at < 0 && now == 1:
			k.sampled = append(k.sampled, c)
		case at >= 0 && now == k.sampled[at].Every && now < c.Every:
			k.sampled[at].Every = c.Every
		case at >= 0 && now == k.sampled[at].Every:
			k.sampled[at].Least = k.sampled[at].Least || c.Least
			continue
		default: // the program or a viewer chose something else, and that counts
			continue
		}
		zones[c.Zone].SetSampling(c.Every)
	}
}

// A cost is what measuring a zone took, in ns.
type cost struct{ timed, skipped float64 }

func (c cost) sum() float64 { return c.timed + c.skipped }

func costOf(z *profile.ZoneStats, span float64) cost {
	timed := min(z.Timed, z.Calls)
	return cost{float64(timed) * span, float64(z.Calls-timed) * span * skippedCost}
}

// A load is the share of a time that measuring a zone takes.
type load struct {
	zone  int
	share cost // of 1, and not in ns
	of    string
}

// choose returns which zones to sample, and how, because of what happened in a reading, in which the process used that much
// processor time.
func choose(s profile.Snapshot, used time.Duration) []tether.Sampled {
	var all []tether.Sampled
	for _, loads := range shares(s, used) {
		for _, l := range tooMuch(loads) {
			every := everyFor(l.share.timed * float64(max(1, s.Zones[l.zone].Every)))
			c := tether.Sampled{Zone: l.zone, Every: every, Share: l.share.sum(), Of: l.of, Least: l.share.skipped > mostOfOne}
			if at := slices.IndexFunc(all, func(x tether.Sampled) bool { return x.Zone == c.Zone }); at < 0 {
				all = append(all, c)
			} else if c.Every > all[at].Every {
				all[at] = c
			}
		}
	}
	return all
}

// tooMuch returns those of the zones of one goroutine, or of the process, that must be sampled: each that takes too much alone, and
// the largest if all together do.
func tooMuch(loads []load) []load {
	slices.SortStableFunc(loads, func(a, b load) int { return cmp.Compare(b.share.sum(), a.share.sum()) })
	rest := 0.0
	for _, l := range loads {
		rest += l.share.sum()
	}
	n := 0
	for n < len(loads) && (loads[n].share.sum() > mostOfOne || rest > mostOfAll) {
		rest -= loads[n].share.sum()
		n++
	}
	return loads[:n]
}

// everyFor returns one in how many calls to time, if timing all of them takes that share.
func everyFor(share float64) int {
	every := leastEvery
	for every < mostEvery && share/float64(every) > mostOfOne*sampledShare {
		every *= 2
	}
	return every
}

// shares returns the loads of each goroutine, and those of the process, whose goroutines may each take little.
func shares(s profile.Snapshot, used time.Duration) [][]load {
	var all [][]load
	process, calls := make([]cost, len(s.Zones)), make([]uint64, len(s.Zones))
	for _, l := range s.Lanes {
		var loads []load
		for i := range l.Zones {
			z := &l.Zones[i]
			if z.Zone < 0 || z.Zone >= len(s.Zones) {
				continue
			}
			c := costOf(z, s.Cost)
			process[z.Zone].timed += c.timed
			process[z.Zone].skipped += c.skipped
			calls[z.Zone] += z.Calls
			if l.ID >= 0 && z.Calls >= leastCalls {
				loads = append(loads, load{z.Zone, c.over(s.Elapsed), l.Name})
			}
		}
		all = append(all, loads)
	}
	var loads []load
	for zone, c := range process {
		if used > 0 && calls[zone] >= leastCalls {
			loads = append(loads, load{zone, c.over(max(used, time.Duration(math.Ceil(c.sum())))), "the process"})
		}
	}
	return append(all, loads)
}

func (c cost) over(d time.Duration) cost { return cost{c.timed / float64(d), c.skipped / float64(d)} }
