// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/pressure"
)

// The deadline of a context is a goroutine that a timer starts, and that closes a channel.
func TestAWaitThatATimersGoroutineEndsIsForTheTimer(t *testing.T) {
	at := func(ms float64) Time { return Time(ms * msec) }
	for _, c := range []struct {
		name          string
		waker, reason string
		made          bool // by a timer
		sleep         time.Duration
	}{
		{"deadline", "2: ready 50, run 50.1, gone 58", "chan_receive", true, 50 * ms},
		{"a lock that it gives back", "2: ready 50, run 50.1, gone 58", "sync", true, 0},
		{"a goroutine that was there before", "2: ready 0, run 50.1, gone 58", "chan_receive", true, 0},
		{"a goroutine of a goroutine", "2: ready 50 by 3, run 50.1, gone 58", "chan_receive", true, 0},
		{"a goroutine of which only this is known", "2: ready 50, run 50.1, gone 58", "chan_receive", false, 0},
	} {
		s := newScene(t, "1: run 0, wait 0 "+c.reason+" 4, ready 57 by 2, run 57", c.waker).exact()
		if c.made {
			s.Trace.Goroutines[1].Steps[0].Reason = "created"
		}
		a := s.of(1, 0, 60)
		if got := a.Sum(Sleep); got != c.sleep {
			t.Errorf("%s: sleeps for %v, want %v: %+v", c.name, got, c.sleep, a.Parts)
		}
		if rest := a.Sum(Channel) + a.Sum(Lock); rest != 57*ms-c.sleep {
			t.Errorf("%s: waits for %v, want %v", c.name, rest, 57*ms-c.sleep)
		}
		for _, p := range a.Parts {
			if p.Cause == Sleep && (p.By.Goroutine != 0 || p.Where != "pool.go:7 (main.wait)" || p.Spans[0] != (Interval{0, at(50)})) {
				t.Errorf("%s: %+v", c.name, p)
			}
		}
	}
}

// A timer that nothing looked at may have been due long before it ended a sleep. What is usual tells how long the sleep was to last.
func TestATimerIsLateIfItsProcessorIsBusy(t *testing.T) {
	sleepers := func(d time.Duration) (all []Account) {
		for range 5 {
			a := Account{Took: d + 2*ms, Parts: []Part{{Key: Key{Cause: Own, Zone: -1}, Took: 2 * ms}}, States: true, Exact: true}
			if d > 0 {
				a.Parts = append(a.Parts, Part{Key: Key{Cause: Sleep, Zone: -1, Where: "pool.go:7 (main.wait)"}, Took: d})
			}
			all = append(all, a)
		}
		return all
	}
	some := func(sleep time.Duration, n int) []Account { return append(sleepers(sleep)[:n], sleepers(0)...) }
	elsewhere := sleepers(3 * ms)
	for i := range elsewhere {
		elsewhere[i].Parts[1].Where = "retry.go:3 (main.again)"
	}
	busy := []string{"2: ready 0, run 4, ready 57.95 by 1, run 58.02", "3: run 0"}
	for _, c := range []struct {
		name  string
		procs []string // goroutine 2 is what runs where the timer is looked at
		usual []Account
		cause Cause
		by    int64
	}{
		{"usually it sleeps for less", busy, sleepers(3 * ms), NoProcessor, 2},
		{"some sleep for less", busy, some(3*ms, 3), NoProcessor, 2},
		{"some sleep for as long", busy, some(57*ms, 3), Sleep, 0},
		{"hardly any sleeps", busy, some(3*ms, 2), Unclear, 0},
		{"usually it sleeps elsewhere", busy, elsewhere, Unclear, 0},
		{"usually it does not sleep", busy, sleepers(0), Unclear, 0},
		{"nothing usual is known", busy, nil, Unclear, 0},
		{"usually it sleeps for nearly as long", busy, sleepers(54 * ms), NoProcessor, 2},
		{"the processor was busy for the last part only", []string{"2: ready 0, run 40, ready 57.95 by 1, run 58.5", "3: run 0"}, sleepers(3 * ms), Sleep, 0},
		{"for the last half only", []string{"2: ready 0, run 29, ready 57.95 by 1, run 58.5", "3: run 0"}, sleepers(3 * ms), Unclear, 0},
		{"it was idle at last", []string{"2: run 0, wait 50 sync 1", "3: run 0"}, sleepers(3 * ms), Sleep, 0},
		{"another processor was idle", []string{"2: ready 0, run 4, ready 57.95 by 1, run 58.5"}, sleepers(3 * ms), Sleep, 0},
		{"other programs had both, and the threads wait for them", busy, sleepers(3 * ms), Preempted, 0},
		{"other programs had the processor of the only thread that wanted one", busy[:1], sleepers(3 * ms), Preempted, 0},
		{"the collector had both", []string{"2: ready 0, gc 4, ready 57.95 by 1, gc 58.5", "3: gc 0"}, sleepers(3 * ms), GC, 0},
	} {
		s := newScene(t, append([]string{"1: run 0, wait 1 sleep 4, ready 58, run 58.1"}, c.procs...)...).exact()
		s.Trace.Goroutines[0].Steps[2].Proc = 2
		if strings.Contains(c.name, "programs") {
			s.off(2, 5, 57, true).off(3, 5, 57, true)
		}
		a := s.of(1, 0, 60)
		v := Judge(&a, c.usual, 2*ms, nil)
		if v.Cause != c.cause || (v.Late.Of == Sleep) != (c.cause == Unclear) {
			t.Errorf("%s: %v, want %v: %+v, late %+v", c.name, v.Cause, c.cause, a.Parts, a.Late)
			continue
		}
		if v.Part >= 0 && a.Parts[v.Part].By.Goroutine != c.by {
			t.Errorf("%s: by %+v, want %d", c.name, a.Parts[v.Part].By, c.by)
		}
		if sum := a.Sum(Sleep) + a.Sum(v.Cause); v.Cause != Unclear && v.Cause != Sleep && sum < 57*ms {
			t.Errorf("%s: %v of the sleep are left", c.name, sum)
		}
	}
}

// Units that sleep may all take longer than ordinary ones.
func TestLongerUnitsTellHowLongASleepIsToLast(t *testing.T) {
	sleepers := func(d time.Duration, n int) (all []Account) {
		key := Key{Cause: Sleep, Zone: -1, Where: "pool.go:7 (main.wait)"}
		for range n {
			all = append(all, Account{Took: d + 2*ms, Parts: []Part{{Key: key, Took: d}, {Key: Key{Cause: Own, Zone: -1}, Took: 2 * ms}}, States: true, Exact: true})
		}
		return all
	}
	for _, c := range []struct {
		name   string
		usual  []Account
		longer []Account
		cause  Cause
	}{
		{"they sleep for less", usually(), sleepers(3*ms, 3), NoProcessor},
		{"they sleep for as long", usually(), sleepers(57*ms, 3), Sleep},
		{"they sleep for a third as long", usually(), sleepers(20*ms, 3), NoProcessor},
		{"hardly any", usually(), sleepers(3*ms, 2), Unclear},
		{"with an ordinary one", append(usually(), sleepers(3*ms, 1)...), sleepers(3*ms, 2), NoProcessor},
		{"none", usually(), nil, Unclear},
	} {
		s := newScene(t, "1: run 0, wait 1 sleep 4, ready 58, run 58.1", "2: ready 0, run 4, ready 57.95 by 1, run 58.02", "3: run 0").exact()
		s.Trace.Goroutines[0].Steps[2].Proc = 2
		a := s.of(1, 0, 60)
		if v := Judge(&a, c.usual, 2*ms, func() []Account { return c.longer }); v.Cause != c.cause || (v.Late.Of == Sleep) != (c.cause == Unclear) {
			t.Errorf("%s: %v, want %v: %+v, late %+v", c.name, v.Cause, c.cause, a.Parts, a.Late)
		}
	}
	a := newScene(t, "1: run 0, wait 1 sleep 4, ready 58, run 58.1").exact().of(1, 0, 60)
	if v := Judge(&a, usually(), 2*ms, func() []Account { t.Error("no timer was late"); return nil }); v.Cause != Sleep {
		t.Errorf("%+v", v)
	}
}

// A connection that nothing looked at may have been ready long before a wait for it ended. How long it needed, nothing tells.
func TestAConnectionMayHaveBeenReadyWhileAllProcessorsWereBusy(t *testing.T) {
	usual := make([]Account, 5)
	for i := range usual {
		usual[i] = Account{Took: 2 * ms, Parts: []Part{{Key: Key{Cause: Own, Zone: -1}, Took: ms}, {Key: Key{Cause: Network, Zone: -1}, Took: ms}}, States: true, Exact: true}
	}
	busy := []string{"2: ready 0, run 20, ready 57.95 by 1, run 58.5", "3: run 0"}
	for _, c := range []struct {
		name  string
		from  string // when it begins to wait
		procs []string
		cause Cause
	}{
		{"a short wait", "40", busy, Unclear},
		{"a wait that is much longer than the runtime does not look", "1", busy, Network},
		{"a processor was idle at last", "40", []string{"2: run 0, wait 50 sync 1", "3: run 0"}, Network},
		{"a processor was idle until shortly before", "40", []string{"2: ready 0, run 53, ready 57.95 by 1, run 58.5", "3: run 0"}, Network},
		{"it changed goroutines meanwhile", "40", []string{"2: ready 0, run 20, ready 52 by 1, run 52.01, ready 57.95 by 1, run 58.5", "3: run 0"}, Unclear},
		{"a processor was idle for most of the time", "40", []string{"2: ready 0, run 51, ready 57.95 by 1, run 58.5", "3: run 0"}, Network},
		{"another one was idle", "40", busy[:1], Network},
		{"it stayed ready for most of the time", "10", []string{"2: run 0", "3: run 0"}, NoProcessor},
	} {
		ended := "58"
		if c.cause == NoProcessor {
			ended = "18"
		}
		s := newScene(t, append([]string{"1: ready 0, run " + c.from + ", wait " + c.from + " network 4, ready " + ended + ", run 58.1"}, c.procs...)...).exact()
		from := 0.
		fmt.Sscan(c.from, &from)
		a := s.of(1, from, 60)
		if v := Judge(&a, usual, 2*ms, nil); v.Cause != c.cause || (v.Late.Of == Network) != (c.cause == Unclear) {
			t.Errorf("%s: %v, want %v: %+v, late %+v", c.name, v.Cause, c.cause, a.Parts, a.Late)
		}
	}
}

// Each sleep may have been late for its own time.
func TestLateTimersAddUp(t *testing.T) {
	s := newScene(t, "1: run 0, wait 20 sleep 4, ready 38, run 38.05, wait 39 sleep 4, ready 58, run 58.05",
		"2: ready 0, run 19, ready 37.95 by 1, run 38.5, ready 57.95 by 1, run 58.5", "3: run 0").exact()
	for _, i := range []int{2, 5} {
		s.Trace.Goroutines[0].Steps[i].Proc = 2
	}
	a := s.of(1, 19, 60)
	if len(a.Late) != 1 || a.Late[0].Of != Sleep || a.Late[0].Cause != NoProcessor || a.Late[0].Took < 36*ms || a.Late[0].Took > 38*ms {
		t.Errorf("%+v", a.Late)
	}
}

func TestTheLongestLateIsTheReason(t *testing.T) {
	a := Account{Late: []Late{{Of: Sleep, Cause: NoProcessor, Took: 10 * ms}, {Of: Sleep, Cause: Preempted, Took: 20 * ms}, {Of: Network, Cause: GC, Took: 30 * ms}, {Of: Sleep, Cause: GC, Took: ms}}}
	if l := a.longestLate(Sleep); l.Cause != Preempted || l.Took != 20*ms {
		t.Errorf("%+v", l)
	}
	if l := a.longestLate(Syscall); l.Of != Unclear || l.Took != 0 {
		t.Errorf("%+v", l)
	}
}

// Several reasons that may each explain a part of a sleep make it unclear, and none of them takes the whole.
func TestOneReasonMustExplainALateTimer(t *testing.T) {
	key := Key{Cause: Sleep, Zone: -1, Where: "pool.go:7 (main.wait)"}
	usual := usually()
	for i := range usual {
		usual[i].Parts = append(usual[i].Parts, Part{Key: key, Took: 3 * ms})
	}
	late := []Late{{Of: Sleep, Cause: NoProcessor, Took: 20 * ms}, {Of: Sleep, Cause: Throttled, Took: 18 * ms}, {Of: Sleep, Cause: Stopped, Took: 15 * ms}}
	slow := Account{Took: 60 * ms, Parts: []Part{{Key: key, Took: 58 * ms}, {Key: Key{Cause: Own, Zone: -1}, Took: 2 * ms}}, States: true, Exact: true, Late: late}
	if v := Judge(&slow, usual, 2*ms, nil); v.Cause != Unclear || v.Late.Cause != NoProcessor {
		t.Errorf("%+v", v)
	}
}

// Goroutines that seem to have had the processors may have been off them, if nothing records that.
func TestATimerThatIsLatePerhapsBecauseOfOtherPrograms(t *testing.T) {
	usual := usually()
	for i := range usual {
		usual[i].Parts = append(usual[i].Parts, Part{Key: Key{Cause: Sleep, Zone: -1, Where: "pool.go:7 (main.wait)"}, Took: 3 * ms})
	}
	for _, c := range []struct {
		used  int64 // ms
		cause Cause
	}{{120, NoProcessor}, {60, Unclear}, {10, Preempted}} {
		s := newScene(t, "1: run 0, wait 1 sleep 4, ready 58, run 58.1", "2: ready 0, run 4, ready 57.95 by 1, run 58.02", "3: run 0").
			counters(0, 61, fake{pressure.ProcessTime: c.used * msec})
		s.Trace.Goroutines[0].Steps[2].Proc = 2
		a := s.of(1, 0, 60)
		if v := Judge(&a, usual, 2*ms, nil); v.Cause != c.cause || (v.Late.Of == Sleep) != (c.cause == Unclear) {
			t.Errorf("%d ms: %v, want %v: %+v, %+v", c.used, v.Cause, c.cause, a.Parts, a.Late)
		}
	}
}

// Nothing looks at timers and connections while other programs have all processors, whether or not the scheduler's are idle.
func TestNothingIsLookedAtWhileOtherProgramsHaveAllProcessors(t *testing.T) {
	ordinary := func(c Cause, wait time.Duration) (all []Account) {
		for range 5 {
			all = append(all, Account{Took: wait + 2*ms, States: true, Exact: true,
				Parts: []Part{{Key: Key{Cause: c, Zone: -1, Where: "pool.go:7 (main.wait)"}, Took: wait}, {Key: Key{Cause: Own, Zone: -1}, Took: 2 * ms}}})
		}
		return all
	}
	for _, c := range []struct {
		name   string
		reason string // of the wait
		of     Cause
		usual  time.Duration
		scene  func(*scene)
		cause  Cause
	}{
		{"all the time", "sleep", Sleep, 3 * ms, func(s *scene) { s.off(2, 5, 57, true) }, Preempted},
		{"but for slices", "sleep", Sleep, 3 * ms, func(s *scene) { s.off(2, 5, 30, true).off(2, 33, 57, true) }, Preempted},
		{"half of the time", "sleep", Sleep, 3 * ms, func(s *scene) { s.off(2, 28, 57, true) }, Unclear},
		{"at last", "sleep", Sleep, 3 * ms, func(s *scene) { s.off(2, 50, 57, true) }, Sleep},
		{"at last, and the sleep is usually nearly as long", "sleep", Sleep, 52 * ms, func(s *scene) { s.off(2, 50, 57, true) }, Preempted},
		{"never: the other thread waits", "sleep", Sleep, 3 * ms, func(s *scene) { s.off(2, 5, 57, false) }, Sleep},
		{"never: a third has one", "sleep", Sleep, 3 * ms, func(s *scene) { s.off(2, 5, 57, true).off(3, 57, 58, false) }, Sleep},
		{"never: a third in C has one", "sleep", Sleep, 3 * ms, func(s *scene) {
			s.off(2, 5, 57, true).off(9, 2, 4, false).off(9, 58, 59, false)
			s.Switches.Off[1].Processor, s.Switches.Off[2].Processor = 1, 1
		}, Sleep},
		{"perhaps: the records begin later", "sleep", Sleep, 3 * ms, func(s *scene) { s.off(2, 30, 57, true).covered(20) }, Sleep},
		{"all the time, and an answer may be there", "network", Network, 3 * ms, func(s *scene) { s.off(2, 5, 57, true) }, Unclear},
		{"never, and an answer is late", "network", Network, 3 * ms, func(s *scene) { s.off(2, 5, 57, false) }, Network},
	} {
		lines := []string{"1: run 0, wait 1 " + c.reason + " 4, ready 58, run 58.1", "2: run 0"}
		if strings.Contains(c.name, "a third has") {
			lines = append(lines, "3: run 0")
		}
		s := newScene(t, lines...).exact()
		s.Trace.Goroutines[0].Steps[2].Proc = 7 // which was idle
		c.scene(s)
		a := s.of(1, 0, 60)
		if v := Judge(&a, ordinary(c.of, c.usual), 2*ms, nil); v.Cause != c.cause {
			t.Errorf("%s: %v, want %v: %+v, late %+v", c.name, v.Cause, c.cause, a.Parts, a.Late)
		}
	}
}

// The thread that is to look at a timer may have woken and waited for a processor, which only a counter of the process tells.
func TestASleepIsUnclearIfThreadsWokeAndGotNoProcessor(t *testing.T) {
	ordinary := func(wait time.Duration) (all []Account) {
		for range 5 {
			all = append(all, Account{Took: wait + 2*ms, States: true, Exact: true,
				Parts: []Part{{Key: Key{Cause: Sleep, Zone: -1, Where: "pool.go:7 (main.wait)"}, Took: wait}, {Key: Key{Cause: Own, Zone: -1}, Took: 2 * ms}}})
		}
		return all
	}
	for _, c := range []struct {
		name   string
		usual  []Account
		waited time.Duration
		off    float64 // how long a thread is known to have been displaced, ms
		cause  Cause
	}{
		{"for as long as the sleep was too long", ordinary(3 * ms), 55 * ms, 0, Unclear},
		{"for most of that", ordinary(3 * ms), 45 * ms, 0, Unclear},
		{"for half of that", ordinary(3 * ms), 27 * ms, 0, Sleep},
		{"not at all", ordinary(3 * ms), 0, 0, Sleep},
		{"for some time, and another was displaced", ordinary(3 * ms), 55 * ms, 20, Sleep},
		{"for as long, and another was displaced", ordinary(3 * ms), 75 * ms, 20, Unclear},
		{"for as long as the sleep was longer than usual", ordinary(40 * ms), 17 * ms, 0, Unclear},
		{"for long, and units do not sleep there", ordinary(0), 55 * ms, 0, Sleep},
	} {
		s := newScene(t, "1: run 0, wait 1 sleep 4, ready 58, run 58.1", "2: run 0").counters(0, 60, fake{pressure.Waited: int64(c.waited)})
		s.exact()
		if c.off > 0 {
			s.off(2, 5, 5+c.off, true)
		}
		s.Trace.Goroutines[0].Steps[2].Proc = 7
		a := s.of(1, 0, 60)
		if v := Judge(&a, c.usual, 2*ms, nil); v.Cause != c.cause || (v.Late.Of == Sleep) != (c.cause == Unclear) {
			t.Errorf("%s: %v, want %v: %+v, late %+v, waited %v", c.name, v.Cause, c.cause, a.Parts, a.Late, a.Waited)
		}
	}
}
