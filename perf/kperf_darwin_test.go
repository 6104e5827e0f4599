// SPDX-License-Identifier: BSD-3-Clause

package perf

import "testing"

func TestASecondGroupOfPrivilegedCountersIsRefused(t *testing.T) {
	if kperfTaken.Swap(true) {
		t.Fatal("taken before anything was opened")
	}
	defer kperfTaken.Store(false)
	rows := []row{{event: Branches, slot: noSlot, value: Value{Event: Branches, Scale: 1}}}
	if k, why := openKperf(Thread, rows, []int{0}); k != nil || why.reason == "" || rows[0].counted() {
		t.Errorf("%+v", why)
	}
}
