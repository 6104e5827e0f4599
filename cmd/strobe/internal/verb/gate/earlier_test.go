// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/gate"
	"github.com/strobe-go/strobe/cmd/strobe/internal/worktree"
	"github.com/strobe-go/strobe/stat/decide"
)

// A base that costs something else than in an earlier run of the same program shows that the machine has changed. It decides nothing.
func TestTheReportSaysThatTheMachineHasChanged(t *testing.T) {
	dir := t.TempDir()
	file, binary := filepath.Join(dir, "strobe", "costs.json"), filepath.Join(dir, "p.test")
	run := func(program string, hour int, factor float64, rounds int) *report {
		if err := os.WriteFile(binary, []byte(program), 0o666); err != nil {
			t.Fatal(err)
		}
		p := &pkg{path: "m/p"}
		p.binaries[oldSide], p.binaries[newSide] = []string{binary}, []string{binary}
		b := &benchmark{pkg: p, name: "B", processors: 1}
		for i := range rounds {
			cost := 102 * factor
			if cost += float64(i%5) - 2; factor != 1 {
				cost += float64(i%5) - 2 // less accurate
			}
			b.rounds = append(b.rounds, round{cost: [2]float64{cost, cost}})
		}
		m := &measurement{flags: &Flags{By: "wall"}, all: []*benchmark{b}, checkout: &checkout{Checkout: new(worktree.Checkout), base: "c0ffee"},
			started: time.Date(2001, 2, 3, hour, 0, 0, 0, time.Local)}
		r := &report{m: m, rows: []row{{benchmark: b, outcome: decide.Passed}}, gate: gate.New(0.05)}
		if err := r.remember(file); err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, c := range []struct {
		program string
		factor  float64
		rounds  int
		want    string
	}{
		{"a", 1, 30, ""},
		{"a", 1.02, 30, ""},
		{"a", 1.3, 30, "the base of 1 of 1 benchmark costs something else than in an earlier run, that of p.B 1.27 to 1.33 times what it cost at 2001-02-03 00:00:00"},
		{"a", 0.5, 30, "p.B 0.476 to 0.525 times"},
		{"a", 1.3, fewestKept - 1, ""},
		{"another", 1.3, 30, ""},
		{"another", 1.3, 30, ""},
	} {
		hour := 0
		if c.factor != 1 {
			hour = 5
		}
		r := run(c.program, hour, c.factor, c.rounds)
		text := r.drift()
		if !strings.Contains(text, c.want) || c.want == "" && text != "" {
			t.Errorf("%+v: %q", c, text)
		}
		if text != "" && !slices.Contains(r.remarks(), text) {
			t.Errorf("%q is not among the remarks", text)
		}
		if o := r.rows[0].earlier.object(); c.want != "" && (o == nil || o.Cost.Center != 102) {
			t.Errorf("%+v", o)
		}
	}
	if err := (&report{m: &measurement{}}).remember(filepath.Join(binary, "costs.json")); err == nil {
		t.Error("no error for a folder that is a file")
	}
}
