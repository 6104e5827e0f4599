// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/gotrace"
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
		if v := Judge(&slow, usual, time.Millisecond, nil); v.Cause != tt.want {
			t.Errorf("%v of allocation beside %v of collection: %v, want %v", tt.allocation, tt.gc, v.Cause, tt.want)
		}
	}
}

// A function that allocates much also uses that memory for the first time. Page faults elsewhere are not of its memory.
func TestFirstUseOfMemoryCountsAsAllocationWhereItWasAllocated(t *testing.T) {
	ordinary := Account{Took: time.Millisecond, Parts: []Part{{Key: Key{Cause: Own}, Took: time.Millisecond}}, States: true, Exact: true}
	usual := []Account{ordinary, ordinary, ordinary}
	const fill = "a.go:7 (main.fill)"
	for _, tt := range []struct {
		allocation, faults, displaced time.Duration
		allocated, touched            string
		want                          Cause
	}{
		{13 * time.Millisecond, 10 * time.Millisecond, 3 * time.Millisecond, fill, "main.fill", Allocation},
		{9 * time.Millisecond, 13 * time.Millisecond, 4 * time.Millisecond, fill, "main.fill", Allocation},
		{7 * time.Millisecond, 8 * time.Millisecond, 9 * time.Millisecond, fill, "main.fill", Allocation},
		{12 * time.Millisecond, 10 * time.Millisecond, 4 * time.Millisecond, fill, "main.read", Unclear},
		{12 * time.Millisecond, 10 * time.Millisecond, 4 * time.Millisecond, "", "main.fill", Unclear},
		{12 * time.Millisecond, 10 * time.Millisecond, 4 * time.Millisecond, "", "", Unclear},
		{3 * time.Millisecond, 13 * time.Millisecond, 10 * time.Millisecond, fill, "main.fill", Unclear},
		{3 * time.Millisecond, 17 * time.Millisecond, 6 * time.Millisecond, fill, "main.fill", PageFaults},
		{6 * time.Millisecond, 16 * time.Millisecond, 4 * time.Millisecond, fill, "main.fill", PageFaults},
		{6 * time.Millisecond, 5 * time.Millisecond, 12 * time.Millisecond, fill, "main.fill", Unclear},
	} {
		slow := Account{Took: time.Millisecond + tt.allocation + tt.faults + tt.displaced, States: true, Exact: true, Parts: []Part{
			{Key: Key{Cause: Allocation, Where: tt.allocated}, Took: tt.allocation}, {Key: Key{Cause: PageFaults, Where: tt.touched}, Took: tt.faults},
			{Key: Key{Cause: Preempted}, Took: tt.displaced}, {Key: Key{Cause: Own}, Took: time.Millisecond}}}
		v := Judge(&slow, usual, time.Millisecond, nil)
		if v.Cause != tt.want {
			t.Errorf("%+v: %v", tt, v.Cause)
		}
		if v.Cause == Allocation && v.Spent != tt.allocation {
			t.Errorf("%+v: the verdict claims %v", tt, v.Spent)
		}
	}
}

// Goroutines that allocate occupy the scheduler's processors and make collections. A unit that waits for both is slow for one reason, if
// it allocates little itself.
func TestProcessorsAndCollectionsCountTogetherIfOthersAllocate(t *testing.T) {
	ordinary := Account{Took: time.Millisecond, Parts: []Part{{Key: Key{Cause: Own}, Took: time.Millisecond}}, States: true, Exact: true}
	usual := []Account{ordinary, ordinary, ordinary}
	for _, tt := range []struct {
		ready, gc, own time.Duration
		crowded        bool
		want           Cause
	}{
		{27 * time.Millisecond, 12 * time.Millisecond, 18 * time.Millisecond, true, NoProcessor},
		{12 * time.Millisecond, 27 * time.Millisecond, 18 * time.Millisecond, true, GC},
		{27 * time.Millisecond, 12 * time.Millisecond, 18 * time.Millisecond, false, Unclear},
		{15 * time.Millisecond, 12 * time.Millisecond, 25 * time.Millisecond, true, Unclear},
	} {
		slow := Account{Took: time.Millisecond + tt.ready + tt.gc + tt.own, States: true, Exact: true, Crowded: tt.crowded, Parts: []Part{
			{Key: Key{Cause: NoProcessor}, Took: tt.ready}, {Key: Key{Cause: GC}, Took: tt.gc}, {Key: Key{Cause: Own}, Took: time.Millisecond + tt.own}}}
		v := Judge(&slow, usual, time.Millisecond, nil)
		if v.Cause != tt.want {
			t.Errorf("%+v: %v", tt, v.Cause)
		}
		if part := max(tt.ready, tt.gc); v.Cause != Unclear && (v.Spent != part || v.Share > float64(part)/float64(slow.Took-time.Millisecond)+1e-9) {
			t.Errorf("%+v: the verdict claims %v, a share of %v", tt, v.Spent, v.Share)
		}
	}
}

func TestOthersAllocate(t *testing.T) {
	for _, tt := range []struct {
		unit, others int64 // bytes
		linked       bool
		want         bool
	}{
		{0, 2 << 20, false, true},
		{0, 1 << 10, false, false},
		{1 << 20, 2 << 20, false, false},
		{0, 2 << 20, true, false}, // it works for the unit
	} {
		s := newScene(t, "1: run 0, ready 10, run 40", "2: run 10")
		s.Trace.Limits = []gotrace.Limit{{Procs: 1}}
		s.Trace.Heap = []gotrace.Heap{{At: 0, Live: 1 << 20}, {At: 12 * msec, Live: 1<<20 + tt.others, Goroutine: 2}, {At: 45 * msec, Live: 1<<20 + tt.others + tt.unit, Goroutine: 1}}
		u := Unit{Goroutine: 1, Interval: Interval{0, 50 * msec}}
		if tt.linked {
			u.Links = []Link{{2, u.Interval}}
		}
		if got := s.window().crowded(u); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}
