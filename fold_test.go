// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"testing"

	"github.com/strobe-go/strobe/internal/race"
	"github.com/strobe-go/strobe/profile"
)

// What passes in a folded span is not of the span around, however often that was read meanwhile. As long as a folded span is open, time
// since the latest one began or ended is.
func TestReadingsWhileSpansAreFolded(t *testing.T) {
	race.Sequential(t)
	amplyBudgeted(t)
	s := newSimulation(t)
	under, outer, inner := s.zone("under", 1), s.zone("outer", 1), s.zone("inner", 1)
	at := func(l profile.LaneStats, z *Zone) float64 { return float64(of(l, z).Self) / nsPerTick() / unitTicks }
	var nest func(depth int)
	nest = func(depth int) {
		if depth < maxDepth {
			s.call(s.zone("above", 1), func() { nest(depth + 1) })
			return
		}
		s.call(under, func() {
			s.work(10)
			s.call(outer, func() {
				for range 5 {
					s.work(20)
					s.call(inner, func() { s.work(10) })
					now := converter{scratch: new(scratch), rate: nsPerTick(), now: ticks()}
					if x := now.lane(s.lane); at(x, under) > 17 {
						t.Errorf("%.2f units have passed in the span that is around folded ones", at(x, under))
					}
				}
				s.work(10)
				s.reading()
			})
			s.reading()
		})
	}
	nest(1)
	for name, x := range map[string]Snapshot{"a snapshot": TakeSnapshot(), "a first reading": new(Reader).Read()} {
		l := laneIn(t, x, s.lane)
		for z, ticks := range s.own {
			if got, want := at(l, z), float64(ticks)/unitTicks; got < want-5 || got > want+5 {
				t.Errorf("%s: %s had %.2f units, and has %.2f", name, z.name, want, got)
			}
		}
		if x := of(l, under); x.Total > x.Sum+x.Sum/50 {
			t.Errorf("%s: the only call took %v, and is said to have %v", name, x.Sum, x.Total)
		}
	}
}

// The next goroutine on the lane has none of those that the one before left open.
func TestFoldedSpansThatWereLeftOpenAreNotAroundLaterOnes(t *testing.T) {
	amplyBudgeted(t)
	l, folded := newNamedLane("l"), NewZone("folded")
	defer l.Close()
	above := make([]*Zone, maxDepth)
	for i := range above {
		above[i] = NewZone("above")
	}
	for range 2 {
		lanes.Lock()
		l.abandon()
		lanes.Unlock()
		for _, z := range above {
			l.Enter(z)
		}
		l.Enter(folded)
	}
	nextTick()
	l.unfold(ticks())
	if x := of(laneIn(t, TakeSnapshot(), l), folded); x.Calls != 1 || x.Total == 0 || x.Total != x.Sum {
		t.Errorf("%d calls in %v, and %v without those in others", x.Calls, x.Sum, x.Total)
	}
}

func TestFoldedSpansOfALaneThatIsClosedAreAbandoned(t *testing.T) {
	z := NewZone("z")
	l := newNamedLane("l")
	before := misuse.abandoned.Load()
	for range maxDepth + 50 {
		l.Enter(z)
	}
	l.Close()
	if n := misuse.abandoned.Load() - before; n != maxDepth+50 {
		t.Errorf("%d spans count as abandoned, %d were open", n, maxDepth+50)
	}
}

// A tree may grow while spans are folded, since there is a limit for recursion, too.
func TestNodesMadeWhileSpansAreFoldedMakeRoomSeldom(t *testing.T) {
	amplyBudgeted(t)
	l := newNamedLane("folding")
	l.folding = new(folding)
	tables := map[*[]moved]bool{}
	for range 500 {
		n := l.tree.grow(l.tree.root(), NewZone("folded"), true)
		if n == nil {
			t.Fatal("there was no room for a node")
		}
		l.movedOf(n)
		tables[l.folding.moved.Load()] = true
	}
	if len(tables) > 15 {
		t.Errorf("%d tables for 500 nodes, want at most 15", len(tables))
	}
}
