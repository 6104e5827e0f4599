// SPDX-License-Identifier: BSD-3-Clause

package profdiff

import (
	"math"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/stat"
)

// exact is the cost of a call without an error.
func exact(base, latest float64) Cost {
	return Cost{Call: [2]float64{base, latest}, Ratio: stat.Interval{Center: latest / base, Lo: latest / base, Hi: latest / base, Level: 1}}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }

// F doubles, G stays; half of F is in a function of the standard library, which recurs and is inlined.
func TestSharesOfTheSamplesBecomeCosts(t *testing.T) {
	p := NewProfiles(modules, true)
	for range 10 {
		add(p, Base, 0, map[string]int{"m.BenchmarkX": 10, "m.BenchmarkX m.F": 20, "m.BenchmarkX m.F sort.a +sort.b sort.a": 20, "m.BenchmarkX m.G": 50})
		add(p, New, 0, map[string]int{"m.BenchmarkX": 10, "m.BenchmarkX m.F": 60, "m.BenchmarkX m.F sort.a +sort.b sort.a": 20, "m.BenchmarkX m.G": 50})
	}
	c := p.Compare(exact(1000, 1400), 0.01)
	for _, want := range []struct {
		name                   string
		ownBase, ownNew        float64
		totalBase, totalNew    float64
		ownChanged, allChanged bool
		standard               bool
	}{
		{"m.F", 400, 800, 400, 800, true, true, false},
		{"m.G", 500, 500, 500, 500, false, false, false},
		{"m.BenchmarkX", 100, 100, 1000, 1400, false, true, false},
		{"sort.a", 0, 0, 200, 200, false, false, true},
		{"sort.b", 0, 0, 200, 200, false, false, true},
	} {
		f := c.function(want.name)
		if !near(f.Own.Base, want.ownBase) || !near(f.Own.New, want.ownNew) || !near(f.Total.Base, want.totalBase) || !near(f.Total.New, want.totalNew) ||
			f.Own.Changed != want.ownChanged || f.Total.Changed != want.allChanged || f.Standard != want.standard {
			t.Errorf("%s: %+v", want.name, f)
		}
	}
	if p.Runs(New) != 10 || p.Samples(New) != 1400 || c.Functions[0].Name != "m.F" || !c.Explained() || c.Waiting.Changed {
		t.Errorf("%d runs, %d samples, %+v", p.Runs(New), p.Samples(New), c)
	}
	if got := c.Cause(); !strings.HasPrefix(got, "since m.F: +400 ") || !strings.HasSuffix(got, " ns, of +400 ns a call") {
		t.Error(got)
	}
}

// These are the values in Newcombe's table for his tenth method, with 56/70 and 48/80.
func TestTheDifferenceOfProportionsIsNewcombes(t *testing.T) {
	iv := difference(share{of: 48, n: 80, scale: 1}, share{of: 56, n: 70, scale: 1}, 0.05, dispersion{factor: 1, freedom: 1 << 30})
	if math.Abs(iv.Center-0.2) > 1e-9 || math.Abs(iv.Lo-0.0524) > 5e-5 || math.Abs(iv.Hi-0.3339) > 5e-5 {
		t.Errorf("%+v", iv)
	}
	iv = difference(share{of: 0, n: 10, scale: 1}, share{of: 0, n: 20, scale: 1}, 0.05, dispersion{factor: 1, freedom: 1 << 30})
	if iv.Center != 0 || math.Abs(iv.Lo+0.2775) > 5e-5 || math.Abs(iv.Hi-0.1611) > 5e-5 {
		t.Errorf("%+v", iv)
	}
}

func TestTheErrorOfTheCostOfACallCounts(t *testing.T) {
	p := NewProfiles(modules, true)
	for range 10 {
		add(p, Base, 0, map[string]int{"m.BenchmarkX m.F": 100})
		add(p, New, 0, map[string]int{"m.BenchmarkX m.F": 130})
	}
	for _, c := range []struct {
		lo, hi float64
		want   bool
	}{{1.25, 1.35, true}, {0.8, 2.1, false}} {
		cost := exact(1000, 1300)
		cost.Ratio = stat.Interval{Center: 1.3, Lo: c.lo, Hi: c.hi, Level: 0.99}
		if got := p.Compare(cost, 0.01).Functions[0].Own; got.Changed != c.want {
			t.Errorf("%v to %v: %+v", c.lo, c.hi, got)
		}
	}
}

func TestWaitingIsNotAttributedToAFunction(t *testing.T) {
	p := NewProfiles(modules, true)
	for i := range 10 {
		add(p, Base, i%2, map[string]int{"m.BenchmarkX m.F": 50})
		add(p, New, 48+i%3, map[string]int{"m.BenchmarkX m.F": 50})
	}
	c := p.Compare(exact(1000, 2000), 0.01)
	if f := c.function("m.F"); f.Own.Changed || !c.Waiting.Changed || !c.Explained() {
		t.Errorf("%+v", c)
	}
	if got := c.Cause(); !strings.HasPrefix(got, "since waiting: +9") || !strings.HasSuffix(got, " ns, of +1 µs a call") {
		t.Error(got)
	}
}

// A busy machine makes the elapsed time longer, but the benchmark does not wait.
func TestTimeThatOtherProgramsTookIsNotWaiting(t *testing.T) {
	p := NewProfiles(modules, true)
	for range 10 {
		for side, n := range [2]int{50, 100} {
			if err := p.Add(side, Run{Calls: 50 * period / 1000, Elapsed: float64(n) * period * 3, Waited: 0.6, Profile: cpu(map[string]int{harness + "m.BenchmarkX m.F": n})}); err != nil {
				t.Fatal(err)
			}
		}
	}
	c := p.Compare(exact(1000, 2000), 0.01)
	if f := c.function("m.F"); c.Waiting.Changed || c.Waiting.Difference.Known() || !near(f.Own.New, 2000) || !f.Own.Changed {
		t.Errorf("%+v", c)
	}
}

// What is known of the cost of a call may have been measured while others had the processor, and so be larger than what it takes
// without them. That is no waiting, and does not hide the function that does more.
func TestWaitingForAProcessorWhileTheCostIsMeasuredIsNotWaiting(t *testing.T) {
	p := NewProfiles(modules, true)
	for range 10 {
		for side, cost := range [2]float64{300, 3000} {
			if err := p.Add(side, Run{Calls: int(60 * period / cost), Elapsed: 60 * period * 3, Waited: 0.6, Profile: cpu(map[string]int{harness + "m.BenchmarkX m.F": 60})}); err != nil {
				t.Fatal(err)
			}
		}
	}
	cost := Cost{Call: [2]float64{400, 6000}, Ratio: stat.Interval{Center: 15, Lo: 14.5, Hi: 15.5, Level: 0.8}}
	if c := p.Compare(cost, 0.01); !c.Waiting.Changed || !near(c.Waiting.Difference.Center, 2900) || c.Waiting.Difference.Half() < 400 { // all of the cost is uncertain
		t.Errorf("%+v", c.Waiting)
	}
	cost.Waited = [2]float64{0.6, 0.6}
	c := p.Compare(cost, 0.01)
	if f := c.function("m.F"); c.Waiting.Changed || !near(f.Own.Base, 300) || !near(f.Own.New, 3000) || !f.Own.Changed || f.Own.Difference.Half() > 100 {
		t.Errorf("%+v", c)
	}
	if got := c.Cause(); !strings.HasPrefix(got, "since m.F: +2.7") || !strings.HasSuffix(got, "of +5.6 µs a call") {
		t.Error(got)
	}
}

// How long the runs were kept from the processor is known so badly that they seem to have been idle for half of the time, or not at
// all. The samples account for all of a call.
func TestFunctionsAreNamedWhereTheTimeOfOthersIsUncertain(t *testing.T) {
	p := NewProfiles(modules, true)
	for i := range 10 {
		for side, cost := range [2]float64{1000, 2000} {
			waited := []float64{0.2, 0.9}[i%2]
			if err := p.Add(side, Run{Calls: int(40 * period / cost), Elapsed: 40 * period * 5, Waited: waited, Profile: cpu(map[string]int{harness + "m.BenchmarkX m.F": 40})}); err != nil {
				t.Fatal(err)
			}
		}
	}
	c := p.Compare(exact(1000, 2000), 0.01)
	if f := c.function("m.F"); c.Waiting.Changed || c.Waiting.Difference.Known() || !near(f.Own.Base, 1000) || !near(f.Own.New, 2000) || !f.Own.Changed || !c.Explained() {
		t.Errorf("%+v", c)
	}
}

func TestABenchmarkThatWaitsIsKnownToOnABusyMachine(t *testing.T) {
	p := NewProfiles(modules, true)
	for range 10 {
		for side, cost := range [2]float64{1000, 2000} { // F takes 400 on both sides
			const calls = 40 * period / 400
			if err := p.Add(side, Run{Calls: calls, Elapsed: calls * cost * 5, Waited: 0.8, Profile: cpu(map[string]int{harness + "m.BenchmarkX m.F": 40})}); err != nil {
				t.Fatal(err)
			}
		}
	}
	c := p.Compare(exact(1000, 2000), 0.01)
	if f := c.function("m.F"); !near(f.Own.Base, 400) || !near(f.Own.New, 400) || f.Own.Changed || !c.Waiting.Changed || !near(c.Waiting.New, 1600) {
		t.Errorf("%+v", c)
	}
}

func TestWorkOfSeveralGoroutinesIsSaidToBeProcessorTime(t *testing.T) {
	p := NewProfiles(modules, false)
	for range 10 {
		add(p, Base, -25, map[string]int{"m.BenchmarkX m.F": 50})
		add(p, New, -50, map[string]int{"m.BenchmarkX m.F": 100})
	}
	c := p.Compare(exact(1000, 2000), 0.01)
	if f := c.function("m.F"); !near(f.Own.New, 4000) || !strings.Contains(c.Cause(), "µs of processor time, of +1 µs a call") {
		t.Errorf("%+v: %s", f, c.Cause())
	}
}

func TestMovedFunctionsAreCompared(t *testing.T) {
	p := NewProfiles([2][]string{{"m", "old.org/dep"}, {"m/v2"}}, true)
	for range 10 {
		add(p, Base, 0, map[string]int{"m/p.BenchmarkOld": 10, "m/p.BenchmarkOld m/p.(*T).F": 50, "m/p.BenchmarkOld old.org/dep.H": 20, "m/p.BenchmarkOld m/p.Gone": 20})
		add(p, New, 0, map[string]int{"m/v2/p.BenchmarkNew": 10, "m/v2/p.BenchmarkNew m/v2/q.(*T).F": 150, "m/v2/p.BenchmarkNew m/v2/p.H": 20, "m/v2/p.BenchmarkNew m/v2/p.Came": 20})
	}
	c := p.Compare(exact(1000, 2000), 0.01)
	for name, base := range map[string]string{"q.(*T).F": "m/v2/p.(*T).F", "p.H": "old.org/dep.H", "p.BenchmarkNew": "m/v2/p.BenchmarkOld", "p.Came": "", "p.Gone": ""} {
		if f := c.function(name); f.Name == "" || f.BaseName != base {
			t.Errorf("%s: %+v, want %q", name, f, base)
		}
	}
	if f := c.function("q.(*T).F"); !near(f.Own.Base, 500) || !near(f.Own.New, 1500) {
		t.Errorf("%+v", f)
	}
	if n := len(p.Tree(exact(1000, 2000)).Children); n != 1 {
		t.Errorf("%d benchmarks in the tree", n)
	}
}

func TestTooFewRunsOrSamplesClaimNothing(t *testing.T) {
	p := NewProfiles(modules, true)
	if c := p.Compare(exact(1000, 2000), 0.01); len(c.Functions) > 0 || c.Cause() != "" {
		t.Errorf("%+v", c)
	}
	add(p, Base, 0, map[string]int{"m.BenchmarkX m.F": 50})
	add(p, New, 0, map[string]int{"m.BenchmarkX m.F": 100, "m.BenchmarkX m.G": 3})
	c := p.Compare(exact(1000, 2000), 0.01)
	if f := c.function("m.F"); f.Own.Changed || f.Own.Difference.Bounded() || f.Own.Difference.Reason == "" || c.Cause() != "" || c.Explained() {
		t.Errorf("%+v", c)
	}
	if f := c.function("m.G"); f.Name != "" {
		t.Errorf("%+v", f)
	}
	if err := p.Add(Base, Run{Calls: 1, Elapsed: 1, Profile: made([]string{"alloc_objects"}, nil)}); err == nil {
		t.Error("an allocation profile is taken")
	}
	if err := p.Add(Base, Run{Profile: cpu(nil)}); err == nil {
		t.Error("a run without time is taken")
	}
}

func TestTheTreeAddsUp(t *testing.T) {
	p := NewProfiles(modules, true)
	for range 10 {
		add(p, Base, 0, map[string]int{"m.BenchmarkX m.F": 50, "m.BenchmarkX m.G": 50})
		add(p, New, 0, map[string]int{"m.BenchmarkX m.F": 150, "m.BenchmarkX m.G": 50})
	}
	root := p.Tree(exact(1000, 2000))
	x := root.Children[0]
	if len(root.Children) != 1 || x.Name != "m.BenchmarkX" || !near(x.Cost[Base], 1000) || !near(x.Cost[New], 2000) || len(x.Children) != 2 {
		t.Fatalf("%+v", root)
	}
	f, g := x.Children[0], x.Children[1]
	if f.Name != "m.F" || !near(f.Cost[Base], 500) || !near(f.Cost[New], 1500) || f.Bounds[0] <= 0 || g.Name != "m.G" || g.Bounds[0] > 0 || g.Bounds[1] < 0 {
		t.Errorf("%+v, %+v", f, g)
	}
}
