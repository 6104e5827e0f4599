// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/internal/race"
	"github.com/strobe-go/strobe/profile"
)

// cellCounts maps a cell to the number of durations in it.
type cellCounts map[uint64]uint64

// entries returns the non-empty cells of a histogram.
func entries(h profile.Histogram) cellCounts {
	all := cellCounts{}
	for i, n := range h.Counts {
		if n > 0 {
			all[uint64(h.First+i)] = n
		}
	}
	return all
}

func (l cellCounts) total() (n uint64) {
	for _, k := range l {
		n += k
	}
	return n
}

// random returns a duration of up to 2^40 ticks: mostly similar ones, sometimes an outlier.
func random(r *rand.Rand) uint64 {
	if r.IntN(4) > 0 {
		return 900 + r.Uint64N(200)
	}
	return r.Uint64N(1 << (1 + r.IntN(40)))
}

// call makes a call that takes at least d ticks, in one of several ways, and returns its duration.
func (l *Lane) call(r *rand.Rand, z *Zone, d uint64) uint64 {
	begin := func(n *node, start *uint64) { // as if the span had begun d ticks ago
		n.total.Set(n.total.Get() + d)
		*start -= d
		n.start.Set(*start)
	}
	if l.key.Load() == 0 { // count does not wake a lane
		l.wake(l.hand)
	}
	n := l.tree.grow(l.tree.root(), z, l.pooled)
	had := n.total.Get()
	switch r.IntN(3) {
	case 0:
		l.count(z, d)
	case 1:
		s := l.Enter(z)
		begin(s.node, &s.start)
		s.Exit()
	case 2:
		p := l.Lap(z)
		begin(n, &p.start)
		p.Next(nextPhase)
		p.End()
	}
	return n.total.Get() - had
}

var nextPhase = NewZone("another phase")

// programs returns the number of random programs to run.
func programs() int {
	if testing.Short() {
		return 12
	}
	return 40
}

// check checks that the distribution of x has all timed calls.
func check(t *testing.T, what string, x profile.ZoneStats, want cellCounts) {
	t.Helper()
	if got := entries(x.Histogram); x.Timed != want.total() || !maps.Equal(got, want) {
		t.Fatalf("%s: %d calls were timed and are in cells %v, want %d in %v", what, x.Timed, got, want.total(), want)
	}
	if x.Histogram.Empty() {
		return
	}
	cells := slices.Collect(x.Histogram.Cells())
	top, longest := cells[len(cells)-1], slices.Max(slices.Collect(maps.Keys(want)))
	if q, ok := x.Quantile(1); !ok || x.Max < top.Lo-1 || x.Max > top.Hi+1 || q < top.Lo-1 || q > x.Max {
		t.Fatalf("%s: the longest call, %v, is in cell %d, which is %v; quantile 1 is %v", what, x.Max, longest, top, q)
	}
}

// Each reading has the duration of every timed call in the right cell, whatever the durations are and whenever they are read.
// That includes a lane's latest duration, which may lie outside its histogram.
func TestEveryTimedCallIsInTheDistribution(t *testing.T) {
	race.Sequential(t)
	if !alone(t) { // this reads all lanes thousands of times
		return
	}
	amplyBudgeted(t)
	lanes := []*Lane{newNamedLane("a"), newNamedLane("b"), pooledLane("c")}
	for seed := range uint64(programs()) {
		r := rand.New(rand.NewPCG(seed, 1))
		z := NewZone("z")
		readers := []*Reader{NewReader(), NewReader()}
		all, at := cellCounts{}, make([]cellCounts, 3)
		unread := []cellCounts{{}, {}}
		for i := range at {
			at[i] = cellCounts{}
		}
		last, since := TakeSnapshot(), cellCounts{}
		for range 1 + r.IntN(60) {
			i := r.IntN(3)
			c := octaves.Index(lanes[i].call(r, z, random(r)))
			all[c]++
			at[i][c]++
			since[c]++
			unread[0][c]++
			unread[1][c]++
			if r.IntN(5) == 0 {
				k := r.IntN(2)
				s := readers[k].Read()
				check(t, "reading", s.Totals()[z.id], unread[k])
				unread[k] = cellCounts{}
			}
			if r.IntN(5) == 0 {
				s := TakeSnapshot()
				check(t, "snapshot", s.Totals()[z.id], all)
				check(t, "difference", s.Sub(last).Totals()[z.id], since)
				for i, l := range lanes[:2] {
					check(t, "lane", of(laneIn(t, s, l), z), at[i])
				}
				last, since = s, cellCounts{}
			}
		}
	}
}

// If the budget does not allow a distribution to grow, there is none, or it still has all calls.
func TestADistributionHasAllCallsOrIsMissing(t *testing.T) {
	race.Sequential(t)
	if !alone(t) { // this reads all lanes a thousand times
		return
	}
	amplyBudgeted(t)
	lanes := []*Lane{newNamedLane("a"), newNamedLane("b"), pooledLane("c")}
	missing := 0
	for seed := range uint64(programs()) {
		SetBudget(ample)
		r := rand.New(rand.NewPCG(seed, 2))
		z := NewZone("z")
		if seed%2 > 0 { // no room for details
			SetBudget(memory.Used()/4*5 + 1<<20)
		}
		all, unread := cellCounts{}, cellCounts{}
		for _, l := range lanes {
			l.tree.grow(l.tree.root(), nextPhase, l.pooled)
			all[octaves.Index(l.call(r, z, 1000))]++
		}
		reader := NewReader()
		gone := false
		for range 1 + r.IntN(60) {
			switch r.IntN(8) {
			case 0:
				SetBudget(1)
			case 1:
				SetBudget(memory.Used() + 200)
			case 2:
				SetBudget(ample)
			}
			c := octaves.Index(lanes[r.IntN(3)].call(r, z, random(r)))
			all[c]++
			unread[c]++
			if r.IntN(4) > 0 {
				continue
			}
			s := TakeSnapshot()
			if x := s.Totals()[z.id]; x.Histogram.Empty() {
				gone = true
				if x.Timed != all.total() || x.Min != 0 || x.Max != 0 {
					t.Fatalf("%+v without a distribution, want %d calls", x, all.total())
				}
				if !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, "quantiles") }) {
					t.Fatalf("nothing is said about it: %q", s.Notes)
				}
			} else {
				check(t, "snapshot", x, all)
			}
			s = reader.Read()
			if x := s.Totals()[z.id]; !gone {
				check(t, "reading", x, unread)
			} else if x.Timed != unread.total() || !x.Histogram.Empty() {
				t.Fatalf("the reading has %+v, want %d calls and no distribution", x, unread.total())
			}
			unread = cellCounts{}
		}
		if gone {
			missing++
		}
	}
	if missing == 0 || missing == programs() {
		t.Errorf("%d of %d programs had no distribution: this tests nothing", missing, programs())
	}
}

// A lane may be interrupted while it moves its latest duration into the histogram. A reading at that time lacks the call, but the
// sum of what a Reader returns is complete.
func TestACallThatIsBeingMovedIsCountedOnce(t *testing.T) {
	amplyBudgeted(t)
	z := NewZone("z")
	l := newNamedLane("moving")
	r := NewReader()
	sum := cellCounts{}
	read := func() {
		l.wake(l.hand)
		for c, n := range entries(r.Read().Totals()[z.id].Histogram) {
			sum[c] += n
		}
	}
	all := []uint64{1000, 1000, 1 << 30, 1000, 5, 1 << 30}
	want := cellCounts{}
	n := l.tree.grow(l.tree.root(), z, l.pooled)
	call := func(d uint64, during func(last uint64)) { // as in Exit
		want[octaves.Index(d)]++
		n.calls.Set(n.calls.Get() + 1)
		during(n.acc.Load().last.Get())
		n.acc.Load().add(d)
		read()
	}
	for _, d := range all {
		call(d, func(uint64) {})
		call(d, func(uint64) { read() })
		call(2000, func(last uint64) {
			n.acc.Load().last.Set(2000) // as add does first
			read()
			read()
			n.acc.Load().last.Set(last)
		})
	}
	if !maps.Equal(sum, want) {
		t.Errorf("readings have %v, want %v", sum, want)
	}
	if got := entries(TakeSnapshot().Totals()[z.id].Histogram); !maps.Equal(got, want) {
		t.Errorf("a snapshot has %v, want %v", got, want)
	}
}
