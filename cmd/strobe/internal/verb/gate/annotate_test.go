// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/gate"
	"github.com/strobe-go/strobe/cmd/strobe/internal/profdiff"
	"github.com/strobe-go/strobe/cmd/strobe/internal/worktree"
	"github.com/strobe-go/strobe/stat/decide"
)

func TestWhatDidNotPassIsMarkedAtItsSource(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "p", "p_test.go")
	edit(t, files{"p/p_test.go": "package p\n\ntype t int\n\nfunc (t) BenchmarkA() {}\n\nfunc BenchmarkA(b *B) {}\n\nfunc BenchmarkB(b *B) {}\n"})
	p := &pkg{path: "m/p"}
	p.tests[newSide] = readTestCode([]string{file})
	m := &measurement{flags: &Flags{}, checkout: &checkout{Checkout: &worktree.Checkout{Prefix: "sub/"}}}
	r := &report{m: m, gate: gate.New(0.05), rows: []row{
		{benchmark: &benchmark{pkg: p, name: "A/size=1"}, outcome: decide.Failed, sentence: "p.A costs +50 %\nor more"},
		{benchmark: &benchmark{pkg: p, name: "B"}, outcome: decide.Passed, sentence: "fast"},
		{benchmark: &benchmark{pkg: p, name: "B/x"}, outcome: decide.Undecided, sentence: "unclear: yet"},
		{benchmark: &benchmark{pkg: p, name: "Elsewhere"}, outcome: decide.Failed, sentence: "slow"},
	}}
	want := "::error file=sub/p/p_test.go,line=7,title=strobe gate::p.A costs +50 %25?or more\n" +
		"::warning file=sub/p/p_test.go,line=9,title=strobe gate::unclear: yet\n" +
		"::error title=strobe gate::slow\n"
	if got := r.annotations(); got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
	m.broken = []fault{{name: "m/p.C", side: newSide, why: "panicked: ::set-output"}, {name: "m/p.D", side: oldSide, why: "failed"}}
	m.sizes = []sizing{{answer: answer{outcome: decide.Passed, sentence: "small"}}, {answer: answer{outcome: decide.Failed, sentence: "large"}}}
	want += "::error title=strobe gate::large\n::error title=strobe gate::m/p.C panicked: ::set-output on the working tree; m/p.D failed on the base only\n" +
		"::warning title=strobe gate::m/p.D has nothing to be compared with: on the base it failed\n"
	if got := r.annotations(); got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
	if m.rules, err = parseRules("[[waiver]]\nmetric = \"time\"\nceiling = \"40%\"\nreason = \"a rewrite\"\nexpires = 2001-02-03\n", "f"); err != nil {
		t.Fatal(err)
	}
	m.started = time.Date(2001, 3, 1, 0, 0, 0, 0, time.UTC)
	if got := r.annotations(); !strings.Contains(got, "\n::error title=strobe gate::f:1: the waiver for time of ") {
		t.Error(got)
	}
	edit(t, files{"q/q.go": "package q\n\nfunc Slow() {}\n"})
	p.dirs[newSide] = filepath.Join(dir, "p")
	e := &explanation{compared: profdiff.Comparison{Cost: profdiff.Cost{Call: [2]float64{100, 200}}, Functions: []profdiff.Function{
		{Name: "other.example/d.Slow", Source: profdiff.Source{File: "other.example/d@v1.0.0/d.go", Line: 7}, Own: ns(10, 60, 5, true)},
		{Name: "m/q.Slow", Source: profdiff.Source{File: "m/q/q.go", Line: 3}, Own: ns(10, 50, 5, true)},
	}}}
	if file, line := m.source(&benchmark{pkg: p, name: "B", explained: e}); file != "sub/q/q.go" || line != 3 {
		t.Errorf("the function is marked at %s:%d", file, line)
	}
	e.compared.Functions = e.compared.Functions[:1]
	if file, line := m.source(&benchmark{pkg: p, name: "B", explained: e}); file != "sub/p/p_test.go" || line != 9 {
		t.Errorf("a benchmark whose cause lies outside is marked at %s:%d", file, line)
	}
	for name, checkout := range map[string]*checkout{"none": nil, "not that of the package": {Checkout: new(worktree.Checkout)}} {
		if m.checkout = checkout; checkout != nil {
			t.Chdir(t.TempDir())
		}
		if file, line := m.source(r.rows[0].benchmark); file != "" || line != 0 {
			t.Errorf("checkout %s: %s:%d", name, file, line)
		}
	}
}
