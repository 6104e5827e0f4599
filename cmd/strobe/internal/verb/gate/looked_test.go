// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/race"
)

// wide are flags with which anything that is measured passes quickly.
var wide = []string{"--own-tests", "--gate=9900%", "--level=80%", "--max-time=5m", "--run=2ms", "--layouts=0"}

func TestNothingComparedIsNoPass(t *testing.T) {
	race.Sequential(t)
	a, b := files{"go.mod": goMod, "p_test.go": test(loop("A", "100"))}, files{"p_test.go": test(loop("B", "200"))}
	for name, c := range map[string]struct {
		states []files
		args   []string
		want   []string
	}{
		"renamed":       {[]files{a, b}, nil, []string{"nothing was compared", "1 benchmark", "none in common", "--base-name OLD=NEW"}},
		"hidden by tag": {[]files{a, {"p_test.go": "//go:build slow\n\n" + test(loop("A", "200"))}}, nil, []string{"nothing was compared", "1 benchmark of the base", "-tags NAME"}},
		"first ones":    {[]files{{"go.mod": goMod, "p.go": "package p\n"}, a}, nil, []string{"nothing was compared", "the base has none"}},
		"workspace of others": {[]files{a, {"go.work": "go 1.24\n\nuse ./other\n", "other/go.mod": "module example.com/other\n\ngo 1.24\n", "other/p.go": "package p\n"}}, []string{"workspace"},
			[]string{"nothing was compared", "go list says", "go.work"}},
	} {
		t.Run(name, func(t *testing.T) {
			repository(t, c.states...)
			if slices.Contains(c.args, "workspace") {
				t.Setenv("GOWORK", "")
			}
			out, errout, code := strobe(t, append([]string{"HEAD~1"}, wide...)...)
			flat := strings.Join(strings.Fields(out), " ")
			if code != session.Inconclusive {
				t.Errorf("exit %d, %s%s", code, out, errout)
			}
			for _, want := range c.want {
				if !strings.Contains(flat, want) {
					t.Errorf("%q is not in %s", want, flat)
				}
			}
		})
	}
}

// There are flags for a base that cannot be built, or whose benchmarks have other names.
func TestBenchmarksAreFoundOnTheBase(t *testing.T) {
	measures(t)
	a := files{"go.mod": goMod, "p/p_test.go": test(loop("A", "100"))}
	for name, c := range map[string]struct {
		states []files
		args   []string
		name   string
	}{
		"major version": {[]files{a, {"go.mod": strings.Replace(goMod, "/m", "/m/v2", 1), "p/p_test.go": test(loop("A", "200"))}}, nil, "A"},
		"renamed":       {[]files{a, {"p/p_test.go": test(loop("B", "200"))}}, []string{"--bench=BenchmarkB", "--base-name=A=BenchmarkB", "--require=BenchmarkB", "--min-compared=1"}, "B"},
		"replaced by a folder outside": {[]files{{"m/go.mod": goMod + "\nrequire example.com/lib v0.0.0\n\nreplace example.com/lib => ../../lib\n",
			"m/p_test.go": lib + loopOfLib("1")}, {"m/p_test.go": lib + loopOfLib("2")}}, nil, "Lib"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := repository(t, c.states...)
			t.Setenv("GOPROXY", "off")
			if strings.HasPrefix(name, "replaced") {
				beside := filepath.Join(filepath.Dir(dir), "lib")
				edit(t, files{beside + "/go.mod": "module example.com/lib\n\ngo 1.24\n", beside + "/lib.go": libSource})
				t.Cleanup(func() { os.RemoveAll(beside) })
				t.Chdir("m")
			}
			o, code := object(t, slices.Concat([]string{"HEAD~1"}, wide, c.args)...)
			if code != session.Done || o.benchmark(c.name).Outcome.String() != "passed" {
				t.Errorf("exit %d", code)
			}
			if rewritten := name != "renamed"; o.benchmark(c.name).Rewritten != rewritten || has(o.Notes, "themselves changed") != rewritten {
				t.Errorf("rewritten: %t, %q", o.benchmark(c.name).Rewritten, o.Notes)
			}
		})
	}
}

const (
	libSource = "package lib\n\nfunc Work(n int) (s int) {\n\tfor i := range n {\n\t\ts ^= i * i\n\t}\n\treturn s\n}\n"
	lib       = "package p\n\nimport (\n\t\"testing\"\n\n\t\"example.com/lib\"\n)\n\n"
)

func loopOfLib(times string) string {
	return "func BenchmarkLib(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tlib.Work(100 * " + times + ")\n\t}\n}\n"
}

func TestASubmoduleIsThereOnTheBase(t *testing.T) {
	measures(t)
	library := repository(t, files{"go.mod": "module example.com/lib\n\ngo 1.24\n", "lib.go": libSource})
	repository(t, files{"go.mod": goMod + "\nrequire example.com/lib v0.0.0\n\nreplace example.com/lib => ./lib\n", "p_test.go": lib + loopOfLib("1")})
	run(t, "git", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "lib")
	for _, n := range []string{"1", "2"} {
		edit(t, files{"p_test.go": lib + loopOfLib(n)})
		run(t, "git", "add", "-A")
		run(t, "git", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "state")
	}
	if err := os.Rename(library, library+".gone"); err != nil { // nothing can be fetched
		t.Fatal(err)
	}
	o, code := object(t, append([]string{"HEAD~1"}, wide...)...)
	if code != session.Done || o.benchmark("Lib").Outcome.String() != "passed" {
		t.Errorf("exit %d", code)
	}
	if trees := run(t, "git", "worktree", "list"); strings.Count(trees, "\n") != 1 {
		t.Errorf("%s", trees)
	}
	if text := run(t, "git", "status", "--porcelain"); text != "" {
		t.Errorf("the checkout has changed: %s", text)
	}
}

func TestWhatWasNotLookedAtIsNoPass(t *testing.T) {
	race.Sequential(t)
	state := files{"go.mod": goMod, "p/p_test.go": counted("A 100", "B 100"), "q/q_test.go": counted("Q 100")}
	change := files{"p/p_test.go": counted("A 200", "C 100")}
	for name, c := range map[string]struct {
		change files
		args   []string
		code   int
		want   []string
	}{
		"may be renamed":  {change, nil, session.Inconclusive, []string{"example.com/m/p: 1 benchmark vanished and 1 other came", "--base-name OLD=NEW"}},
		"removed":         {change, []string{"--base-name=B="}, session.Done, nil},
		"required":        {change, []string{"--base-name=B=", "--require=BenchmarkB"}, session.Inconclusive, []string{`"BenchmarkB" was compared, as --require wants`}},
		"same program":    {change, []string{"--base-name=B=", "--require=BenchmarkQ", "--min-compared=2"}, session.Done, nil},
		"too few":         {change, []string{"--base-name=B=", "--min-compared=3"}, session.Inconclusive, []string{"2 benchmarks compared, --min-compared wants 3"}},
		"base is broken":  {files{"p/p_test.go": counted("A 200", "B 100", "D 100")}, nil, session.Done, nil},
		"unknown renamed": {change, []string{"--base-name=X=C"}, session.Usage, nil},
	} {
		t.Run(name, func(t *testing.T) {
			repository(t, state, c.change)
			emulated(t) // which takes no time
			out, errout, code := strobe(t, slices.Concat([]string{"HEAD~1", "--exact", "--gate=9900%"}, c.args)...)
			flat := strings.Join(strings.Fields(out), " ")
			if code != c.code {
				t.Errorf("exit %d, %s%s", code, out, errout)
			}
			for _, want := range c.want {
				if !strings.Contains(flat, want) {
					t.Errorf("%q is not in %s", want, flat)
				}
			}
		})
	}
}

// The program is the same, but a file that it reads elsewhere in the repository has changed.
func TestDataOutsideThePackageCounts(t *testing.T) {
	measures(t)
	const corpus = "Reads(b *testing.B) {\n\ttext, err := os.ReadFile(\"../corpus/c.txt\")\n\tif err != nil {\n\t\tb.Fatal(err)\n\t}\n\tfor i := 0; i < b.N; i++ {\n\t\tfor range text {\n\t\t\tsink = i\n\t\t}\n\t}\n}"
	state := files{"go.mod": goMod, "corpus/c.txt": "one", "other/x.txt": "one", "p/p_test.go": test(corpus)}
	repository(t, state, files{"other/x.txt": "two", "README": "new"})
	if out, _, code := strobe(t, append([]string{"HEAD~1"}, wide...)...); code != session.Done || !strings.Contains(out, "same program:") {
		t.Errorf("exit %d, %s", code, out)
	}
	edit(t, files{"corpus/c.txt": "more"})
	o, code := object(t, append([]string{"HEAD~1"}, wide...)...)
	if b := o.benchmark("Reads"); code != session.Done || !b.Ratio.Known() || len(o.Same) > 0 {
		t.Errorf("exit %d, %+v", code, o)
	}
}
