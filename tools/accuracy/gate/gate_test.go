// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestThePageIsAsGenerated(t *testing.T) {
	all, err := readAll("results.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../../docs/gate-accuracy.md")
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(text), "\r\n", "\n") != page(all) {
		t.Error("docs/gate-accuracy.md differs from its results: run `go run ./accuracy/gate` in tools")
	}
}

func TestWhatWasNotTriedIsNamed(t *testing.T) {
	var all []try
	for _, k := range kinds[1:] {
		all = append(all, try{Kind: k.name})
	}
	if text := untried(all); !strings.Contains(text, kinds[0].name+", "+modules[0]) || strings.Contains(text, kinds[1].name) {
		t.Error(text)
	}
	for _, name := range append(slices.Clone(modules), kinds[0].name) {
		all = append(all, try{Kind: name})
	}
	if text := untried(all); text != "" {
		t.Error(text)
	}
}

// Every kind has a plan inside the limits for every try, which its seed repeats, and sides that are Go and differ.
func TestPlansAreDrawnInsideTheirLimits(t *testing.T) {
	for i := range kinds {
		k := &kinds[i]
		plans, here := map[plan]bool{}, speed{1.5, 2.5}
		for n := range 50 {
			p := k.draw(7, n, here)
			plans[p] = true
			if p != k.draw(7, n, here) || p == k.draw(8, n, here) {
				t.Errorf("%s: try %d is not that of its seed: %+v", k.name, n, p)
			}
			if k.fixed == 0 && (p.change < leastPlanted || p.change > mostPlanted) || k.fixed != 0 && k.set != brief && p.change != k.fixed ||
				k.set == brief && (p.change < 0.052 || p.change > 0.072 || p.call < leastBrief || p.call > 1.1*mostBrief) {
				t.Errorf("%s: %v is planted", k.name, p.change)
			}
			base, planted := k.text(p, false), k.text(p, true)
			if base == planted {
				t.Errorf("%s: nothing is planted", k.name)
			}
			for _, text := range []string{base, planted} {
				if _, err := parser.ParseFile(token.NewFileSet(), "", text, 0); err != nil {
					t.Errorf("%s: %v\n%s", k.name, err, text)
				}
			}
		}
		if len(plans) != 50 {
			t.Errorf("%s: %d different plans", k.name, len(plans))
		}
	}
}

// What was done is not done again, and each round has each kind.
func TestAnInterruptedRunGoesOn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.jsonl")
	s := settings{tries: 3, unchanged: 1, seed: 1, busy: 1, kinds: regexp.MustCompile("")}
	beside := len(kinds) - 1 // kinds for a busy machine
	all := s.left(nil)
	if want := 3*beside + len(modules); len(all) != want {
		t.Fatalf("%d gates, want %d", len(all), want)
	}
	for _, j := range all[:beside+1] {
		if err := (&try{Kind: j.kind, N: j.n, Seed: j.seed, machine: machine{Busy: 1}}).keep(file); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(f, `{"Kind":"cut o`); err != nil {
		t.Fatal(err)
	}
	f.Close()
	for more := range 2 {
		earlier, err := readAll(file)
		if err != nil || len(earlier) != beside+1+more {
			t.Fatalf("%d lines, %v", len(earlier), err)
		}
		left := s.left(earlier)
		if len(left) != len(all)-len(earlier) || left[0].kind != modules[1+more] || left[0].n != 0 {
			t.Errorf("%d are left, the first is %s, try %d", len(left), left[0].kind, left[0].n)
		}
		if err := (&try{Kind: left[0].kind, N: left[0].n, Seed: left[0].seed, machine: machine{Busy: 1}}).keep(file); err != nil {
			t.Fatal(err)
		}
	}
	s.kinds, s.seed = regexp.MustCompile("^a rare call$"), 2
	if left := s.left(nil); len(left) != 3 {
		t.Errorf("%d of one kind", len(left))
	}
	s = settings{tries: 3, unchanged: 1, seed: 1, kinds: regexp.MustCompile("")}
	earlier, err := readAll(file)
	if left := s.left(earlier); err != nil || len(left) != 3+len(modules) || left[0].kind != "a short call, +6 %" {
		t.Errorf("%d on a machine that nothing else uses: %v", len(left), err)
	}
}

func TestOutcomesAreCounted(t *testing.T) {
	slow := func(kind, outcome string, planted, short, long float64) try {
		return try{Set: hidden, Kind: kind, Planted: planted, Measured: planted + 0.01, Outcome: outcome, Loads: [2]string{"1.50", "2.25"},
			Verdicts: []verdict{{Outcome: outcome, Short: ratio{Center: 1 + short}, Long: ratio{Center: 1 + long}}}}
	}
	all := []try{
		slow("a rare call", "failed", 0.25, 0.01, 0.25), slow("a rare call", "undecided", 0.5, 0.03, 0.5), slow("the collector", "passed", 0.3, 0, -1),
		{Set: nothing, Kind: modules[0], Outcome: "undecided", Loads: [2]string{"3.00", "4.00"}, Verdicts: []verdict{{Outcome: "passed"}, {Outcome: "passed"}, {Outcome: "undecided"}, {Outcome: "failed"}}, Budget: 10},
		{Set: nothing, Kind: modules[0], Outcome: "passed", Loads: [2]string{"3.00", "4.00"}, Verdicts: []verdict{{Outcome: "passed"}}, Budget: 15},
		{Set: nothing, Kind: modules[1], Outcome: "passed", Loads: [2]string{"3.00", "5.00"}, Verdicts: []verdict{{Outcome: "passed"}}, Budget: 20},
	}
	text := page(all)
	for _, line := range []string{
		"| a rare call | one call in 250 to 2000, at random | 2 | 1 | 1 | 0 | 0 | +37.5 [+25.0, +50.0] | +38.5 [+26.0, +51.0] | +2.0 [+1.0, +3.0] | +37.5 [+25.0, +50.0] |",
		"| all |  | 3 | 1 | 1 | 1 | 0 | +30.0 [+25.0, +50.0] | +31.0 [+26.0, +51.0] | +1.0 [+0.0, +3.0] | +37.5 [+25.0, +50.0] |",
		"| " + modules[0] + " | 1 | 2.5 | 4 | 1 | 1 | 2 | 50 [15, 85] | 3.0 to 4.0 |",
		"| all | 2 | 15.0 to 20.0 | 2 | 0 | 0 | 2 | 100 [34, 100] | 3.0 to 5.0 |",
		"| load of the machine before and after each gate | 1.5 to 5.0 |",
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("the page has no line %s\n%s", line, text)
		}
	}
	if strings.Contains(text, "in each call\n") {
		t.Error("a set without tries has a table")
	}
}

func TestTheAddedFunctionIsTheOnlyChange(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.go": "package a\n\nvar x = 1\n\n// F is longer.\nfunc F() int { return x }\n", "b.go": "package a\n", "a_test.go": "package a\n\n// " + strings.Repeat("long ", 100),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := addUnused(dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "a.go"))
	if got := string(text); err != nil || !strings.HasPrefix(got, "package a\n\nvar x = 1\n\nfunc addedAndNeverCalled(") || !strings.HasSuffix(got, "}\n\n// F is longer.\nfunc F() int { return x }\n") {
		t.Errorf("%v\n%s", err, got)
	}
	if err := addUnused(t.TempDir()); err == nil {
		t.Error("a function was added where there is no file")
	}
}

// All planted packages build, and their calls cost processor time.
func TestPlantedPackagesBuild(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages with the go command")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("builds packages: ", err)
	}
	dir := t.TempDir()
	for i := range kinds {
		below := filepath.Join(dir, string(rune('a'+i)))
		for _, planted := range []bool{false, true} {
			side := below + map[bool]string{true: "planted"}[planted]
			if err := os.Mkdir(side, 0o777); err != nil {
				t.Fatal(err)
			}
			if err := kinds[i].write(side, kinds[i].draw(1, 0, speed{1.5, 2.5}), planted); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(filepath.Join(side, "go.mod"), filepath.Join(dir, "go.mod")); err != nil {
				t.Fatal(err)
			}
		}
	}
	w := workshop{env: append(os.Environ(), "GOWORK=off", "GOFLAGS=")}
	if err := w.tool(context.Background(), dir, "go", "vet", "./..."); err != nil {
		t.Error(err)
	}
}
