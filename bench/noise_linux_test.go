// SPDX-License-Identifier: BSD-3-Clause

package bench

import "testing"

func TestTheSystemTellsSwitchesAndSteal(t *testing.T) {
	if got := stealOS(); !got.ok || got.all == 0 || got.stolen > got.all {
		t.Errorf("%+v", got)
	}
	if s := switchesOS(); !s.ok {
		t.Error("Linux tells context switches of a thread")
	}
}
