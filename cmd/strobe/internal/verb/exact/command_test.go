// SPDX-License-Identifier: BSD-3-Clause

package exact

import (
	"slices"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// verbs is a command with this verb alone.
func verbs() []cli.Verb { return []cli.Verb{{Name: "exact", Command: new(Command)}} }

// strobe runs the verb in process.
func strobe(t *testing.T, args ...string) (out, errout string, code int) {
	t.Helper()
	return clitest.Run(t, verbs()[0], "", args...)
}

func TestHelpIsShort(t *testing.T) { clitest.Help(t, verbs()[0], 68) }

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

func TestExactQuotesForGoTest(t *testing.T) {
	for in, want := range map[string]string{"a": "a", "a b": "'a b'", `it's`: `"it's"`} {
		if got := quote(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}
