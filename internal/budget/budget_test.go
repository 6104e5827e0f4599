// SPDX-License-Identifier: BSD-3-Clause

package budget

import (
	"sync"
	"testing"
)

func TestDetailIsRefusedBeforeTheEssential(t *testing.T) {
	var b Budget
	b.SetLimit(1000)
	if !b.Take(750, Detail) || b.Take(1, Detail) {
		t.Error("details may use three quarters, and no more")
	}
	if !b.Take(250, Essential) || b.Take(1, Essential) {
		t.Error("the essential may use all, and no more")
	}
	if b.Used() != 1000 || b.Refused() != 2 {
		t.Errorf("%d used, %d refused", b.Used(), b.Refused())
	}
	b.Give(1000)
	if b.Used() != 0 || !b.Room(1000) || b.Room(1001) {
		t.Errorf("%d used after all was given back", b.Used())
	}
	b.Force(2000)
	if b.Used() != 2000 || b.Room(0) {
		t.Error("Force is bound by the limit")
	}
}

func TestWithoutALimitItIsTheDefault(t *testing.T) {
	var b Budget
	if b.Limit() != Default {
		t.Errorf("limit %d", b.Limit())
	}
	b.SetLimit(-5)
	if b.Limit() != Default || !b.Take(Default, Essential) || b.Take(1<<63, Essential) {
		t.Error("a limit below zero is none")
	}
}

func TestConcurrentTakersStayWithinTheLimit(t *testing.T) {
	var b Budget
	b.SetLimit(1000)
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 1000 {
				b.Take(1, Essential)
			}
		}()
	}
	wg.Wait()
	if b.Used() != 1000 || b.Refused() != 7000 {
		t.Errorf("%d used, %d refused", b.Used(), b.Refused())
	}
}
