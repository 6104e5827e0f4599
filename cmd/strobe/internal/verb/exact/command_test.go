// SPDX-License-Identifier: BSD-3-Clause

package exact

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// verbs is a command with this verb alone.
func verbs() []cli.Verb { return []cli.Verb{{Name: "exact", Command: new(Command)}} }

// strobe runs the verb in process.
func strobe(t *testing.T, args ...string) (out, errout string, code int) {
	t.Helper()
	return clitest.Run(t, verbs()[0], "", args...)
}

func TestHelpIsShort(t *testing.T) { clitest.Help(t, *update, verbs()[0], 64) }

func TestExactRefusesWhatItCannotRun(t *testing.T) {
	t.Setenv("STROBE_CACHE", t.TempDir())
	t.Setenv("STROBE_KERNEL", "")
	for _, c := range []struct {
		args  []string
		wants []string
	}{
		{[]string{"exact"}, []string{"nothing to run", "strobe exact --help"}},
		{[]string{"exact", "--json", "--kernel=/none", "test", "./..."}, []string{"/none cannot be read"}},
		{[]string{"exact", "--kernel=/none", "test", "./..."}, []string{"/none cannot be read", "--kernel"}},
		{[]string{"exact", "--setup", "test", "./..."}, []string{"--setup runs nothing", "strobe exact test ./... after it"}},
		{[]string{"exact", "--setup", "--kernel=/none"}, []string{"/none cannot be read", "--kernel"}},
		{[]string{"exact", "/none"}, []string{"cannot read /none: it does not exist"}},
		{[]string{"exact", t.TempDir()}, []string{"is a directory"}},
		{[]string{"exact", "--timeout=soon", "test"}, []string{"--timeout", "soon"}},
		{[]string{"exact", "--cpus", "x", "test"}, []string{"--cpus", "x"}},
	} {
		out, errout, code := strobe(t, c.args...)
		if code != session.Usage || out != "" || strings.Count(errout, "\n") != 1 {
			t.Errorf("%q: exit %d, %q, %q", c.args, code, out, errout)
		}
		for _, want := range c.wants {
			if !strings.Contains(errout, want) {
				t.Errorf("%q: %q does not contain %q", c.args, errout, want)
			}
		}
	}
}

func TestExactLeavesOutArgumentsThatMeanTheHost(t *testing.T) {
	keep, dropped := carried([]string{"-test.v", "-test.testlogfile=/x", "-test.paniconexit0", "-test.cpuprofile=a", "-test.run=^X$", "--test.trace=b", "-mine"})
	if !slices.Equal(keep, []string{"-test.v", "-test.run=^X$", "-mine"}) || !slices.Equal(dropped, []string{"-test.cpuprofile=a", "--test.trace=b"}) {
		t.Errorf("%q, dropped %q", keep, dropped)
	}
}

func TestExactHandsOverTheVariablesAskedFor(t *testing.T) {
	t.Setenv("GOGC", "off")
	t.Setenv("MINE", "1")
	t.Setenv("SECRET", "2")
	env := Flags{Env: []string{"MINE", "OTHER=3"}}.environment()
	for _, want := range []string{"STROBE_EXACT=1", "GOGC=off", "MINE=1", "OTHER=3"} {
		if !slices.Contains(env, want) {
			t.Errorf("%q lacks %s", env, want)
		}
	}
	if slices.Contains(env, "SECRET=2") {
		t.Errorf("%q", env)
	}
}

func TestCountsAreNotDisturbedByTheRuntime(t *testing.T) {
	for _, v := range os.Environ() { // such as GOMAXPROCS, which is carried over too
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "GO") {
			t.Setenv(name, "")
			os.Unsetenv(name)
		}
	}
	counting := Flags{User: true, Memory: 512}
	if env := counting.environment(); !slices.Contains(env, "GOGC=off") || !slices.Contains(env, "GOMEMLIMIT=384MiB") || !slices.Contains(env, "GODEBUG=memprofilerate=0") {
		t.Errorf("%q", env)
	}
	counting.Env = []string{"GOGC=50", "GODEBUG=x=1"}
	if env := counting.environment(); !slices.Contains(env, "GOGC=50") || slices.ContainsFunc(env, func(e string) bool { return strings.HasPrefix(e, "GOMEMLIMIT") }) ||
		!slices.Contains(env, "GODEBUG=x=1,memprofilerate=0") {
		t.Errorf("asked for: %q", env)
	}
	if env := (Flags{Memory: 512}).environment(); len(env) != 1 {
		t.Errorf("a program that does not count itself: %q", env)
	}
}

func TestExactQuotesForGoTest(t *testing.T) {
	for in, want := range map[string]string{"a": "a", "a b": "'a b'", `it's`: `"it's"`} {
		if got := quote(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}
