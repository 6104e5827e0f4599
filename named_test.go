// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/strobe-go/strobe/internal/race"
)

func TestNamesAreBoundedAndItIsSaid(t *testing.T) {
	SetBudget(memory.Used() + DefaultBudget)
	defer SetBudget(ample)
	s := named[loop]{bytes: 1 << 20}
	defer func() { memory.Give(uint64(len(s.all)) << 20) }()
	for i := range 2 * maxNames {
		s.get(fmt.Sprint(i))
	}
	all, refused := s.list()
	if len(all) >= 64 || refused == 0 || s.get("0") == nil {
		t.Errorf("%d names of 1 MB each are kept in a budget of 64 MB, %d refused", len(all), refused)
	}
	again := s.refused
	s.get(fmt.Sprint(2*maxNames - 1))
	if _, n := s.list(); n != refused || len(again) != refused {
		t.Errorf("a name that was refused twice counts twice: %d, then %d", refused, n)
	}
	var out Snapshot
	note(&out, refused, 0)
	if !strings.Contains(fmt.Sprint(out.Notes), "frames or plots are missing") {
		t.Errorf("nobody says so: %q", out.Notes)
	}
}

func TestTextsAreCutBetweenRunes(t *testing.T) {
	for most := range 9 {
		got := cut("aä€😀b", most)
		if want := [...]string{"", "a", "a", "aä", "aä", "aä", "aä€", "aä€", "aä€"}[most]; got != want {
			t.Errorf("%d bytes: %q, want %q", most, got, want)
		}
	}
	if got := cut("\x80\x80\x80", 2); len(got) > 2 { // not UTF-8
		t.Errorf("%q", got)
	}
	long := strings.Repeat("€", 1000)
	amplyBudgeted(t)
	Frame(long)
	Plot(long+"x", 1)
	l := NewLane(long)
	defer l.Close()
	s := TakeSnapshot()
	names := []string{NewZone(long).info().Name, l.info().Name, s.Frames[len(s.Frames)-1].Name, s.Plots[len(s.Plots)-1].Name}
	Record(1 << 20)
	defer Record(0)
	Message(strings.Repeat("€", 10_000))
	marks := TakeTimeline().Events
	for i, name := range append(names, marks[len(marks)-1].Name) {
		if most := [...]int{maxName, maxName, maxName, maxName, maxMessage}[i]; len(name) > most || len(name) < most-2 || !utf8.ValidString(name) {
			t.Errorf("%d: %d bytes of %d: %q", i, len(name), most, name)
		}
	}
}

// Names that a program creates at run time are counted, however many and long they are, and those that are refused are not kept.
func TestNamesAreCounted(t *testing.T) {
	race.Sequential(t)
	if !alone(t) {
		return
	}
	TakeSnapshot()
	var kept []any
	long := func(i int) string { return fmt.Sprint(i, strings.Repeat("x", 100_000)) }
	for name, do := range map[string]func(i int){
		"zones": func(i int) { kept = append(kept, NewZone(long(i))) },
		"plots": func(i int) { Plot(long(i), 1) },
		"loops": func(i int) { Frame(long(i)) },
		"lanes": func(i int) { kept = append(kept, NewLane(long(i))) },
		"names": func(i int) { NameLane(long(i)) },
		"parts of longer texts": func(i int) {
			text := long(i)
			kept = append(kept, NewZone(text[:10]), NewLane(text[:10]))
			Plot(text[:10], 1)
		},
	} {
		before, said := heap(), memory.Used()
		for i := range 2 * maxNames {
			do(i)
		}
		grown, counted := heap()-before, memory.Used()-said
		t.Logf("%s: the heap grew by %d kB, %d kB are counted", name, grown>>10, counted>>10)
		if grown > counted+counted/4+300<<10 {
			t.Errorf("%s: the heap grew by %d bytes, %d are counted", name, grown, counted)
		}
	}
	runtime.KeepAlive(kept)
}

// In a program that keeps creating zones, one zone stands for all beyond the budget and counts their calls.
func TestZonesBeyondTheBudgetAreOne(t *testing.T) {
	race.Sequential(t)
	if !alone(t) {
		return
	}
	before := len(Zones())
	SetBudget(4 << 20)
	made := make(map[*Zone]bool)
	for i := range 50_000 {
		z := NewZone(fmt.Sprint("user ", i))
		z.Enter().Exit()
		made[z] = true
	}
	if wait := NewWaitZone("lock"); !wait.info().Wait || wait != NewWaitZone("another") || made[wait] {
		t.Errorf("a wait zone beyond the budget: %+v", wait.info())
	}
	if root := NewRootZone("request"); !root.info().Root || root != NewRootZone("another") || made[root] {
		t.Errorf("a root zone beyond the budget: %+v", root.info())
	}
	s := TakeSnapshot()
	var calls, rest uint64
	for _, z := range s.Totals() {
		calls += z.Calls
		if s.Zones[z.Zone].Name == "(other zones)" {
			rest += z.Calls
		}
	}
	if len(made) > 30_000 || len(made)+before+2 != len(s.Zones) || calls != 50_000 || rest != 50_000-uint64(len(made)-1) {
		t.Errorf("%d zones, %d made; %d calls, %d of the rest", len(s.Zones), len(made), calls, rest)
	}
	if !strings.Contains(fmt.Sprint(s.Notes), "(other zones)") {
		t.Errorf("nobody says so: %q", s.Notes)
	}
}
