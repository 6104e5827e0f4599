// SPDX-License-Identifier: BSD-3-Clause

//go:build linux && arm64

package e2e

import (
	"strings"
	"testing"

	"github.com/strobe-go/strobe/perf"
)

// readable opens counters that are read without a system call.
func readable(t *testing.T, events ...perf.Event) *perf.Group {
	t.Helper()
	g := open(t, perf.Thread, events...)
	for v := range g.Start().Stop().All() {
		if v.Source != "pmu-user" || v.State != perf.Exact {
			t.Fatalf("%+v", v)
		}
	}
	return g
}

func TestUser64ReadsAreExact(t *testing.T) { userReads(t) }
func TestUser32ReadsAreExact(t *testing.T) { userReads(t) }

func userReads(t *testing.T) {
	for _, events := range [][]perf.Event{
		{perf.Cycles, perf.Instructions},
		{"r8:u", "r11:u", user, "cycles:u"}, // every kind of counter
		names(6),
	} {
		g := readable(t, events...)
		slopes(t, g, events...)
		g.Close() // otherwise the groups would take turns
	}
}

func TestUser64ReadsCostLittle(t *testing.T) { userCost(t) }
func TestUser32ReadsCostLittle(t *testing.T) { userCost(t) }

func userCost(t *testing.T) {
	outer := open(t, perf.Thread, user)
	g := readable(t, perf.Cycles, perf.Instructions)
	empty := g.Overhead().Get(perf.Instructions)
	pair := least(t, outer, []perf.Event{user}, func() { g.Start().Stop() })
	none := least(t, outer, []perf.Event{user}, func() {})
	cost := pair[0] - none[0]
	t.Logf("an empty body reads %d instructions; start and end take %d", empty.Count, cost)
	// The goals are 60 and 250 instructions, including two readings of the clock and creating the Reading; another compiler may
	// need a few more.
	if empty.Count > 66 {
		t.Errorf("an empty body reads %d instructions, want at most 66", empty.Count)
	}
	if cost > 275 {
		t.Errorf("start and end of two counters take %d instructions, want at most 275", cost)
	}
}

func TestUser64ReadsFallBackWhenCountersAreShort(t *testing.T) {
	g := readable(t, names(6)...)
	other := open(t, perf.Thread, names(6)...)
	m := g.Start()
	loop(20_000_000)
	m.Stop() // the Measurement is known to be in use by now
	m = g.Start()
	loop(40_000_000)
	for v := range m.Stop().All() {
		if v.State != perf.Scaled && v.State != perf.NotCounted {
			t.Errorf("%v", v)
		}
		if v.State == perf.Scaled && (v.Count < 78_000_000 || v.Count > 82_000_000) {
			t.Errorf("%v", v)
		}
	}
	other.Close()
}

func TestUser64ReadsOfAnotherGoroutineAreRefused(t *testing.T) {
	g := readable(t, perf.Instructions)
	m := g.Start()
	done := make(chan perf.Reading)
	go func() {
		loop(10_000)
		done <- m.Stop()
	}()
	if v := (<-done).Get(perf.Instructions); v.State != perf.NotCounted || !strings.Contains(v.Reason, "another goroutine") {
		t.Errorf("another goroutine's work, measured with a group that counts the owner's: %v", v)
	}
	if v := m.Stop().Get(perf.Instructions); !v.Known() || v.Count > 2_000_000 {
		t.Errorf("the owner waited: %v", v)
	}
}

func TestUser64ReadsSurviveASleep(t *testing.T) {
	g := readable(t, user)
	events := []perf.Event{user}
	short := least(t, g, events, func() { loop(1000); elsewhere(1) })
	long := least(t, g, events, func() { loop(101_000); elsewhere(1) })
	if d := long[0] - short[0]; d < 199_000 || d > 201_000 {
		t.Errorf("100 000 iterations more, with the thread switched away: %d", d)
	}
}

func TestHalfAMachineGivesHalfTheAnswers(t *testing.T) {
	g := open(t, perf.Thread, perf.Cycles, perf.Instructions)
	m := g.Start()
	loop(1_000_000)
	r := m.Stop()
	if v := r.Get(perf.Cycles); v.State != perf.Exact || v.Count == 0 {
		t.Errorf("%v", v)
	}
	if v := r.Get(perf.Instructions); v.State != perf.Unsupported || v.Count != 0 || v.Reason == "" {
		t.Errorf("%+v", v)
	}
	if _, ok := r.Ratio(perf.Instructions, perf.Cycles); ok {
		t.Error("a ratio of what is not counted")
	}
}
