// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"sync"
	"testing"

	"github.com/strobe-go/strobe/profile"
)

func TestWhereLanesAreManyDistributionsArePooled(t *testing.T) {
	amplyBudgeted(t)
	z := NewZone("z")
	l := newNamedLane("first")
	for range 100 {
		l.Enter(z).Exit()
	}
	before := TakeSnapshot()
	SetDistributions(-1)
	defer SetDistributions(1 << 30)
	for range 50 {
		l.Enter(z).Exit()
	}
	after := TakeSnapshot()
	if x := after.Totals()[z.id]; x.Calls != 150 || x.Histogram.N() != 150 {
		t.Errorf("%d calls, %d in the distribution", x.Calls, x.Histogram.N())
	}
	delta := after.Sub(before)
	if x := of(laneIn(t, delta, l), z); x.Calls != 50 || !x.Histogram.Empty() {
		t.Errorf("on the lane: %+v", x)
	}
	if x := delta.Totals()[z.id]; x.Calls != 50 || x.Histogram.N() != 50 || x.Max <= 0 {
		t.Errorf("in all: %+v", x)
	}
}

// When a crowd of goroutines has ended, the remaining ones get distributions of their own again. The limit has some hysteresis,
// so that a program near it does not keep switching.
func TestACrowdIsMoreLanesThanTheLimit(t *testing.T) {
	defer SetDistributions(1 << 30)
	defer crowded.Store(crowded.Load())
	for _, c := range []struct {
		limit   int
		inUse   []int
		crowded []bool
	}{
		{10, []int{10, 11, 10, 6, 5, 6, 10, 11}, []bool{false, true, true, true, false, false, false, true}},
		{0, []int{DefaultDistributions, DefaultDistributions + 1, DefaultDistributions / 2}, []bool{false, true, false}},
		{-5, []int{1}, []bool{true}},
	} {
		SetDistributions(c.limit)
		crowded.Store(false)
		for i, n := range c.inUse {
			if inUse(n); crowded.Load() != c.crowded[i] {
				t.Errorf("limit %d: %d lanes in use after %v: crowded %v", c.limit, n, c.inUse[:i], crowded.Load())
			}
		}
	}
	lanes.Lock()
	n := len(lanes.all)
	lanes.Unlock()
	for limit, want := range map[int]bool{n: false, n - 1: true} {
		if SetDistributions(limit); n > 1 && crowded.Load() != want {
			t.Errorf("%d lanes and a limit of %d: crowded %v", n, limit, crowded.Load())
		}
	}
}

func TestLanesOnWhichSpansEndedAreCounted(t *testing.T) {
	var s laneState
	lane := func(id, open int, calls ...uint64) profile.LaneStats {
		l := profile.LaneStats{LaneInfo: profile.LaneInfo{ID: id}, Open: open}
		for _, n := range calls {
			l.Zones = append(l.Zones, profile.ZoneStats{Calls: n})
		}
		return l
	}
	for i, c := range []struct {
		lanes []profile.LaneStats
		n     int
	}{
		{nil, 0},
		{[]profile.LaneStats{lane(0, 0), lane(1, 0, 5), lane(2, 1)}, 2},
		{[]profile.LaneStats{lane(0, 0), lane(1, 0, 5), lane(2, 1)}, 0},
		{[]profile.LaneStats{lane(0, 0, 1), lane(1, 0, 5, 1), lane(2, 1), lane(5, 0, 1)}, 3},
		{[]profile.LaneStats{lane(0, 0, 1), lane(1, 0, 5, 1), lane(2, 0), lane(5, 0, 1)}, 1}, // abandoned
	} {
		if n := s.changed(c.lanes); n != c.n {
			t.Errorf("snapshot %d: spans ended on %d lanes, want %d", i, n, c.n)
		}
	}
}

func TestACrowdThatHasGoneIsForgotten(t *testing.T) {
	if !alone(t) {
		return
	}
	needGoroutines(t)
	SetDistributions(0)
	z := NewZone("z")
	var ready, wg sync.WaitGroup
	release := make(chan struct{})
	for range 10 * DefaultDistributions {
		ready.Add(1)
		wg.Add(1)
		go func() {
			defer wg.Done()
			z.Enter().Exit()
			ready.Done()
			<-release
		}()
	}
	ready.Wait()
	TakeSnapshot()
	if !crowded.Load() {
		t.Error("a crowd is not noticed")
	}
	close(release)
	wg.Wait()
	z.Enter().Exit()
	TakeSnapshot()
	if crowded.Load() {
		t.Error("the crowd has gone")
	}
}
