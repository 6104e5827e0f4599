// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"sync/atomic"
	"testing"
)

// Sampling begins and ends while a goroutine calls the zone: no call is lost.
func TestCallsAreCountedWhileSamplingBeginsAndEnds(t *testing.T) {
	const calls = 2_000_000
	z := NewZone("toggled")
	z.SetSampling(50)
	var stop atomic.Bool
	ended := make(chan bool)
	go func() {
		defer close(ended)
		for i := 0; !stop.Load(); i++ {
			z.SetSampling([]int{1, 50}[i%2])
		}
	}()
	for range calls {
		z.Enter().Exit()
	}
	stop.Store(true)
	<-ended
	if x := TakeSnapshot().Totals()[z.id]; x.Calls != calls {
		t.Errorf("%d calls, want %d", x.Calls, calls)
	}
}
