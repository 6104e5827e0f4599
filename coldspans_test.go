// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"testing"
	"time"
)

// Between two calibrations, the program writes more than caches hold.
func TestASpanCostsMoreWhereItsDataAreNotInTheCaches(t *testing.T) {
	if !alone(t) {
		return
	}
	calibrate()
	other := make([]byte, 64<<20)
	for try := 0; ; try++ {
		for i := range len(other) / 64 {
			other[64*i]++
		}
		time.Sleep(displaced)
		c := calibrate()
		if c.cold < c.cost {
			t.Fatalf("a span costs %v ns, and %v ns at most", c.cost, c.cold)
		}
		if c.cold > c.cost {
			break
		} else if try == 20 {
			t.Errorf("a span costs %v ns, and the same if its data were displaced", c.cost)
			break
		}
	}
}

// Snapshots that follow each other do not tell what a span costs after other work.
func TestOnlyCalibrationsAfterAPauseTellWhatASeldomSpanCosts(t *testing.T) {
	calibrate()
	bench.Lock()
	defer bench.Unlock()
	measured := func(pause time.Duration) bool {
		before := bench.taken
		bench.used = time.Now().Add(-pause)
		bench.first()
		return bench.taken > before
	}
	if !measured(displaced) {
		t.Error("it is not measured after a pause")
	}
	for try := 0; measured(0); try++ { // a busy machine may pause it
		if try == 20 {
			t.Fatal("it is measured without a pause")
		}
	}
}

func TestASnapshotSaysWhatASeldomSpanCosts(t *testing.T) {
	if s := TakeSnapshot(); s.CostCold < s.Cost {
		t.Errorf("a span costs %v ns, and %v ns if its data were displaced", s.Cost, s.CostCold)
	}
}

// Spans without a distribution cost less.
func TestTheSpansOfTheWorkbenchHaveDistributions(t *testing.T) {
	if !alone(t) { // where others have used the budget up, they have none
		return
	}
	calibrate()
	bench.Lock()
	defer bench.Unlock()
	n := bench.lane.tree.root()
	for i := range bench.apart {
		n = n.child(&bench.apart[i])
		if n.zone != &bench.apart[i] {
			t.Fatalf("zone %d has no path", i)
		}
		if a := n.acc.Load(); a == nil || a.hist.Load() == nil {
			t.Errorf("zone %d has no histogram", i)
		}
	}
}
