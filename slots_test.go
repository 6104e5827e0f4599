// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"strings"
	"sync"
	"testing"

	"github.com/strobe-go/strobe/internal/race"
)

func TestEveryGoroutineHasALaneHoweverManyLive(t *testing.T) {
	needGoroutines(t)
	if !alone(t) { // later tests need not read its lanes
		return
	}
	SetBudget(memory.Used() + 16*DefaultBudget)
	defer SetBudget(ample)
	n := 20_000
	if testing.Short() || race.Enabled {
		n = 8000
	}
	z := NewZone("crowd")
	before := TakeSnapshot()
	burst := func() {
		var ready, wg sync.WaitGroup
		release := make(chan struct{})
		for range n {
			ready.Add(1)
			wg.Add(1)
			go func() {
				defer wg.Done()
				z.Enter().Exit()
				if laneOf().shared {
					t.Error("a goroutine has no lane of its own")
				}
				ready.Done()
				<-release
				z.Enter().Exit()
			}()
		}
		ready.Wait()
		close(release)
		wg.Wait()
	}
	burst()
	burst() // on the runtime's records of the first burst
	if got := TakeSnapshot().Sub(before).Totals()[z.id]; got.Calls != uint64(4*n) || got.Open != 0 {
		t.Errorf("%d calls, want %d", got.Calls, 4*n)
	}
	s := laneTable.Load()
	if s.used < n || 2*s.used > len(s.all) {
		t.Errorf("%d of %d slots are used", s.used, len(s.all))
	}
	far := 0
	for i := range s.all {
		if r := s.all[i].record.Load(); r != 0 && i > int(hash(r)&s.mask/slotBytes)+1 {
			far++
		}
	}
	if far > s.used/5 { // linear probing in a table that is half full puts an eighth there
		t.Errorf("%d of %d goroutines are not found at the first two places", far, s.used)
	}
}

func TestBeyondTheBudgetGoroutinesShareALane(t *testing.T) {
	needGoroutines(t)
	z := NewZone("sharing")
	l := sharedLane()
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 10_000 {
				a, n, start := l.enter(z, full, 0)
				Span{a, n, start}.Exit()
			}
		}()
	}
	wg.Wait()
	s := TakeSnapshot()
	got := of(laneIn(t, s, l), z)
	if got.Calls != 40_000 || got.Total <= 0 || got.Self != 0 || !got.SelfUnknown || got.Timed != got.Calls {
		t.Errorf("%+v", got)
	}
	if x := s.Totals()[z.id]; x.Calls != 40_000 || x.Histogram.N() != 40_000 || !x.SelfUnknown {
		t.Errorf("%+v", x)
	}
	if d := TakeSnapshot().Sub(s); of(laneIn(t, d, l), z).SelfUnknown {
		t.Errorf("where nothing happened the self time is 0, and not unknown")
	}
	if len(s.Notes) == 0 || !strings.Contains(s.Notes[0], "self times are unknown") {
		t.Errorf("notes %q", s.Notes)
	}
}

func TestAGoroutineHasALaneAgainOnceTheBudgetAllowsIt(t *testing.T) {
	needGoroutines(t)
	if !alone(t) { // records that were used before have lanes
		return
	}
	lanes.full.Store(true) // as if the table could not grow
	own := make(chan bool)
	go func() { own <- !laneOf().shared }()
	if !<-own {
		t.Error("a goroutine shares a lane, although there is memory")
	}
}

func TestClosedLanesAreUsedAgain(t *testing.T) {
	amplyBudgeted(t)
	z := NewZone("z")
	lanes.Lock()
	before := len(lanes.all)
	lanes.Unlock()
	for range 1000 {
		l := NewLane("connection")
		l.Enter(z).Exit()
		l.Enter(z) // never ends
		l.Close()
		l.Close()
	}
	lanes.Lock()
	more := len(lanes.all) - before
	lanes.Unlock()
	if more > 1 {
		t.Errorf("%d lanes were made for 1000 that followed one another", more)
	}
	if s := TakeSnapshot().Totals()[z.id]; s.Calls != 1000 || s.Open != 0 {
		t.Errorf("%+v", s)
	}
}
