// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/pressure"
)

// readAt is no counter: it is when the second reading was.
const readAt pressure.Counter = -1

func TestWithoutATraceOnlyCountersSpeak(t *testing.T) {
	for _, c := range []struct {
		name  string
		grown fake
		cause Cause
	}{
		{"nothing", fake{}, Unclear},
		{"world stopped", fake{pressure.OtherPaused: 50 * msec}, StoppedWorld},
		{"collections", fake{pressure.Paused: 50 * msec}, GC},
		{"quota", fake{pressure.Throttled: 55 * msec}, Throttled},
		{"page faults, perhaps of others", fake{pressure.MinorFaults: 50_000}, Unclear},
		{"threads that waited for memory, perhaps others", fake{pressure.Stalled: 55 * msec}, Unclear},
		{"threads that waited, perhaps others", fake{pressure.Waited: 55 * msec}, Unclear},
		{"a little of everything", fake{pressure.OtherPaused: 20 * msec, pressure.Paused: 20 * msec}, Unclear},
		{"stopped", fake{pressure.Continued: 1}, Stopped},
		{"pauses before and after the unit", fake{pressure.Pauses: 30, pressure.Paused: 60 * msec, readAt: 150 * msec}, Unclear},
		{"pauses throughout", fake{pressure.Pauses: 30, pressure.Paused: 140 * msec, readAt: 150 * msec}, GC},
		{"one pause, and the readings are near", fake{pressure.Pauses: 2, pressure.Paused: 55 * msec, readAt: 150 * msec}, GC},
		{"one pause, and the readings are far apart", fake{pressure.Pauses: 2, pressure.Paused: 55 * msec, readAt: 2000 * msec}, Unclear},
		{"one stop, and the readings are far apart", fake{pressure.OtherPauses: 1, pressure.OtherPaused: 55 * msec, readAt: 2000 * msec}, Unclear},
		{"quota, and the readings are far apart", fake{pressure.Throttlings: 2, pressure.Throttled: 180 * msec, readAt: 2000 * msec}, Unclear},
	} {
		t.Run(c.name, func(t *testing.T) {
			until := 61.0
			if at, ok := c.grown[readAt]; ok {
				until = float64(at) / msec
			}
			s := (&scene{}).span(1, 3, 0, 60, 0).counters(0, until, c.grown)
			s.Fault = time.Microsecond
			a := s.of(1, 0, 60)
			var sum time.Duration
			for _, p := range a.Parts {
				if sum += p.Took; p.Zone != 3 {
					t.Errorf("zone %d", p.Zone)
				}
			}
			if sum != 60*ms || a.States || a.Exact {
				t.Errorf("%v, %+v", sum, a)
			}
			if v := Judge(&a, nil, 2*ms, nil); v.Cause != c.cause {
				t.Errorf("%v, want %v: %+v", v.Cause, c.cause, a)
			}
		})
	}
}

// A wait for a page of a file is a page fault, which computes at least as long as one without a wait: before it, and after it.
func TestThePageFaultsAroundWaitsForADiskAreNotOwnCode(t *testing.T) {
	for _, c := range []struct {
		name   string
		fault  time.Duration
		pages  int64
		paging time.Duration
		cause  Cause
	}{
		{"faults that cost nothing", 0, 28, 28 * ms, Unclear},
		{"faults that take a fifth of the time in between", 200 * time.Microsecond, 28, 28*ms + 56*200*time.Microsecond, Paging},
		{"fewer pages were read than it waited", 200 * time.Microsecond, 9, 28*ms + 18*200*time.Microsecond, Unclear},
		{"faults that cost more than all of it", time.Second, 28, 60 * ms, Paging},
	} {
		s := newScene(t, "1: run 0").exact().counters(0, 61, fake{pressure.ProcessTime: 32 * msec, pressure.MajorFaults: c.pages})
		s.Fault = c.fault
		for at := 1.0; at < 56; at += 2 {
			s.off(1, at, at+1, false)
		}
		a := s.of(1, 0, 60)
		if got := a.Sum(Paging); got != c.paging || a.Sum(Own)+got != 60*ms {
			t.Errorf("%s: %v of paging, want %v: %+v", c.name, got, c.paging, a.Parts)
		}
		if v := Judge(&a, usually(), 2*ms, nil); v.Cause != c.cause {
			t.Errorf("%s: %v, want %v: %+v", c.name, v.Cause, c.cause, a.Parts)
		}
	}
}

// A unit that is longer than the trace is accounted for as far as that goes. Without records of switches it may have been off the processor.
func TestTheEndOfALongUnitMayBeThatOfOtherPrograms(t *testing.T) {
	for _, c := range []struct {
		what  string
		exact bool
		cause Cause
	}{
		{"1: run 0", true, Own},
		{"1: run 0", false, Unclear},
		{"1: ready 0, run 58", true, NoProcessor},
		{"1: ready 0, run 58", false, Unclear},
		{"1: wait 0 chan_receive 4, ready 58 by 2, run 59", false, Channel},
	} {
		s := newScene(t, c.what, "2: run 0", "3: run 0")
		if c.exact {
			s.exact()
		}
		a := s.of(1, -10, 60)
		if v := Judge(&a, usually(), 2*ms, nil); a.States || v.Cause != c.cause {
			t.Errorf("%s, exact: %v: %v, want %v; %+v", c.what, c.exact, v.Cause, c.cause, a)
		}
	}
}

// What a reading lacks of the processor time depends on what ran then: two goroutines at the first one, and one at the second.
func TestEachReadingLacksWhatRanThen(t *testing.T) {
	s := newScene(t, "1: run 0", "2: run 0, wait 40 sleep 4").counters(0, 61, fake{pressure.ProcessTime: 90 * msec}).lag(10)
	if a := s.of(1, 0, 60); a.Hidden != (Bounds{1 * ms, 31 * ms, true}) {
		t.Errorf("%+v", a.Hidden)
	}
}
