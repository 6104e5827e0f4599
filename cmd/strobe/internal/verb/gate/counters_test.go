// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
)

// counting returns a measurement of two benchmarks of ten calls, with counted instructions for the first.
func counting() *measurement {
	m := &measurement{flags: &Flags{Level: 0.99, By: "cpu", Self: true}, seed: 1}
	for _, name := range []string{"Counted", "Not"} {
		m.all = append(m.all, &benchmark{pkg: &pkg{path: "m/p"}, name: name, limit: 0.05, iterations: 5, blocks: 2, overheadCount: 1000})
	}
	m.family = bench.NewFamily(0.99, bench.Member{Limit: 0.05}, bench.Member{Limit: 0.05})
	for i := range 5 { // one round of five differs from the others
		wild := float64(i / 4 * 9000)
		m.all[0].rounds = append(m.all[0].rounds, round{cost: [2]float64{10, 11}, counts: [2]counts{{2000 + wild, 1}, {2500, 2}}})
		m.all[1].rounds = append(m.all[1].rounds, round{cost: [2]float64{10, 11}, counts: [2]counts{{-1, -1}, {2500, -1}}})
	}
	m.all[1].uncounted = "this machine has no counter of instructions"
	return m
}

func TestInstructionsOfACallStandBesideTime(t *testing.T) {
	r := counting().report()
	if !slices.Equal(r.titles(), []string{"", "base", "new", "change by round", "instructions", "rounds", "verdict"}) {
		t.Errorf("%q", r.titles())
	}
	if a, b := r.cells(&r.rows[0]), r.cells(&r.rows[1]); a[0][4] != "+50 %" || b[0][4] != "?" || len(a[0]) != 7 || len(b[0]) != 7 {
		t.Errorf("%q, %q", a, b)
	}
	o := r.object(false)
	b := o.benchmark("Counted")
	if b.CountRatio == nil || *b.CountRatio != 1.5 || *b.BaseCount != 100 || *b.NewCount != 150 || *b.Migrations != 1.5 || b.Base == nil {
		t.Errorf("%+v", b)
	}
	if b := o.benchmark("Not"); b.CountRatio != nil || b.BaseCount != nil || b.Migrations != nil {
		t.Errorf("%+v", b)
	}
	var text bytes.Buffer
	if err := r.markdown(&text); err != nil || !strings.Contains(text.String(), "| change by round | instructions | rounds | verdict |\n|---|---|---:|---:|---|---:|---:|---|\n") {
		t.Errorf("%v, %s", err, text.String())
	}
}

// If instructions cannot be counted there is no column, and the JSON says why.
func TestWhereInstructionsAreNotCountedTheReasonIsGiven(t *testing.T) {
	m := counting()
	m.all = m.all[1:]
	r := m.report()
	if o := r.object(false); o.Uncounted != "this machine has no counter of instructions" || len(r.titles()) != 6 || len(r.cells(&r.rows[0])[0]) != 6 {
		t.Errorf("%q, %q, %q", o.Uncounted, r.titles(), r.cells(&r.rows[0]))
	}
	m.all[0].rounds[4].counts = [2]counts{{2000, 0}, {-1, 0}} // one of five
	for i := range 4 {
		m.all[0].rounds[i].counts = [2]counts{{2000, 0}, {2000, 0}}
	}
	if _, before, _, ok := m.all[0].instructionRatio(); ok || before != 100 {
		t.Errorf("%v instructions on the base, and on the other side in some rounds only: %v", before, ok)
	}
	if c, why := countsOf(&command.Run{Uncounted: "denied"}); c.instructions != -1 || c.migrations != -1 || why != "denied" {
		t.Errorf("%+v, %q", c, why)
	}
}

// On any machine a run has either counts or a reason.
func TestARunOfATestProgramHasCountsOrAReason(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	p := process{binary: self, dir: t.TempDir(), pattern: "^$", iterations: 1, blocks: 1, timeout: 1e11}
	out, err := p.exec(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c, why := countsOf(&out.run)
	if (c.instructions > 0) == (why != "") || c.instructions == 0 {
		t.Errorf("%+v, %q", c, why)
	}
	t.Logf("%+v, %q", c, why)
}
