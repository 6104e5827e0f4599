// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/gate"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/profdiff"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
)

// Two functions take the time of a benchmark, one of which does more, and another benchmark has a new allocation.
const (
	worksCode = `package p

//go:noinline
func Work(n int) (s uint64) {
	for range n {
		s = s*6364136223846793005 + 1
	}
	return s
}

//go:noinline
func Other(n int) (s uint64) {
	for range n {
		s = s*2862933555777941757 + 3
	}
	return s
}

func Both() uint64 { return Work(1000) + Other(1000) }

//go:noinline
func Fresh() any { return nil }
`
	works = "Both(b *testing.B) {\n\tfor b.Loop() {\n\t\tsink = Both() == 7\n\t}\n}"
	fresh = "Fresh(b *testing.B) {\n\tfor b.Loop() {\n\t\tsink = Fresh()\n\t}\n}"
)

func TestTheFunctionThatDoesMoreIsNamed(t *testing.T) {
	measures(t)
	more := strings.NewReplacer("Work(1000)", "Work(5000)", "return nil", "return new([64]byte)").Replace(worksCode)
	repository(t, files{"go.mod": goMod, "p/p.go": worksCode, "p/p_test.go": test(works, fresh)}, files{"p/p.go": more})
	o, code := object(t, "HEAD~1", "--gate=50%", "--max-time=10m", "--run=2ms", "--layouts=2", "--profile=kept")
	if code != session.GateFailed {
		t.Errorf("exit %d", code)
	}
	b := o.benchmark("Both")
	if b.Grown == "" && b.Waited != nil && *b.Waited > 0.3 {
		t.Skipf("the runs waited for a processor for %.0f %% of their time: profiles prove nothing on so busy a machine", 100**b.Waited)
	}
	if !strings.HasPrefix(b.Grown, "since p.Work: +") || strings.Contains(b.Grown, "Other") || strings.Contains(b.Grown, "allocated") || !strings.HasSuffix(b.Sentence, b.Grown) || !has(o.Gate.Reasons, b.Grown) {
		t.Errorf("%q, %q", b.Grown, b.Sentence)
	}
	for name, at := range map[string]string{"Both": "func Both(", "Fresh": "func Fresh("} { // which were edited, and Work was not
		lineOf := func(text string) int { return 1 + strings.Count(more[:strings.Index(more, text)], "\n") }
		b, line := o.benchmark(name), lineOf(at)
		if name == "Both" && b.Waited != nil && *b.Waited > 0.3 && b.Line == lineOf("func Work(") {
			continue // the samples of so busy a machine do not prove that Both takes longer, which calls it
		}
		if b.File != "p/p.go" || b.Line != line {
			t.Errorf("%s is marked at %s:%d, want line %d", name, b.File, b.Line, line)
		}
	}
	changed := map[string]bool{}
	for _, f := range b.Profile.Functions {
		changed[f.Name] = f.Own.Changed
		if line := 1 + strings.Count(more[:strings.Index(more, "func Work(")], "\n"); f.Name == "example.com/m/p.Work" && (f.File != "example.com/m/p/p.go" || f.Line != line) {
			t.Errorf("%+v, want line %d", f.Source, line)
		}
	}
	if other, there := changed["example.com/m/p.Other"]; !changed["example.com/m/p.Work"] || other || !there {
		t.Errorf("%v", changed)
	}
	b = o.benchmark("Fresh")
	if !strings.HasSuffix(b.Grown, "more is allocated a call by p.Fresh: +64 B in +1 allocation") || strings.Contains(b.Grown, "Work") {
		t.Errorf("%q", b.Grown)
	}
	if len(b.Profile.Files) != 4 || !strings.HasSuffix(b.Profile.Page, "p.Fresh.html") {
		t.Fatalf("%+v", b.Profile)
	}
	for _, name := range b.Profile.Files {
		text, err := os.ReadFile(name)
		if err == nil {
			_, err = profile.ParseData(text)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if text, err := os.ReadFile(b.Profile.Page); err != nil || !bytes.Contains(text, []byte("p.Fresh")) {
		t.Errorf("%v, a page of %d bytes", err, len(text))
	}
}

// ns is a difference with its interval.
func ns(base, latest, half float64, changed bool) profdiff.Change {
	return profdiff.Change{Base: base, New: latest, Difference: stat.Interval{Center: latest - base, Lo: latest - base - half, Hi: latest - base + half, Level: 0.99}, Changed: changed}
}

// explained is a benchmark that failed, with its profiles.
func explained() *report {
	e := &explanation{rounds: 8, samples: [2]int{410, 590}, spent: 9876 * time.Millisecond, page: "kept/p.B.html", files: []string{"kept/p.B.base.cpu.pprof", "kept/p.B.new.cpu.pprof"}}
	e.compared = profdiff.Comparison{Cost: profdiff.Cost{Call: [2]float64{1000, 1500}}, Functions: []profdiff.Function{
		{Name: "example.com/m/q.(*T).Work", BaseName: "example.com/m/p.(*T).Work", Own: ns(300, 740, 90, true), Total: ns(600, 1100, 100, true)},
		{Name: profdiff.Collector, Own: ns(20, 80, 30, true), Total: ns(20, 80, 30, true)},
		{Name: "example.com/m/p.Other", Own: ns(200, 190, 60, false), Total: ns(200, 190, 60, false)},
		{Name: "fmt.Sprintf", Standard: true, Own: ns(0, 0, 0, false), Total: ns(10, 300, 70, true)},
		{Name: "example.com/m/p.BenchmarkB", Own: ns(0, 0, 3, false), Total: ns(1000, 1500, 5, true)},
	}, Waiting: ns(0, 0, 4, false)}
	one := stat.Interval{Center: 2, Lo: 2, Hi: 2, Level: 1}
	bytes := stat.Interval{Center: 48, Lo: 48, Hi: 48, Level: 1}
	e.allocations = []profdiff.Allocation{{Name: "example.com/m/q.(*T).Work", Objects: profdiff.Change{New: 2, Difference: one, Changed: true}, Bytes: profdiff.Change{New: 48, Difference: bytes, Changed: true}}}
	b := &benchmark{pkg: &pkg{path: "example.com/m/p"}, name: "B", explained: e}
	return &report{m: &measurement{flags: &Flags{By: "wall"}, all: []*benchmark{b}}, rows: []row{{benchmark: b, outcome: decide.Failed}}, gate: gate.New(0.05)}
}

func TestTheReportNamesTheCause(t *testing.T) {
	r := explained()
	const sentence = "since q.(*T).Work: +440 ± 90 ns and garbage collection: +60 ± 30 ns, of +500 ns a call; more is allocated a call by q.(*T).Work: +48 B in +2 allocations"
	if got := r.rows[0].explained.cause(); got != sentence {
		t.Errorf("%q", got)
	}
	var p layout.Printer
	r.printCauses(&p)
	const text = `
p.B                                         base        new  own time of a call    with what it calls
q.(*T).Work (p.(*T).Work on the base)     300 ns     740 ns  +440 ± 90 ns          +500 ± 100 ns
garbage collection                         20 ns      80 ns  +60 ± 30 ns
fmt.Sprintf                                10 ns     300 ns  (standard library)    +290 ± 70 ns

p.B                            base        new  allocated a call      allocations
q.(*T).Work                     0 B       48 B  +48 B                 +2

profiles of p.B: 8 runs of each side in 9.9s, with 410 samples of processor time
         on the base and 590 on the working tree
  kept/p.B.html
  go tool pprof -http=: -diff_base='kept/p.B.base.cpu.pprof' 'kept/p.B.new.cpu.pprof'
`
	if got := p.String(); got != text {
		t.Errorf("%s", got)
	}
	var b bytes.Buffer
	r.markdownCauses(&b)
	const markdown = `
| p.B | base | new | own time of a call | with what it calls |
|---|---:|---:|---|---|
| q.(\*T).Work (p.(\*T).Work on the base) | 300 ns | 740 ns | +440 ± 90 ns | +500 ± 100 ns |
| garbage collection | 20 ns | 80 ns | +60 ± 30 ns |  |
| fmt.Sprintf | 10 ns | 300 ns | (standard library) | +290 ± 70 ns |

| p.B | base | new | allocated a call | allocations |
|---|---:|---:|---|---|
| q.(\*T).Work | 0 B | 48 B | +48 B | +2 |

Profiles of p.B: 8 runs of each side in 9.9s, with 410 samples of processor time on the base and 590 on the working tree.
`
	if got := b.String(); got != markdown {
		t.Errorf("%s", got)
	}
}

func TestProfilesThatShowNothingSayNothing(t *testing.T) {
	r := explained()
	e := r.rows[0].explained
	e.compared.Functions, e.allocations, e.uncounted = e.compared.Functions[2:3], nil, true
	var p layout.Printer
	r.printCauses(&p)
	if text := strings.Join(strings.Fields(p.String()), " "); e.cause() != "" || !strings.Contains(text, "; there was no time to count allocations; they show no function whose cost changed") {
		t.Errorf("%q, %s", e.cause(), text)
	}
	var none *explanation
	if none.cause() != "" || none.object() != nil {
		t.Error("no explanation has one")
	}
}

// Both sides make as many calls, so that what a benchmark does before its timer begins costs the same in both, unless one would take
// hardly any time then.
func TestBothSidesMakeAsManyCalls(t *testing.T) {
	for _, c := range []struct {
		base, latest float64
		long         int
		want         [2]int
	}{{100, 300, 0, [2]int{500, 500}}, {100, 300, 200, [2]int{400, 400}}, {100, 1000, 0, [2]int{1000, 100}}, {1e9, 1.5e9, 0, [2]int{1, 1}}} {
		e := &explainer{benchmark: &benchmark{longCalls: c.long}, cost: profdiff.Cost{Call: [2]float64{c.base, c.latest}}}
		if got := e.callsFor(1e5); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestACallThatTakesTooLongIsNotProfiled(t *testing.T) {
	b := &benchmark{pkg: &pkg{path: "m/p", binaries: [3][]string{{"none"}, {"none"}}}, name: "B"}
	e := &explainer{benchmark: b, timed: true, cost: profdiff.Cost{Call: [2]float64{10e9, 20e9}}, budget: 30 * time.Second}
	if err := e.explain(t.Context()); err == nil || err.Error() != "it would take 2m0s, and profiles may take 22.5s of --max-time" {
		t.Error(err)
	}
}

// Only those that fail are profiled, and of many those that became slower by most.
func TestTheWorstAreProfiled(t *testing.T) {
	m := &measurement{flags: &Flags{Level: 0.99, By: "cpu", MaxTime: 1, Explain: true}}
	var members []bench.Member
	for _, name := range []string{"A", "B", "C", "D", "E"} {
		m.all = append(m.all, &benchmark{pkg: &pkg{path: "m/p", binaries: [3][]string{{"none"}, {"none"}}}, name: name, limit: 0.05})
		members = append(members, bench.Member{Limit: 0.05})
	}
	m.family = bench.NewFamily(0.99, members...)
	for i, b := range m.all {
		for k := range 40 {
			b.rounds = append(b.rounds, round{cost: [2]float64{1e9, 1e9 * float64(i+1)}})
			m.family.Add(i, 1e9, 1e9*float64(i+1), k%2 == 0)
		}
	}
	if err := m.explain(&session.Session{Ctx: t.Context(), Err: new(bytes.Buffer)}); err != nil {
		t.Error(err)
	}
	notes := strings.Join(m.notes, "\n")
	for text, want := range map[string]bool{"4 benchmarks failed; those 3 were profiled": true, "no profile of p.E: it would take": true, "p.C": true, "p.B:": false, "p.A": false} {
		if strings.Contains(notes, text) != want {
			t.Errorf("%q in %s", text, notes)
		}
	}
}
