// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const plantedPolicy = `
layers:
	ground: clock stat
	first:  pace
	second: strobe
	top:    live
	command: cmd/...
imports:
	clock:
	stat:    example.org/dep
	pace:    clock
	strobe:  pace clock encoding/json
	live:    strobe net/http
	cmd/...: *
tests:
	*:     example.org/helper
	clock: stat
heavy: net/http os/exec encoding/json
core:  clock pace strobe
links: example.org/dep@windows
never: os/exec
lines: 20
initialisers:
	*:    errors.New sync.OnceValue
	pace: os.Getpid pace.fill
state: strobe pace.known
circles: clock
platforms: linux/amd64 windows/amd64
`

// plantedTree is a module that complies with plantedPolicy.
var plantedTree = map[string]string{
	"go.mod": "module example.com/strobe\n\ngo 1.24.0\n\nrequire example.org/dep v0.0.0\n\nreplace example.org/dep => ./dep\n",

	"dep/go.mod":         "module example.org/dep\n\ngo 1.24.0\n",
	"dep/dep.go":         "// Package dep is planted.\npackage dep\n",
	"strobe.go":          "// Package strobe is planted.\npackage strobe\n\nimport _ \"example.com/strobe/pace\"\n",
	"stat/stat.go":       "// Package stat is planted.\npackage stat\n",
	"live/live.go":       "// Package live is planted.\npackage live\n\nimport _ \"net/http\"\n",
	"cmd/c/main.go":      "package main\n\nimport _ \"example.com/strobe/cmd/c/sub\"\nimport _ \"example.com/strobe/live\"\n\nfunc main() {}\n",
	"cmd/c/sub/sub.go":   "// Package sub is planted.\npackage sub\n",
	"testdata/x/init.go": "package x\n\nfunc init() {}\n",
	"clock/clock_test.go": "package clock\n\nimport _ \"example.com/strobe/stat\"\nimport _ \"os/exec\"\n\n" +
		"func init() {}\n",
	"clock/clock.go": `// Package clock is planted.
package clock

import "errors"

// An Instant is documented.
type Instant int64

// Sub is documented.
func (t Instant) Sub(u Instant) Instant { return t - u }

var errX, zero, text = errors.New("x"), Instant(0), []byte("text")
`,
	"pace/pace.go": `// Package pace is planted.
package pace

import "example.com/strobe/clock"

// Options are documented, Rate here.
type Options struct {
	Rate float64

	Late, Lock bool // both explained at once
	Mode int
}

var start, known = clock.Instant(1), map[string]int{}

var full = fill()

func fill() int { return 1 }
`,
	"api/clock.txt":  "method\n",
	"api/strobe.txt": "",
}

// plant writes the tree, with some files changed, to a new folder, with correct API files.
func plant(t *testing.T, policy *Policy, changed map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	write := func(files map[string]string) {
		for name, text := range files {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(plantedTree)
	write(changed)
	if err := Update(dir, policy); err != nil {
		t.Fatal(err)
	}
	for name, text := range changed {
		if strings.HasPrefix(name, "api/") {
			write(map[string]string{name: text})
		}
	}
	return dir
}

func mustParse(t *testing.T, text string) *Policy {
	t.Helper()
	policy, err := ParsePolicy(text)
	if err != nil {
		t.Fatal(err)
	}
	return policy
}

func TestATreeThatKeepsToThePolicyHasNoViolations(t *testing.T) {
	policy := mustParse(t, plantedPolicy)
	found, err := Check(plant(t, policy, nil), policy)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range found {
		t.Error(v)
	}
}

func TestEveryRuleNamesThePlantedFile(t *testing.T) {
	for _, tt := range []struct {
		name, file, text string
		where, rule      string
		says             string
	}{
		{"neighbour", "clock/x.go", "package clock\n\nimport _ \"example.com/strobe/stat\"\n",
			"clock/x.go", "import", "clock must not import stat"},
		{"climbing", "clock/x.go", "package clock\n\nimport _ \"example.com/strobe/live\"\n",
			"clock/x.go", "import", "clock must not import live"},
		{"third party", "clock/x.go", "package clock\n\nimport _ \"example.org/dep\"\n",
			"clock/x.go", "import", "clock must not import example.org/dep"},
		{"heavy", "clock/x.go", "package clock\n\nimport _ \"net/http\"\n",
			"clock/x.go", "import", "clock must not import net/http"},
		{"one platform only", "clock/x_windows.go", "package clock\n\nimport _ \"os/exec\"\n",
			"clock/x_windows.go", "import", "clock must not import os/exec"},
		{"test", "pace/x_test.go", "package pace\n\nimport _ \"example.com/strobe/stat\"\n",
			"pace/x_test.go", "test import", "the tests of pace must not import stat"},
		{"external test", "pace/x_test.go", "package pace_test\n\nimport _ \"example.com/strobe/pace\"\nimport _ \"example.org/dep\"\n",
			"pace/x_test.go", "test import", "the tests of pace must not import example.org/dep"},
		{"no line", "extra/extra.go", "// Package extra is planted.\npackage extra\n",
			"extra", "no line", "extra has no line"},
		{"heavy and far down", "clock/x.go", "package clock\n\nimport _ \"os/exec\"\n",
			".", "weight", "links os/exec on linux: example.com/strobe -> example.com/strobe/pace -> example.com/strobe/clock -> os/exec"},
		{"third party elsewhere", "clock/x.go", "package clock\n\nimport _ \"example.org/dep\"\n",
			"clock", "weight", "links example.org/dep on linux"},
		{"does not load", "clock/x.go", "package other\n",
			"clock", "load", "found packages"},
		{"function", "clock/x.go", "package clock\n\nfunc Now() {}\n",
			"clock/x.go", "undocumented", "Now has no comment"},
		{"method", "clock/x.go", "package clock\n\nfunc (Instant) Add() {}\n",
			"clock/x.go", "undocumented", "Instant.Add has no comment"},
		{"constant", "clock/x.go", "package clock\n\nconst (\n\t// A is documented.\n\tA = 1\n\tB = 2\n)\n",
			"clock/x.go", "undocumented", "B has no comment"},
		{"field", "clock/x.go", "package clock\n\n// T is documented.\ntype T struct {\n\tA int // documented\n\n\tB int\n}\n",
			"clock/x.go", "undocumented", "T.B has no comment"},
		{"interface method", "clock/x.go", "package clock\n\n// T is documented.\ntype T interface{ Do() }\n",
			"clock/x.go", "undocumented", "T.Do has no comment"},
		{"same name", "pace/x.go", "package pace\n\n// An Instant is another one.\ntype Instant int\n",
			"pace/x.go", "same name", "Instant does not say how it differs from clock.Instant"},
		{"package comment", "stat/stat.go", "package stat\n",
			"stat", "undocumented", "no package comment"},
		{"init", "clock/x.go", "package clock\n\nfunc init() {}\n",
			"clock/x.go", "init", "func init"},
		{"call", "clock/x.go", "package clock\n\nimport \"time\"\n\nvar base = time.Now()\n",
			"clock/x.go", "initialiser", "base is initialised by a call of time.Now"},
		{"own call, inside a literal", "clock/x.go", "package clock\n\nvar table = [1]int{fill()}\n\nfunc fill() int { return 1 }\n",
			"clock/x.go", "initialiser", "table is initialised by a call of fill"},
		{"call allowed to another package", "clock/x.go", "package clock\n\nimport \"os\"\n\nvar pid = os.Getpid()\n",
			"clock/x.go", "initialiser", "pid is initialised by a call of os.Getpid"},
		{"make", "clock/x.go", "package clock\n\nvar buf = make([]byte, 8)\n",
			"clock/x.go", "initialiser", "buf is initialised by a call of make"},
		{"mutex", "clock/x.go", "package clock\n\nimport \"sync\"\n\nvar state struct{ mu sync.Mutex }\n",
			"clock/x.go", "state", "state is a package-level sync.Mutex"},
		{"map", "clock/x.go", "package clock\n\nvar names = map[string]int{}\n",
			"clock/x.go", "state", "names is a package-level map"},
		{"long file", "clock/x.go", "package clock\n" + strings.Repeat("\n", 20),
			"clock/x.go", "lines", "21 lines, at most 20"},
		{"long test", "clock/x_test.go", "package clock\n" + strings.Repeat("\n", 20),
			"clock/x_test.go", "lines", "21 lines, at most 20"},
		{"only here", "clock/x_linux.go", "package clock\n\n// Here is documented.\nfunc Here() {}\n",
			"clock/x_linux.go", "same API", "not on windows/amd64: func Here()"},
		{"only there", "clock/x_windows.go", "package clock\n\n// There is documented.\nfunc There() {}\n",
			"clock/x_windows.go", "same API", "on windows/amd64, not on linux/amd64: func There()"},
		{"package there alone", "extra/x_windows.go", "// Package extra is planted.\npackage extra\n\n// There is documented.\nfunc There() {}\n",
			"extra/x_windows.go", "same API", "on windows/amd64, not on linux/amd64: func There()"},
		{"changed surface", "api/clock.txt", "func (t Instant) Sub(u Instant) int\ntype Instant int64\n",
			"api/clock.txt", "api", "+ func (t Instant) Sub(u Instant) Instant"},
		{"package gone", "api/gone.txt", "func Gone()\n",
			"api/gone.txt", "api", "does not exist"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			policy := mustParse(t, plantedPolicy)
			found, err := Check(plant(t, policy, map[string]string{tt.file: tt.text}), policy)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(found, func(v Violation) bool {
				return v.Where == tt.where && v.Rule == tt.rule && strings.Contains(v.What, tt.says)
			}) {
				t.Errorf("no violation %q of %s with %q; found:\n%s", tt.rule, tt.where, tt.says, text(found))
			}
		})
	}
}

func TestAGeneratedFileMayBeLong(t *testing.T) {
	policy := mustParse(t, plantedPolicy)
	long := "// Code generated by a test. DO NOT EDIT.\n\npackage clock\n" + strings.Repeat("\n", 30)
	found, err := Check(plant(t, policy, map[string]string{"clock/table.go": long}), policy)
	if err != nil || len(found) > 0 {
		t.Errorf("%v\n%s", err, text(found))
	}
}

func TestANameOfTwoBuildsNeedsOneComment(t *testing.T) {
	policy := mustParse(t, plantedPolicy)
	for comment, want := range map[string]bool{"// Both is documented.\n": false, "": true} {
		found, err := Check(plant(t, policy, map[string]string{
			"clock/whole.go": "//go:build !bare\n\npackage clock\n\n" + comment + "func Both() {}\n",
			"clock/bare.go":  "//go:build bare\n\npackage clock\n\nfunc Both() {}\n",
		}), policy)
		if err != nil || strings.Contains(text(found), "undocumented") != want {
			t.Errorf("comment %q: %v\n%s", comment, err, text(found))
		}
	}
}

func TestAPolicyThatContradictsItselfIsRefused(t *testing.T) {
	for _, tt := range []struct{ from, to, says string }{
		{"	clock:\n	stat:  ", "	clock: stat\n	stat:  ", "clock may not import stat"},
		{"	pace:    clock\n", "	pace: live\n", "pace may not import live"},
		{"	first:  pace\n", "	first:\n", "pace is in no layer"},
		{"	live:    strobe net/http\n", "", "live is in a layer but has no line"},
		{"lines: 20", "lines: few", "lines wants a number"},
		{"heavy:", "hevy:", "no such section: hevy"},
		{"	pace:    clock\n", "	pace:    clock\n	pace:\n", "a second line for pace"},
		{"	pace:    clock\n", "	pace clock\n", "no colon"},
	} {
		changed := strings.Replace(plantedPolicy, tt.from, tt.to, 1)
		if changed == plantedPolicy {
			t.Fatalf("%q is not in the policy", tt.from)
		}
		if _, err := ParsePolicy(changed); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%q: got error %v, want one with %q", tt.to, err, tt.says)
		}
	}
}

func TestABrokenTreeIsAnErrorNotAPass(t *testing.T) {
	policy := mustParse(t, plantedPolicy)
	if found, err := Check(t.TempDir(), policy); err == nil {
		t.Errorf("a folder without go.mod: no error, %d violations", len(found))
	}
	dir := plant(t, policy, nil)
	if err := os.WriteFile(filepath.Join(dir, "clock", "x.go"), []byte("package clock\n}"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Check(dir, policy); err == nil {
		t.Error("a file that does not parse: no error")
	}
}

func text(found []Violation) string {
	var b strings.Builder
	for _, v := range found {
		fmt.Fprintln(&b, "\t", v)
	}
	return b.String()
}

// The policy applies to the modules in go.work, and not to other nested modules.
func TestAModuleOfTheWorkspaceKeepsToThePolicy(t *testing.T) {
	policy := mustParse(t, plantedPolicy)
	module := map[string]string{
		"extra/go.mod":    "module example.com/strobe/extra\n\ngo 1.24.0\n\nrequire example.com/strobe v0.1.0\n",
		"extra/extra.go":  "// Package extra is planted.\npackage extra\n\nimport _ \"example.com/strobe/live\"\n",
		"extra/x_test.go": "package extra\n\nvar _ int = \"text\"\n",
	}
	const work = "go 1.24.0\n\nuse (\n\t.\n\t./extra\n)\n\nreplace example.com/strobe v0.1.0 => ./\n"
	for _, used := range []bool{false, true} {
		if used {
			module["go.work"] = work
		}
		dir := plant(t, policy, module)
		found, err := Check(dir, policy)
		if err != nil {
			t.Fatal(err)
		}
		if got := text(found); strings.Contains(got, "extra has no line under imports") != used {
			t.Errorf("used by go.work: %v, found:\n%s", used, got)
		}
		if found, err = Sound(dir, policy); err != nil {
			t.Fatal(err)
		}
		if got := text(found); strings.Contains(got, "extra") != used {
			t.Errorf("used by go.work: %v, found:\n%s", used, got)
		}
	}
}

func TestTestsThatDoNotCompileElsewhereAreFound(t *testing.T) {
	policy := mustParse(t, plantedPolicy)
	inside := "package stat\n\nimport _ \"testing\"\n\nvar Seen = "
	outside := "package stat_test\n\nimport \"example.com/strobe/stat\"\n\nvar _ = stat."
	for _, c := range []struct{ name, inside, outside, says string }{
		{name: "sound", inside: inside + "1\n", outside: outside + "Seen\n"},
		{name: "inside", inside: inside + "unknown\n", outside: outside + "Seen\n", says: "undefined: unknown"},
		{name: "outside", inside: inside + "1\n", outside: outside + "Unseen\n", says: "undefined: stat.Unseen"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := plant(t, policy, map[string]string{"stat/in_windows_test.go": c.inside, "stat/out_windows_test.go": c.outside})
			found, err := Sound(dir, policy)
			if err != nil {
				t.Fatal(err)
			}
			if got := text(found); (c.says == "") != (got == "") || !strings.Contains(got, c.says) || strings.Contains(got, "linux") {
				t.Errorf("want %q on windows alone, found:\n%s", c.says, got)
			}
		})
	}
}

func TestWhatVetSaysOfAPlatformIsFound(t *testing.T) {
	policy := mustParse(t, plantedPolicy)
	policy.Platforms = append(policy.Platforms, "linux/arm64")
	for _, c := range []struct{ name, file, text, says string }{
		{name: "sound", file: "stat/in_windows.go", text: "package stat\n"},
		{name: "code", file: "stat/in_windows.go", says: "self-assignment of x", text: "package stat\n\nfunc same(x int) int {\n\tx = x\n\treturn x\n}\n"},
		{name: "a test", file: "stat/in_windows_test.go", says: "self-assignment of x", text: "package stat\n\nfunc same(x int) int {\n\tx = x\n\treturn x\n}\n"},
		{name: "a copied lock", file: "stat/in_windows.go", says: "passes lock by value", text: "package stat\n\nimport \"sync\"\n\nfunc f(m sync.Mutex) { _ = &m }\n"},
		{name: "no body", file: "stat/in_windows.go", says: "f has no body", text: "package stat\n\nfunc f()\n"},
		{name: "assembly", file: "stat/in_windows_amd64.s", says: "missing Go declaration", text: "TEXT ·f(SB), 0, $0-8\n\tRET\n"},
		{name: "a frame pointer", file: "stat/in_linux_arm64.s", says: "frame pointer is clobbered", text: "TEXT ·f(SB), 0, $0\n\tMOVD R0, R29\n\tRET\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := plant(t, policy, map[string]string{c.file: c.text})
			found, err := Sound(dir, policy)
			if err != nil {
				t.Fatal(err)
			}
			if got := text(found); c.says == "" && got != "" || !strings.Contains(got, c.says) {
				t.Errorf("want %q, found:\n%s", c.says, got)
			}
		})
	}
}

func TestVetKnowsWhatAnotherPackageFormats(t *testing.T) {
	policy := mustParse(t, plantedPolicy)
	wrapper := "package stat\n\nimport \"fmt\"\n\ntype T struct{}\n\nfunc (T) Sayf(format string, args ...any) { fmt.Printf(format, args...) }\n"
	for _, arg := range []string{"1", "\"one\""} {
		dir := plant(t, policy, map[string]string{"stat/say.go": wrapper,
			"clock/a_test.go": "package clock\n\nimport \"example.com/strobe/stat\"\n\nfunc say() { stat.T{}.Sayf(\"%d\", " + arg + ") }\n"})
		found, err := Sound(dir, policy)
		if err != nil {
			t.Fatal(err)
		}
		if got, wrong := text(found), arg != "1"; strings.Contains(got, "Sayf format %d has arg") != wrong || (got != "") != wrong {
			t.Errorf("Sayf(%%d, %s), found:\n%s", arg, got)
		}
	}
}
