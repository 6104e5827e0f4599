// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"os"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/strobe-go/strobe/internal/stamp"
	"github.com/strobe-go/strobe/profile"
)

var sink atomic.Uint64

// spin computes a chain of n dependent multiplications, whose time does not overlap with the code around it.
//
//go:noinline
func spin(n int) {
	x := sink.Load()
	for range n {
		x = x*6364136223846793005 + 1442695040888963407
	}
	sink.Store(x)
}

// ample is the budget of tests that are not about the budget, so that no other test can use it up.
const ample = 1 << 40

// Tests make many lanes, which must not count as a crowd without distributions.
func TestMain(m *testing.M) {
	SetBudget(ample)
	SetDistributions(1 << 30)
	os.Exit(m.Run())
}

// nextTick waits for the counter to advance: on some machines a tick is longer than a span.
func nextTick() {
	for t := ticks(); ticks() == t; {
	}
}

func needGoroutines(t testing.TB) {
	if !stamp.HasGoroutine {
		t.Skip("no lanes by goroutine in this build")
	}
}

// needThreads skips a test of goroutines that run at the same time, or wait for each other without giving way.
func needThreads(t testing.TB) {
	if runtime.GOARCH == "wasm" {
		t.Skip("in WebAssembly nothing interrupts a goroutine for another one")
	}
}

// on runs f with a new lane and returns what was measured on it.
func on(t *testing.T, f func(l *Lane)) (*Lane, profile.LaneStats) {
	t.Helper()
	amplyBudgeted(t)
	l := newNamedLane(t.Name())
	if l.hand == 0 {
		t.Fatal("no lane: the budget is used up")
	}
	f(l)
	return l, laneIn(t, TakeSnapshot(), l)
}

func laneIn(t testing.TB, s Snapshot, l *Lane) profile.LaneStats {
	t.Helper()
	for _, x := range s.Lanes {
		if x.ID == l.id {
			return x
		}
	}
	t.Fatal("the lane is not in the snapshot")
	return profile.LaneStats{}
}

// of returns the statistics of a zone on a lane.
func of(l profile.LaneStats, z *Zone) profile.ZoneStats {
	for _, s := range l.Zones {
		if s.Zone == int(z.id) {
			return s
		}
	}
	return profile.ZoneStats{}
}

// amplyBudgeted sets a budget that the memory of other tests cannot use up.
func amplyBudgeted(t testing.TB) {
	SetBudget(memory.Used() + 2*DefaultBudget)
	t.Cleanup(func() { SetBudget(ample) })
}

// newNamedLane is NewLane, but never reuses a closed lane, whose measurements would disturb.
func newNamedLane(name string) *Lane {
	lanes.Lock()
	had := closed
	closed = nil
	lanes.Unlock()
	l := NewLane(name)
	lanes.Lock()
	closed = had
	lanes.Unlock()
	return l
}
