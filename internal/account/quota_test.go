// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/pressure"
)

// usedUp has the quota used up so often and for so many milliseconds, summed over two processors.
func (s *scene) usedUp(times, sum int64) *scene {
	return s.counters(0, 61, fake{pressure.Throttlings: times, pressure.Throttled: sum * msec, pressure.ProcessTime: 61 * msec})
}

// A wait ends late if the quota is used up meanwhile: nothing tells how long what it waited for took, unless it is a sleep and units usually
// sleep there.
func TestWaitsWhileTheQuotaIsUsedUp(t *testing.T) {
	slept := make([]Account, 5)
	for i := range slept {
		slept[i] = Account{Took: 5 * ms, Parts: []Part{{Key: Key{Cause: Own, Zone: -1}, Took: 2 * ms}, {Key: Key{Cause: Sleep, Zone: -1, Where: "pool.go:7 (main.wait)"}, Took: 3 * ms}},
			States: true, Exact: true}
	}
	const sleep, network, call = "1: run 0, wait 1 sleep 4, ready 58, run 58.1", "1: run 0, wait 1 network 4, ready 58, run 58.1", "1: run 0, call 1 4, run 58"
	for _, c := range []struct {
		name  string
		what  string
		usual []Account
		sum   int64 // ms; 0: it was not used up
		cause Cause
		of    Cause // that may have been late
	}{
		{"a sleep", sleep, slept, 110, Throttled, 0},
		{"a sleep, and one processor had some left", sleep, slept, 57, Unclear, Sleep},
		{"a sleep, for a small part of which", sleep, slept, 10, Sleep, 0},
		{"a sleep, and it was not", sleep, slept, 0, Sleep, 0},
		{"a sleep where units do not sleep", sleep, usually(), 110, Unclear, Sleep},
		{"a connection", network, usually(), 110, Unclear, Network},
		{"a connection, for a small part of which", network, usually(), 10, Network, 0},
		{"a system call", call, usually(), 57, Unclear, Syscall},
		{"a system call, for a small part of which", call, usually(), 10, Syscall, 0},
	} {
		for _, exact := range []bool{true, false} {
			s := newScene(t, c.what)
			if exact {
				s.exact()
			}
			if s.usedUp(0, 0); c.sum > 0 {
				s.usedUp(1+c.sum/20, c.sum)
			}
			a := s.of(1, 0, 60)
			v := Judge(&a, c.usual, 2*ms, nil)
			if v.Cause != c.cause || v.Late.Of != c.of || c.of != 0 && v.Late.Cause != Throttled {
				t.Errorf("%s, exact %t: %v, %+v, want %v, %v: %+v", c.name, exact, v.Cause, v.Late, c.cause, c.of, a.Parts)
			}
			var sum time.Duration
			for _, p := range a.Parts {
				sum += p.Took
			}
			if sum != 60*ms {
				t.Errorf("%s: the parts are %v", c.name, sum)
			}
		}
	}
}

// Where the unit itself was throttled for a while, a wait meanwhile is likely to be due to the same, if the quota was used up for as long.
func TestWaitsBesideTimeThatWasThrottled(t *testing.T) {
	for _, c := range []struct {
		name  string
		until float64 // it is off the processor from 1 until then
		sum   int64
		cause Cause
	}{
		{"for most of both", 25, 110, Throttled},
		{"hardly itself", 8, 110, Unclear},
		{"for most of both, on one processor", 25, 57, Unclear},
	} {
		s := newScene(t, "1: run 0, wait 26 network 4, ready 58, run 58.1").off(1, 1, c.until, true).usedUp(6, c.sum)
		a := s.of(1, 0, 60)
		if v := Judge(&a, usually(), 2*ms, nil); v.Cause != c.cause {
			t.Errorf("%s: %v, want %v: %+v", c.name, v.Cause, c.cause, a.Parts)
		}
	}
}

// Time that counts as throttled already makes no other doubtful.
func TestTheQuotaMakesItsOwnTimeDoubtful(t *testing.T) {
	s := newScene(t, "1: run 0, wait 22 network 4, ready 58, run 58.1").off(1, 1, 21, true).usedUp(2, 22)
	a := s.of(1, 0, 60)
	if v := Judge(&a, usually(), 2*ms, nil); a.Sum(Throttled) < 20*ms || v.Cause != Network {
		t.Errorf("%v: %+v, %+v", v.Cause, a.Parts, a.Late)
	}
}

// The processors on which nothing looked at a timer were not those of other programs.
func TestATimerIsLateBecauseTheQuotaIsUsedUp(t *testing.T) {
	usual := usually()
	for i := range usual {
		usual[i].Parts = append(usual[i].Parts, Part{Key: Key{Cause: Sleep, Zone: -1, Where: "pool.go:7 (main.wait)"}, Took: 3 * ms})
	}
	for _, c := range []struct {
		sum   int64
		cause Cause
	}{{20, Preempted}, {50, Unclear}, {110, Throttled}} {
		s := newScene(t, "1: run 0, wait 1 sleep 4, ready 58, run 58.1", "2: ready 0, run 4, ready 57.95 by 1, run 58.02", "3: run 0").
			off(2, 5, 57, true).off(3, 5, 57, true).usedUp(3, c.sum)
		s.Trace.Goroutines[0].Steps[2].Proc = 2
		a := s.of(1, 0, 60)
		if v := Judge(&a, usual, 2*ms, nil); v.Cause != c.cause {
			t.Errorf("%d ms: %v, want %v: %+v, %+v", c.sum, v.Cause, c.cause, a.Parts, a.Late)
		}
	}
}

// What ended a wait may not have run for as long as it seems.
func TestAWakerThatWasThrottled(t *testing.T) {
	for _, c := range []struct {
		name  string
		exact bool
		off   bool
		sum   int64
		main  Cause
	}{
		{"its thread was off the processor", true, true, 60, Throttled},
		{"it was for another reason", true, true, 10, Preempted},
		{"it ran, by all records", true, false, 110, Own},
		{"it seems to have run, on no processor", false, false, 110, Throttled},
		{"it seems to have run, perhaps on no processor", false, false, 57, Unclear},
		{"it seems to have run", false, false, 10, Own},
	} {
		s := newScene(t, "1: run 0, wait 1 chan_receive 4, ready 58 by 2, run 58.1", "2: run 0").usedUp(4, c.sum)
		if c.exact {
			s.exact()
		}
		if c.off {
			s.off(2, 2, 57, true)
		}
		a := s.of(1, 0, 60)
		v := Judge(&a, usually(), 2*ms, nil)
		if v.Cause != Channel || a.Parts[v.Part].By.Goroutine != 2 {
			t.Errorf("%s: %v: %+v", c.name, v.Cause, a.Parts)
		} else if by := a.Parts[v.Part].By; by.Main.Cause != c.main || (by.Took == 0) != (c.main == Unclear) {
			t.Errorf("%s: %+v, want %v", c.name, by, c.main)
		}
	}
}

// A reading that was interrupted has counters of a later time than when it began.
func TestAReadingThatWasInterruptedIsNotBeforeTheUnit(t *testing.T) {
	s := newScene(t, "1: run 0, call 1 4, run 58").counters(-1, 61, fake{pressure.Throttlings: 3, pressure.Throttled: 57 * msec})
	s.Readings[0].Took = 30 * ms
	a := s.of(1, 0, 60)
	if a.Quota.Known {
		t.Errorf("%+v", a.Quota)
	}
	s.Readings[0].Took = ms
	if a = s.of(1, 0, 60); !a.Quota.Known || a.Quota.Most != 57*ms || a.Quota.Least != 57*ms/2 {
		t.Errorf("%+v", a.Quota)
	}
}

func TestTheNumberOfTheSchedulersProcessorsMayBeUnknown(t *testing.T) {
	s := newScene(t, "1: run 0, wait 1 sleep 4, ready 58, run 58.1").usedUp(3, 57)
	s.procs = 0
	if a := s.of(1, 0, 60); a.Quota != (Bounds{57 * ms, 57 * ms, true}) {
		t.Errorf("%+v", a.Quota)
	}
}
