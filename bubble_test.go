// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.25 && !strobe_off

package strobe

import (
	"testing"
	"testing/synctest"
)

// The time of a bubble does not advance while a goroutine runs, so a loop that polls it would never end.
func TestAFirstSnapshotInABubbleReturns(t *testing.T) {
	if !alone(t) {
		return
	}
	synctest.Test(t, func(t *testing.T) {
		z := NewZone("bubble")
		z.Enter().Exit()
		if s := TakeSnapshot(); s.Totals()[z.id].Calls != 1 {
			t.Errorf("%+v", s.Totals()[z.id])
		}
	})
}
