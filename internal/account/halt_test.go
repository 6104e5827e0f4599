// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"testing"

	"github.com/strobe-go/strobe/internal/pressure"
)

// late has the second reading be due at a time.
func (s *scene) late(due float64) *scene {
	r := &s.Readings[1]
	r.Overdue = Interval{Time(due * msec), r.At}
	return s
}

// A process that is frozen with its control group is not told of it. Its timers tell.
func TestAProcessThatWasFrozen(t *testing.T) {
	slept := usually()
	for i := range slept {
		slept[i].Parts = append(slept[i].Parts, Part{Key: Key{Cause: Sleep, Zone: -1, Where: "pool.go:7 (main.wait)"}, Took: 3 * ms})
	}
	const sleep, network, call, run = "1: run 0, wait 1 sleep 4, ready 58, run 58.1", "1: run 0, wait 1 network 4, ready 58, run 58.1",
		"1: run 0, call 1 4, run 58", "1: run 0, ready 58, run 58.1"
	calm := fake{pressure.Waited: 1 * msec, pressure.ProcessTime: 4 * msec}
	with := func(c pressure.Counter, ms int64) fake {
		f := fake{pressure.Waited: 1 * msec, pressure.ProcessTime: 4 * msec}
		f[c] = ms * msec
		return f
	}
	for _, c := range []struct {
		name  string
		scene *scene
		grown fake
		due   float64
		usual []Account
		cause Cause
		of    Cause // that may have been late
	}{
		{"a sleep", newScene(t, sleep).exact(), calm, 11, usually(), Stopped, 0},
		{"a sleep, and the timer was due in the middle", newScene(t, sleep).exact(), calm, 35, usually(), Unclear, Sleep},
		{"a sleep where units sleep, and the timer was due in the middle", newScene(t, sleep).exact(), calm, 35, slept, Stopped, 0},
		{"a sleep, and the timer was late by little", newScene(t, sleep).exact(), calm, 45, slept, Sleep, 0},
		{"a sleep, and other programs had the processors", newScene(t, sleep).exact(), with(pressure.Waited, 40), 11, slept, Preempted, 0},
		{"a sleep where units do not sleep, and other programs had the processors", newScene(t, sleep).exact(), with(pressure.Waited, 40), 11, usually(), Unclear, Sleep},
		{"a connection, and other programs had the processors", newScene(t, network).exact(), with(pressure.Waited, 40), 11, usually(), Unclear, Network},
		{"a sleep, and who had the processors is unknown", newScene(t, sleep).exact(), fake{pressure.ProcessTime: 4 * msec}, 11, slept, Unclear, Sleep},
		{"a sleep, and the host ran something else", newScene(t, sleep).exact(), with(pressure.Stolen, 40), 11, slept, Stolen, 0},
		{"a sleep, and the quota was used up", newScene(t, sleep).exact(), with(pressure.Throttled, 40), 11, slept, Sleep, 0},
		{"a sleep, and memory was short", newScene(t, sleep).exact(), with(pressure.Stalled, 40), 11, slept, Unclear, Sleep},
		{"a sleep, and another goroutine ran meanwhile", newScene(t, sleep, "2: run 0, wait 1 sync 1, ready 30, run 30.1, wait 31 sync 1").exact(), calm, 11, slept, Sleep, 0},
		{"a sleep, switches unknown", newScene(t, sleep), calm, 11, usually(), Stopped, 0},
		{"a connection", newScene(t, network).exact(), calm, 11, usually(), Stopped, 0},
		{"a connection, and the timer was due in the middle", newScene(t, network).exact(), calm, 35, usually(), Unclear, Network},
		{"a channel, and the timer was due in the middle", newScene(t, "1: run 0, wait 1 chan_receive 4, ready 58 by 2, run 58.1", "2: wait 0 sync 1, ready 57.9, run 57.95").exact(), calm, 35, usually(), Unclear, Channel},
		{"a channel, and what ended the wait computed", newScene(t, "1: run 0, wait 1 chan_receive 4, ready 58 by 2, run 58.1", "2: run 0").exact(), calm, 11, usually(), Channel, 0},
		{"a channel, and what ended the wait was off the processor", newScene(t, "1: run 0, wait 1 chan_receive 4, ready 58 by 2, run 58.1", "2: run 0").off(2, 2, 58, false), calm, 35, usually(), Stopped, 0},
		{"a system call", newScene(t, call).off(1, 1, 58, false), calm, 11, usually(), Stopped, 0},
		{"own code, whose thread was off the processor", newScene(t, run).off(1, 2, 58, false), calm, 35, usually(), Stopped, 0},
		{"own code, whose thread waited for a processor", newScene(t, run).off(1, 2, 58, true), calm, 11, usually(), Preempted, 0},
		{"own code, whose thread was on a processor", newScene(t, run).exact(), with(pressure.ProcessTime, 60), 11, usually(), Own, 0},
		{"own code, switches unknown", newScene(t, run), calm, 11, usually(), Stopped, 0},
		{"own code, switches unknown, and it used the processor", newScene(t, run), with(pressure.ProcessTime, 60), 11, usually(), Own, 0},
		{"own code that the records of switches do not reach back to", newScene(t, run).covered(100), calm, 11, usually(), Stopped, 0},
		{"own code that they do not reach back to, and it used the processor", newScene(t, run).covered(100), with(pressure.ProcessTime, 60), 11, usually(), Own, 0},
	} {
		a := c.scene.counters(0, 61, c.grown).late(c.due).of(1, 0, 60)
		v := Judge(&a, c.usual, 2*ms, nil)
		if v.Cause != c.cause || v.Late.Of != c.of || (v.Late.Cause == Stopped) != (c.of != 0 && c.due == 35) {
			t.Errorf("%s: %v, %+v, want %v, %v: %+v", c.name, v.Cause, v.Late, c.cause, c.of, a.Parts)
		}
	}
}

// What reads the counters is not late if the process is frozen while it works. Its thread tells, if no other program had the processor.
func TestAProcessThatWasFrozenWhileItWasLookedAt(t *testing.T) {
	slept := usually()
	for i := range slept {
		slept[i].Parts = append(slept[i].Parts, Part{Key: Key{Cause: Sleep, Zone: -1, Where: "pool.go:7 (main.wait)"}, Took: 3 * ms})
	}
	const sleep, look = "1: run 0, wait 1 sleep 4, ready 58, run 58.1", "2: run 0, wait 59 sleep 4"
	for _, c := range []struct {
		name  string
		scene *scene
		cause Cause
	}{
		{"it was off the processor", newScene(t, sleep, look).off(2, 2, 58, false).self(2), Stopped},
		{"another goroutine was", newScene(t, sleep, look).off(2, 2, 58, false).self(3), Sleep},
		{"it waited for a processor", newScene(t, sleep, look).off(2, 2, 58, true).self(2), Preempted},
		{"it was off the processor for a short time", newScene(t, sleep, look).off(2, 2, 15, false).self(2), Sleep},
		{"it was off the processor, and another goroutine ran", newScene(t, sleep, look, "3: run 0, wait 1 sync 1, ready 30, run 30.1, wait 31 sync 1").off(2, 2, 58, false).self(2), Sleep},
		{"it was on the processor", newScene(t, sleep, look).exact().self(2), Sleep},
	} {
		a := c.scene.counters(0, 61, fake{pressure.Waited: 1 * msec, pressure.ProcessTime: 4 * msec}).of(1, 0, 60)
		if v := Judge(&a, slept, 2*ms, nil); v.Cause != c.cause {
			t.Errorf("%s: %v, want %v: %+v", c.name, v.Cause, c.cause, a.Parts)
		}
	}
}

// Another wait of the unit is not doubtful because it was frozen once.
func TestAHaltMakesItsOwnTimeDoubtful(t *testing.T) {
	s := newScene(t, "1: run 0, wait 1 sleep 4, ready 140, run 140.1, wait 141 sleep 4, ready 198, run 198.1").exact()
	a := s.counters(0, 201, fake{pressure.Waited: 0}).late(150).of(1, 0, 200)
	if v := Judge(&a, usually(), 2*ms, nil); a.Sum(Stopped) != 48*ms || v.Cause != Sleep {
		t.Errorf("%v: %+v, %+v", v.Cause, a.Parts, a.Late)
	}
}
