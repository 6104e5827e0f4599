// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat/decide"
)

// These tests hold what docs/gate-sees.md says that the gate does not see. If one fails because it now does, correct that.

// passes counts the simulated gates that pass, of those with a new side that takes this much.
func passes(t *testing.T, name string, base, latest consumption) (n int) {
	t.Helper()
	for seed := range uint64(simulatedGates) {
		switch x := noisyGate(seed, "wall", base, latest).report().rows[0]; x.outcome {
		case decide.Passed:
			n++
		default:
			t.Logf("%s: %s", name, x.sentence)
		}
	}
	return n
}

const simulatedGates = 10

func TestWhatTheGateDoesNotSeePasses(t *testing.T) {
	every := func(calls int, cost, more float64) consumption { // more in one of so many
		return func(n int) (elapsed, processor, prepared float64) {
			all := cost*float64(n) + more*float64(n/calls)
			return all, all, 0
		}
	}
	for name, c := range map[string]struct {
		base, latest consumption
		least        int
	}{
		"a call in ten million that costs as much as three million": {each(1000), every(1e7, 1000, 3e9), 9},
		"3 %, and 3 % again":                     {each(1030), each(1030 * 1.03), 9},
		"a slow call in 2000, and faster ones":   {each(1000), every(2000, 900, 2e5), 9},
		"8 % that only long runs show, at times": {each(1000), every(4096, 1000, 0.08*4096*1000), 1},
		"the same":                               {each(1000), each(1000), 9},
	} {
		n := passes(t, name, c.base, c.latest)
		t.Log(name, n)
		if n < c.least {
			t.Errorf("%s: %d of %d pass, want %d", name, n, simulatedGates, c.least)
		}
	}
}

func TestCodeThatNoBenchmarkCallsIsNotJudged(t *testing.T) {
	measures(t)
	code := func(n string) string {
		return "package p\n\nvar Sum int\n\nfunc Called() { Sum++ }\n\nfunc Other() {\n\tfor range " + n + " {\n\t\tSum++\n\t}\n}\n"
	}
	repository(t, files{"go.mod": goMod, "p.go": code("10"), "p_test.go": test("Called(b *testing.B) {\n\tfor b.Loop() {\n\t\tCalled()\n\t}\n}")}, files{"p.go": code("100000")})
	out, errout, exit := strobe(t, "HEAD~1", "--gate=300%", "--level=80%", "--max-time=5m", "--run=2ms", "--layouts=0")
	if exit != session.Done || !strings.Contains(out, "passed") {
		t.Errorf("exit %d, %s%s", exit, out, errout)
	}
}
