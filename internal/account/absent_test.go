// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"slices"
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/gotrace"
	"github.com/strobe-go/strobe/internal/pressure"
	"github.com/strobe-go/strobe/internal/switches"
)

// samples has the stacks of threads be recorded every 10 ms of processor time, and those of a goroutine be found from one time to another.
func (s *scene) samples(g int64, from, to float64) *scene {
	s.exact().Period = 10 * ms
	for at := from; at < to; at += 10 {
		s.Switches.Samples = append(s.Switches.Samples, switches.Sample{Thread: 100 + g, At: int64(at * msec), PCs: []uintptr{1}})
	}
	s.Frames = func([]uintptr) []gotrace.Frame { return nil }
	return s
}

// missed has the kernel leave out records.
func (s *scene) missed(at ...int64) *scene {
	for _, at := range at {
		s.exact().Switches.Missed = append(s.Switches.Missed, at*msec)
	}
	return s
}

// lost has a thread come twice.
func (s *scene) lost() *scene {
	s.exact().Switches.Lost = 1
	return s
}

// That a thread has a processor does not tell that it executes the program.
func TestOwnCodeIsFoundRunning(t *testing.T) {
	const run = "1: run 0, wait 200 sync 1"
	seldom := func(s *scene, fault bool) *scene {
		for at := int64(20); at < 200; at += 20 {
			if fault {
				s.Switches.Faults = append(s.Switches.Faults, switches.Fault{Thread: 101, At: at * msec})
			} else {
				s.span(1, 0, float64(at-1), float64(at), 0)
			}
		}
		return s
	}
	for _, c := range []struct {
		name   string
		scene  *scene
		absent time.Duration
		cause  Cause
	}{
		{"found all the time", newScene(t, run).samples(1, 3, 200), 0, Own},
		{"never found", newScene(t, run).samples(1, 0, 0), 190 * ms, Unclear},
		{"not found at the end", newScene(t, run).samples(1, 3, 60), 200*ms - 63*ms, Unclear},
		{"not found for a while", newScene(t, run).samples(1, 3, 40).samples(1, 173, 200), 130 * ms, Unclear},
		{"three samples are missing", newScene(t, run).samples(1, 3, 100).samples(1, 132, 200), 0, Own},
		{"four samples are missing", newScene(t, run).samples(1, 3, 100).samples(1, 133, 200), 30 * ms, Own},
		{"another thread is found", newScene(t, run).samples(2, 3, 200), 190 * ms, Unclear},
		{"there are no samples", newScene(t, run).exact(), 0, Own},
		{"records were left out once", newScene(t, run).samples(1, 0, 0).missed(100), 180 * ms, Unclear},
		{"records were left out all the time", newScene(t, run).samples(1, 0, 0).missed(30, 65, 100, 135, 170), 0, Own},
		{"a record of another thread is missing", newScene(t, run).samples(1, 0, 0).lost(), 190 * ms, Unclear},
		{"the records do not reach back", newScene(t, run).samples(1, 0, 0).covered(100).counters(0, 201, fake{pressure.ProcessTime: 200 * msec}), 0, Own},
		{"off the processor in between", newScene(t, run).samples(1, 0, 0).off(1, 30, 35, true).off(1, 65, 70, true).off(1, 100, 105, true).off(1, 135, 140, true).off(1, 170, 175, true), 0, Own},
		{"not found, but spans ended", seldom(newScene(t, run).samples(1, 0, 0), false), 0, Own},
		{"not found, but memory was used for the first time", seldom(newScene(t, run).samples(1, 0, 0), true), 0, Own},
		{"not found, but it allocated", newScene(t, run).samples(1, 0, 0).allocates(1, 0, 200, 10, 4096), 0, Own},
		{"not found, and spans of another thread ended", newScene(t, run, "2: run 0, wait 200 sync 1").samples(1, 0, 0).span(2, 0, 20, 40, 0).span(2, 0, 60, 80, 0).span(2, 0, 100, 120, 0), 190 * ms, Unclear},
		{"not found in C code", newScene(t, "1: run 0, call 1 9, run 199, wait 200 sync 1").samples(1, 0, 0), 188 * ms, Unclear},
		{"found in C code", newScene(t, "1: run 0, call 1 9, run 199, wait 200 sync 1").samples(1, 3, 200), 0, Own},
		{"in a system call", newScene(t, "1: run 0, call 1 1, run 199, wait 200 sync 1").samples(1, 0, 0), 0, Syscall},
	} {
		a := c.scene.of(1, 0, 200)
		if v := Judge(&a, usually(), 2*ms, nil); v.Cause != c.cause || a.Absent != c.absent || a.Sum(Unclear) != c.absent {
			t.Errorf("%s: %v, absent %v, want %v, %v: %+v", c.name, v.Cause, a.Absent, c.cause, c.absent, a.Parts)
		}
	}
}

func TestAnAbsenceOfWhatTheUnitWaitedForCounts(t *testing.T) {
	s := newScene(t, "1: run 0, wait 1 sync 1, ready 199 by 2, run 199", "2: run 0, wait 200 sync 1").samples(2, 0, 0)
	if a := s.of(1, 0, 200, link(2, 0, 200)); a.Absent != 188*ms {
		t.Errorf("%v: %+v", a.Absent, a.Parts)
	}
}

// A machine that does not run is not told of it: its threads keep their processors.
func TestAMachineThatStood(t *testing.T) {
	const run, other = "1: run 0, wait 200 sync 1", "2: run 0, wait 200 sync 1"
	calm := fake{pressure.Waited: 1 * msec, pressure.ProcessTime: 200 * msec}
	both := fake{pressure.Waited: 1 * msec, pressure.ProcessTime: 400 * msec}
	waited := fake{pressure.Waited: 170 * msec, pressure.ProcessTime: 200 * msec}
	for _, c := range []struct {
		name  string
		scene *scene
		grown fake
		due   float64
		cause Cause
	}{
		{"nothing looked at timers", newScene(t, run).samples(1, 3, 20), calm, 21, Stopped},
		{"something looked at timers", newScene(t, run).samples(1, 3, 20), calm, 199, Unclear},
		{"its samples were taken", newScene(t, run).samples(1, 3, 200), calm, 21, Own},
		{"nothing could look at timers", newScene(t, run, other).samples(1, 3, 20).samples(2, 3, 20), both, 21, Unclear},
		{"another thread executed", newScene(t, run, other).samples(1, 3, 20).samples(2, 3, 200), both, 21, Unclear},
		{"the host took the time, which the system knows", newScene(t, run).samples(1, 3, 20), fake{pressure.Waited: 1 * msec, pressure.ProcessTime: 30 * msec}, 21, Stolen},
		{"the same, and something looked at timers", newScene(t, run).samples(1, 3, 20), fake{pressure.ProcessTime: 30 * msec}, 199, Stolen},
		{"it took less than what is missing", newScene(t, run).samples(1, 3, 20), fake{pressure.ProcessTime: 100 * msec}, 199, Unclear},
		{"it allocated", newScene(t, run).samples(1, 3, 20).allocates(1, 20, 200, 10, 4096), calm, 21, Own},
		{"it was continued, as after a signal", newScene(t, run).samples(1, 3, 20), fake{pressure.Continued: 1, pressure.ProcessTime: 200 * msec}, 199, Unclear},
		{"what would have looked had no processor", newScene(t, run).samples(1, 3, 20), waited, 21, Unclear},
	} {
		a := c.scene.counters(0, 201, c.grown).late(c.due).of(1, 0, 200)
		if v := Judge(&a, usually(), 2*ms, nil); v.Cause != c.cause || (a.Absent > 0) != (c.cause == Unclear) {
			t.Errorf("%s: %v, want %v, absent %v: %+v", c.name, v.Cause, c.cause, a.Absent, a.Parts)
		}
	}
}

func TestWhatIsAbsentIsWithinTheTimeThatIsAskedFor(t *testing.T) {
	w := newScene(t, "1: run 0, wait 400 sync 1").samples(1, 100, 110).samples(1, 300, 400).window()
	if got, want := w.absent(101, Interval{0, 60 * msec}), []Interval{{10 * msec, 60 * msec}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
