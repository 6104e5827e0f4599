// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/flags"
	"github.com/strobe-go/strobe/cmd/strobe/internal/gate"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat/decide"
)

// A few undecided benchmarks have a sentence and a command each; many have one sentence together.
func TestManyUndecidedBenchmarksAreSummedUp(t *testing.T) {
	for n, want := range map[int]struct{ reasons, commands int }{1: {1, 1}, fewUndecided: {fewUndecided, fewUndecided}, fewUndecided + 1: {1, 0}} {
		m := &measurement{flags: &Flags{Level: 0.99, By: "cpu", Self: true}}
		var members []bench.Member
		for i := range n {
			m.all = append(m.all, &benchmark{pkg: &pkg{path: "m/p"}, name: fmt.Sprint("B", i), limit: 0.05})
			members = append(members, bench.Member{Limit: 0.05})
		}
		m.family = bench.NewFamily(0.99, members...)
		r := m.report()
		if r.gate.Outcome != decide.Undecided || len(r.gate.Reasons) != want.reasons || len(r.repeat()) != want.commands {
			t.Errorf("%d benchmarks: %s, %q, %q", n, r.gate.Outcome, r.gate.Reasons, r.repeat())
		}
		if len(r.rows) != n || r.rows[n-1].sentence == "" || r.rows[n-1].repeat == "" {
			t.Errorf("%d benchmarks: %+v", n, r.rows)
		}
		r.rows[0].outcome = decide.Failed
		if all := r.repeat(); len(all) == 0 || !strings.Contains(all[0], "BenchmarkB0") {
			t.Errorf("%d benchmarks, one failed: %q", n, all)
		}
	}
}

// Columns are left out in their order, and names of packages and benchmarks break at '/'.
func TestTheReportFitsANarrowTerminal(t *testing.T) {
	const path, name = "example.com/some/module/internal/thing", "Encode/size=1024/kind=small/and=more"
	b := &benchmark{pkg: &pkg{path: path}, name: name, limit: 0.05, iterations: 1, blocks: 1}
	m := &measurement{flags: &Flags{Level: 0.99, By: "cpu", Self: true}, all: []*benchmark{b}, family: bench.NewFamily(0.99, bench.Member{Limit: 0.05})}
	for i := range 40 {
		ns := 100 + float64(i%7)
		slower := ns * (1.08 + 0.01*float64(i%5))
		b.rounds = append(b.rounds, round{cost: [2]float64{ns, slower}, baseFirst: i%2 == 0})
		m.family.Add(0, ns, slower, i%2 == 0)
	}
	r := m.report()
	for width, omitted := range map[int]string{60: "Omitted because the terminal is narrow: rounds, base, new.", 80: "Omitted because the terminal is narrow: rounds, base.", 200: ""} {
		var out bytes.Buffer
		if err := r.write(&session.Session{Out: &out, Width: width}); err != nil {
			t.Fatal(err)
		}
		_, table, _ := strings.Cut(out.String(), "\n\n")
		table, _, _ = strings.Cut(table, "\n\n")
		if !strings.Contains(strings.Join(strings.Fields(table), " "), omitted) || omitted == "" && strings.Contains(table, "Omitted") || !strings.Contains(table, "+9.7 [+8.0, +11.5] %") || !strings.Contains(table, "change by round") {
			t.Errorf("%d columns:\n%s", width, out.String())
		}
		for line := range strings.Lines(strings.Split(table, "Omitted")[0]) {
			if first, _, _ := strings.Cut(strings.TrimSpace(line), " "); strings.Contains(line, "…") || first == "" || !strings.Contains(path+" "+name, first) {
				t.Errorf("%q", line)
			}
		}
		clitest.Fits(t, table, 12, width)
	}
}

func TestNoConfidenceIsComplete(t *testing.T) {
	for level, want := range map[float64]string{0.9: "each with 90 % confidence", 0.995: "each with 99.5 % confidence", 0.9999999: "each with 99.99 % confidence"} {
		b := &benchmark{pkg: &pkg{path: "m/p"}, name: "B", limit: 0.05, iterations: 1, blocks: 1}
		m := &measurement{flags: &Flags{By: "cpu", Self: true}, all: []*benchmark{b}, family: bench.NewFamily(level, bench.Member{Limit: 0.05})}
		m.flags.Level = flags.Level(level)
		for i := range 100 {
			ns := 100 + float64(i%7)
			b.rounds = append(b.rounds, round{cost: [2]float64{ns, ns * 0.5}, baseFirst: i%2 == 0})
			m.family.Add(0, ns, ns*0.5, i%2 == 0)
		}
		if r := m.report(); r.gate.Outcome != decide.Passed || !strings.Contains(strings.Join(r.gate.Reasons, "\n"), want) {
			t.Errorf("level %v: %v, %q", level, r.gate.Outcome, r.gate.Reasons)
		}
	}
}

func TestTooFewRoundsAskForMoreTime(t *testing.T) {
	b := &benchmark{pkg: &pkg{path: "m/p"}, name: "B", limit: 0.05}
	m := &measurement{flags: &Flags{Level: 0.99, By: "cpu", Self: true}, all: []*benchmark{b}, family: bench.NewFamily(0.99, bench.Member{Limit: 0.05})}
	for n, want := range []string{"p.B: there was no time for a round; give more with --max-time", "p.B: too few rounds to decide at this level, 1;"} {
		for range n {
			b.rounds = append(b.rounds, round{cost: [2]float64{1, 1}})
			m.family.Add(0, 1, 1, true)
		}
		if got := m.row(0).sentence; !strings.HasPrefix(got, want) || !strings.Contains(got, "--max-time") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The change is computed from rounds, so the medians of the sides need not agree with it.
func TestMediansThatDisagreeWithTheChangeAreSaidToBeOthers(t *testing.T) {
	for _, apart := range []bool{false, true} {
		b := &benchmark{pkg: &pkg{path: "m/p"}, name: "B", limit: 0.05, iterations: 1, blocks: 1}
		m := &measurement{flags: &Flags{Level: 0.99, By: "cpu", Self: true}, all: []*benchmark{b}, family: bench.NewFamily(0.99, bench.Member{Limit: 0.05})}
		for i := range 41 {
			base, other := 100.0, 101.0 // the machine is fast or half as fast, in nearly all rounds equally for both runs
			switch {
			case i == 20 && apart:
				other = 200
			case i > 20:
				base, other = 200, 202
			}
			b.rounds = append(b.rounds, round{cost: [2]float64{base, other}, baseFirst: i%2 == 0})
			m.family.Add(0, base, other, i%2 == 0)
		}
		r := m.report()
		cells := r.cells(&r.rows[0])
		if said := strings.Contains(strings.Join(r.remarks(), "\n"), "the medians of the sides differ by another amount"); said != apart {
			t.Errorf("%q, %q", cells, r.remarks())
		}
	}
}

// A failed gate stays failed, even if other benchmarks no longer run.
func TestAFailureCountsForMoreThanWhatIsBroken(t *testing.T) {
	for outcome, want := range map[decide.Outcome]struct {
		code    int
		verdict string
	}{decide.Failed: {session.GateFailed, "failed"}, decide.Passed: {session.CommandFailed, "broken"}, decide.Undecided: {session.CommandFailed, "broken"}} {
		r := &report{m: &measurement{flags: &Flags{}, broken: []fault{{name: "m/p.B", side: newSide, why: "does not build"}}}, gate: gate.New(0.05)}
		r.gate.Add(outcome, "so it is")
		if got := session.CodeOf(r.err()); got != want.code || r.verdict() != want.verdict {
			t.Errorf("%v: exit %d and %q, want %d and %q", outcome, got, r.verdict(), want.code, want.verdict)
		}
	}
}
