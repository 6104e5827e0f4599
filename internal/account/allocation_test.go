// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"testing"
	"time"
)

// A unit that allocates much makes collections, and the cause is its allocation. One that allocates a little while the collector runs
// for others was slow because of the collector.
func TestCollectionsCountAsAllocationOnlyIfTheUnitAllocatesMuch(t *testing.T) {
	ordinary := Account{Took: time.Millisecond, Parts: []Part{{Key: Key{Cause: Own}, Took: time.Millisecond}}, States: true, Exact: true}
	usual := []Account{ordinary, ordinary, ordinary}
	for _, tt := range []struct {
		allocation, gc time.Duration
		want           Cause
	}{
		{20 * time.Millisecond, 40 * time.Millisecond, Allocation},
		{10 * time.Millisecond, 50 * time.Millisecond, GC},
	} {
		slow := Account{Took: time.Millisecond + tt.allocation + tt.gc, States: true, Exact: true, Parts: []Part{
			{Key: Key{Cause: GC}, Took: tt.gc}, {Key: Key{Cause: Allocation}, Took: tt.allocation}, {Key: Key{Cause: Own}, Took: time.Millisecond}}}
		if v := Judge(&slow, usual, time.Millisecond); v.Cause != tt.want {
			t.Errorf("%v of allocation beside %v of collection: %v, want %v", tt.allocation, tt.gc, v.Cause, tt.want)
		}
	}
}
