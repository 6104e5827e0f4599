// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe_test

import (
	"slices"
	"sync/atomic"
	"testing"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/internal/race"
	"github.com/strobe-go/strobe/profile"
)

// A tree walk of six levels, of which one call in 16 is timed: most of the calls around it are not. As if they were in no other, their
// durations would add up to several times of what passed.
func TestSampledCallsInsideEachOtherCountOnce(t *testing.T) {
	race.Sequential(t)
	const levels = 6
	walked, straight := strobe.NewZone("walked"), strobe.NewZone("straight")
	walked.SetSampling(16)
	straight.SetSampling(16)
	l := strobe.NewLane("a tree walk")
	var walk func(level int)
	walk = func(level int) {
		defer l.Enter(walked).Exit()
		for range 200 {
			turns.Add(1)
		}
		if level < levels {
			walk(level + 1)
		}
	}
	for range 4000 {
		walk(1)
		l.Enter(straight).Exit()
	}
	s := strobe.TakeSnapshot()
	totals := s.Totals()
	of := func(z *strobe.Zone) profile.ZoneStats { return totals[slices.Index(strobe.Zones(), z)] }
	mean := float64(1+levels) / 2 // calls of the function around a call, with itself
	if z := of(walked); float64(z.Sum) < 0.75*mean*float64(z.Total) || float64(z.Sum) > 1.35*mean*float64(z.Total) || z.Self > z.Total {
		t.Errorf("calls took %v in sum, %v without those in others, of which %v in themselves; each is in %v others on average", z.Sum, z.Total, z.Self, mean-1)
	}
	if z := of(straight); z.Sum != z.Total {
		t.Errorf("calls that are in no others took %v in sum, and %v without those in others", z.Sum, z.Total)
	}
}

// A function may begin to call itself late.
func TestRecursionThatBeginsLateIsSeen(t *testing.T) {
	race.Sequential(t)
	z := strobe.NewZone("late")
	z.SetSampling(4)
	l := strobe.NewLane("late")
	var call func(more int)
	call = func(more int) {
		defer l.Enter(z).Exit()
		for range 50 {
			turns.Add(1)
		}
		if more > 0 {
			call(more - 1)
		}
	}
	for range 1000 {
		call(0)
	}
	for range 20_000 {
		call(9)
	}
	if x := strobe.TakeSnapshot().Totals()[slices.Index(strobe.Zones(), z)]; x.Sum < 2*x.Total {
		t.Errorf("calls took %v in sum, and %v without those in others, most of which were in four or five others", x.Sum, x.Total)
	}
}

var turns atomic.Uint64
