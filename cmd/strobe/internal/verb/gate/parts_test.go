// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestPatternsAreSplitAsByGoTest(t *testing.T) {
	for _, c := range []struct{ pattern, top, want string }{
		{".", "A", "^BenchmarkA$"},
		{"A", "B", ""},
		{"A/x", "A", "^BenchmarkA$/x"},
		{"A/x|B", "B", "^BenchmarkB$"},
		{"A/x|A/y", "A", "^BenchmarkA$/x|^BenchmarkA$/y"},
		{"(A|B)/[/|]x", "B", "^BenchmarkB$/[/|]x"},
		{`A\/x`, "A", ""},
		{"", "A", "^BenchmarkA$"},
	} {
		p, err := parsePattern(c.pattern)
		if got, ok := p.within(c.top); err != nil || got != c.want || ok != (c.want != "") {
			t.Errorf("%q in %s: %q, %v, want %q", c.pattern, c.top, got, err, c.want)
		}
	}
	if _, err := parsePattern("a/("); err == nil {
		t.Error("( is taken")
	}
	if got := exactly("A/x.y/#01"); got != `^BenchmarkA$/^x\.y$/^#01$` {
		t.Error(got)
	}
}

func TestResultsAreReadAmongWhatBenchmarksPrint(t *testing.T) {
	out := parse([]byte("goos: linux\n=== RUN   BenchmarkA\nBenchmarkA\nhelloBenchmarkA-4 \t 10\t 12.5 ns/op\t 8 B/op\t 1 allocs/op\n"+
		"BenchmarkA-4 \t 10\t 11.5 ns/op\t 9 B/op\t 2 allocs/op\nBenchmarkA/x-4-4 \t 1\t 3 ns/op\nPASS\n"), 4)
	v, n := out.least("A")
	if !out.noise || n != 2 || v.ns < 11.4999 || v.ns > 11.5001 || v.allocs != 1 {
		t.Errorf("%+v, %+v", out, v)
	}
	if _, n := out.least("A/x-4"); n != 1 {
		t.Errorf("%+v", out)
	}
	if _, n := out.least("B"); n != 0 {
		t.Error("B was not there")
	}
	if out := parse([]byte("BenchmarkA\nBenchmarkA \t 1\t 3 ns/op\nPASS\n"), 1); out.noise || len(out.values) != 1 {
		t.Errorf("%+v", out)
	}
}

func TestWhyARunFailed(t *testing.T) {
	for text, want := range map[string]string{
		"BenchmarkA\npanic: boom\n\ngoroutine 1 [running]:\n":        "panicked: boom",
		"BenchmarkA-2 \t panic: boom\n\ngoroutine 1 [running]:\n":    "panicked: boom",
		"fatal error: all goroutines are asleep - deadlock!\n":       "panicked: fatal error: all goroutines are asleep - deadlock!",
		"--- FAIL: BenchmarkA\n    a_test.go:7: no device\nFAIL\n":   "failed: a_test.go:7: no device",
		"    a_test.go:7: no device\n--- FAIL: BenchmarkA-2\nFAIL\n": "failed: a_test.go:7: no device",
		"--- FAIL: BenchmarkA\n":                                     "failed",
		"cannot open x\nFAIL\n":                                      "exited with code 1: cannot open x",
		"":                                                           "exited with code 1",
	} {
		if got := why(text, "exited with code 1"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestLimitsAreForAllOrForSome(t *testing.T) {
	var f Flags
	for _, text := range []string{"Decode=10%", "3%", "Work/large=0.2"} {
		var l limit
		if err := l.UnmarshalText([]byte(text)); err != nil {
			t.Error(err)
		}
		f.Gate = append(f.Gate, l)
	}
	m := &measurement{flags: &f}
	for name, want := range map[string]float64{"Decode/x": 0.1, "Encode": 0.03, "Work/large": 0.2, "Work/small": 0.03} {
		if got := m.charges(&pkg{}, name)[0].share; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	m.flags = &Flags{Gate: []limit{{"A", 0.5}}}
	if got := m.charges(&pkg{}, "B")[0].share; got != fallback {
		t.Error(got)
	}
}

func TestPackagesAndBuildFlagsAreToldApart(t *testing.T) {
	for _, c := range []struct {
		flags           Flags
		packages, build string
	}{
		{Flags{Rev: "main"}, "./...", ""},
		{Flags{Rev: "main", Packages: []string{"./a", "-tags", "x"}}, "./a", "-tags x"},
		{Flags{Rev: "main", Packages: []string{"--", "-tags=x"}}, "./...", "-tags=x"},
		{Flags{Self: true, Rev: "./a", Packages: []string{"./b"}}, "./a ./b", ""},
	} {
		packages, build := c.flags.split()
		if strings.Join(packages, " ") != c.packages || strings.Join(build, " ") != c.build {
			t.Errorf("%+v: %q, %q", c.flags, packages, build)
		}
	}
}

func TestTheLayoutJoinsOtherFlagsOfTheLinker(t *testing.T) {
	for _, c := range [][2]string{
		{"", "-ldflags=-randlayout=7"},
		{"-tags=x", "-tags=x|-ldflags=-randlayout=7"},
		{"-ldflags=-s -w", "-ldflags=-s -w -randlayout=7"},
		{"--ldflags|-s|-race", "--ldflags|-s -randlayout=7|-race"},
	} {
		flags := strings.FieldsFunc(c[0], func(r rune) bool { return r == '|' })
		if got := strings.Join(withLinkerFlag(slices.Clone(flags), "-randlayout=7"), "|"); got != c[1] {
			t.Errorf("%q: %q", c[0], got)
		}
	}
}

func TestADifferenceOfAFewLayoutsIsNotARegression(t *testing.T) {
	for _, c := range []struct {
		slow, of int
		want     bool
	}{{0, 1, true}, {2, 2, true}, {2, 3, false}, {3, 3, true}, {3, 4, false}, {4, 4, true}, {6, 8, false}, {7, 8, true}} {
		b := &benchmark{}
		for i := range 5 * c.of { // twice as slow in some, with one outlier in each
			r := round{layout: i % c.of, cost: [2]float64{100, 100}}
			if r.layout < c.slow != (i/c.of == 2) {
				r.cost[newSide] = 200
			}
			b.rounds = append(b.rounds, r)
		}
		slow, of := b.slowLayouts(0.05)
		if got := b.layoutsAgree(0.05); got != c.want || slow != c.slow || of != c.of {
			t.Errorf("%+v: %v, %d of %d", c, got, slow, of)
		}
	}
}

// panicsLate behaves like a test binary whose benchmark panics while package testing continues.
const panicsLate = `#!/bin/sh
case "$*" in
*-test.list=*) printf 'BenchmarkA\nBenchmarkNone\n'; exit ;;
*^BenchmarkNone*) printf 'BenchmarkNone\nBenchmarkNone \t 1\t 7 widgets\nBenchmarkNone/x \t 1\t 7 ns/op\nPASS\n'; exit ;;
esac
echo x >> "$0.runs"
if [ $(wc -l < "$0.runs") -lt 3 ]; then printf 'BenchmarkA\nBenchmarkA \t 1\t 0 B/op\t 0 allocs/op\nPASS\n'; exit; fi
printf 'BenchmarkA\nBenchmarkA \t panic: boom\n'; exit 2
`

func TestAPanicIsFoundThoughTheProgramEndedWell(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("needs a shell")
	}
	name := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(name, []byte(panicsLate), 0o777); err != nil {
		t.Fatal(err)
	}
	all, _ := parsePattern(".")
	f, err := find(t.Context(), process{binary: name, dir: ".", iterations: 1, processors: 1, timeout: time.Minute}, all)
	if err != nil || !maps.Equal(f.broken, map[string]string{"A": "panicked: boom", "None": "reports no time per call"}) || !slices.Equal(f.names, []string{"None/x"}) {
		t.Errorf("%v, %+v", err, f)
	}
}
