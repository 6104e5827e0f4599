// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/stat/decide"
)

func TestLimitsOfMetricsAreRead(t *testing.T) {
	for text, want := range map[string]string{
		"allocs=0":         "allocs=0%",
		"allocs/op=+1%":    "allocs=1%",
		"B/op=0.1":         "bytes=10%",
		"size=2%":          "size=2%",
		"hits/op=5%":       "hits/op=5%",
		"p99-ns/op=50%":    "p99-sec/op=50%",
		"MB/s=-5%":         "B/s=-5%",
		"hit-ratio=-2%":    "hit-ratio=-2%",
		"a=b=5%":           "a=b=5%",
		"allocs":           "error: METRIC=LIMIT",
		"=5%":              "error: is no metric",
		"time=5%":          "error: --gate",
		"ns/op=5%":         "error: --gate",
		"allocs=-5%":       "error: less of it is better",
		"MB/s=5%":          "error: more of it is better",
		"hit-ratio=-100%":  "error: less than 100%",
		"allocs=much":      "error: not a percentage",
		"two words=5%":     "error: is no metric",
		"requests/sec=10%": "error: more of it is better",
	} {
		var l bound
		err := l.UnmarshalText([]byte(text))
		if problem, bad := strings.CutPrefix(want, "error: "); bad {
			if err == nil || !strings.Contains(err.Error(), problem) {
				t.Errorf("%s: %v, %v, want an error with %q", text, l, err, problem)
			}
			continue
		}
		if err != nil || l.String() != want {
			t.Errorf("%s: %v, %v, want %s", text, l, err, want)
		}
		var again bound
		if err := again.UnmarshalText([]byte(l.String())); err != nil || again != l {
			t.Errorf("%s is read as %v, %v", l, again, err)
		}
	}
}

func TestTheLastLimitOfAMetricCounts(t *testing.T) {
	f := Flags{Metrics: []metric{byTime, "B/s", byAllocs}, Limit: []bound{{byAllocs, 0.5, false}, {"hits/op", 0.1, false}, {byAllocs, 0.25, false}}}
	all, err := f.limits()
	var texts []string
	for _, l := range all {
		texts = append(texts, l.String())
	}
	if want := []string{"B/s=-5%", "allocs=25%", "hits/op=10%"}; err != nil || !slices.Equal(texts, want) {
		t.Errorf("%v, %q, want %q", err, texts, want)
	}
	for _, c := range []struct {
		f    Flags
		k    metric
		want bool
	}{{Flags{}, byTime, true}, {Flags{}, byAllocs, false}, {Flags{Metrics: []metric{byAllocs}}, byTime, false}, {Flags{Limit: f.Limit}, byTime, true}, {Flags{Limit: f.Limit}, byAllocs, true}} {
		if got := c.f.judges(c.k); got != c.want {
			t.Errorf("%+v judges %s: %v", c.f, c.k, got)
		}
	}
}

// A value within the limit costs at most 1 + the limit times as much, whichever way is worse, and one beyond it more.
func TestCostsAreAboveTheLimitWhereTheValueIs(t *testing.T) {
	for _, c := range []struct {
		limit         string
		before, after float64
		within        bool
	}{
		{"allocs=0", 0, 0, true}, {"allocs=0", 0, 1, false}, {"allocs=900%", 0, 0.5, false}, {"allocs=0", 1, 0, true}, {"allocs=0", 9.985, 10, false}, {"allocs=0", 9.985, 9.985, true},
		{"allocs=0", 9.985, 9.99, true}, {"allocs=0", 1000, 1001, false}, {"allocs=0", 26006, 26007, true}, {"bytes=10%", 100, 110, true}, {"bytes=10%", 100, 112, false}, {"bytes=0", 0, 16, false},
		{"hits/op=0", 3, 3, true}, {"hits/op=0", 3, 3.001, false}, {"hits/op=5%", 0, 0, true}, {"hits/op=5%", 0, 0.001, false},
		{"MB/s=-5%", 100, 95, true}, {"MB/s=-5%", 100, 94.9, false}, {"MB/s=-5%", 100, 200, true}, {"MB/s=-5%", 100, 0, false}, {"MB/s=-5%", 0, 0, true},
	} {
		var l bound
		if err := l.UnmarshalText([]byte(c.limit)); err != nil {
			t.Fatal(err)
		}
		base, other := l.costs(c.before, c.after)
		if within := other/base <= (1+l.limit())*(1+1e-12); within != c.within || !(base > 0 && other > 0) {
			t.Errorf("%s, %v to %v: costs %v and %v, limit %v: within %v", c.limit, c.before, c.after, base, other, l.limit(), within)
		}
	}
}

// judged returns a measurement of one benchmark, with rounds in which the metrics have these values on both sides.
func judged(f Flags, rounds int, values func(i, side int) map[metric]float64, r ...rules) *measurement {
	f.By, f.Self = "cpu", true
	if f.Level == 0 {
		f.Level = 0.99
	}
	b := &benchmark{pkg: &pkg{path: "m/p"}, name: "B", limit: 0.05, iterations: 1, blocks: 1}
	m := &measurement{flags: &f, all: []*benchmark{b}, started: time.Date(2030, 6, 15, 12, 0, 0, 0, time.UTC)}
	if len(r) > 0 {
		m.rules = r[0]
	}
	m.allow(b, values(0, oldSide))
	m.family = bench.NewFamily(float64(f.Level), m.ask([]bench.Member{{Base: sideNames[oldSide], Other: b.title(), Limit: b.limit}})...)
	for i := range rounds {
		r := round{cost: [2]float64{100, 100}, more: [2]map[metric]float64{values(i, oldSide), values(i, newSide)}, baseFirst: i%2 == 0, layout: i % 4}
		b.rounds = append(b.rounds, r)
		m.family.Add(0, 100, 100, r.baseFirst)
		m.tell(b, &r)
	}
	m.family.Finish()
	m.questioned().Finish()
	return m
}

func TestEachMetricHasItsOutcome(t *testing.T) {
	fixed := func(before, after map[metric]float64) func(i, side int) map[metric]float64 {
		return func(_, side int) map[metric]float64 { return [2]map[metric]float64{before, after}[side] }
	}
	base := map[metric]float64{byAllocs: 9.985, byBytes: 100, "hits/op": 4, "B/s": 1e9}
	for name, c := range map[string]struct {
		flags    Flags
		after    map[metric]float64
		outcome  string
		sentence string
		lines    string // of the table, names and verdicts
	}{
		"only time decides": {Flags{}, map[metric]float64{byAllocs: 12, byBytes: 100, "hits/op": 4, "B/s": 1e9}, "passed", "no more than the allowed +5 %", "B passed, no proof|B allocs/op not judged"},
		"one fails": {Flags{Limit: []bound{{metric: byAllocs}, {metric: byBytes}}}, map[metric]float64{byAllocs: 10, byBytes: 100, "hits/op": 4, "B/s": 1e9}, "failed",
			"p.B has 10 allocs/op, 9.985 on the base: +0.15 %, more than the allowed +0 %, with 99 % confidence", "B passed, no proof|B allocs/op FAILED"},
		"it fell": {Flags{Metrics: []metric{"B/s"}}, map[metric]float64{byAllocs: 9.985, byBytes: 100, "hits/op": 4, "B/s": 9e8}, "failed",
			"p.B has 900 M B/s, 1 G on the base: -10 %, less than the allowed -5 %, with 99 % confidence", "B not judged|B B/s FAILED"},
		"all is well": {Flags{Metrics: []metric{byAllocs, byBytes, "hits/op", "B/s"}}, base, "passed", "p.B has 1 G B/s, 1 G on the base: +0 %, at least the allowed -5 %, with 99 % confidence", "B not judged"},
		"it is gone": {Flags{Limit: []bound{{metric: "hits/op"}}}, map[metric]float64{byAllocs: 9.985, byBytes: 100, "B/s": 1e9}, "undecided", "p.B reports no hits/op in a run on both sides",
			"B passed, no proof|B hits/op undecided"},
	} {
		m := judged(c.flags, 40, fixed(base, c.after))
		r := m.report()
		x := &r.rows[0]
		if x.outcome.String() != c.outcome || !strings.Contains(x.sentence, c.sentence) || r.gate.Outcome != x.outcome {
			t.Errorf("%s: %s, %q; %s", name, x.outcome, x.sentence, r.gate.Outcome)
		}
		var lines []string
		for _, cells := range append(r.cells(x), r.answerCells(x)...) {
			lines = append(lines, cells[0]+" "+cells[len(cells)-1])
			if len(cells) != len(r.titles()) {
				t.Errorf("%s: %q under %q", name, cells, r.titles())
			}
		}
		if got := strings.Join(lines, "|"); got != c.lines {
			t.Errorf("%s: %q, want %q", name, got, c.lines)
		}
		if m.asks(m.all[0]) != (name == "it is gone") {
			t.Errorf("%s: more rounds are wanted: %v", name, m.asks(m.all[0]))
		}
		text, err := json.Marshal(r.object(false).Benchmarks[0].Metrics)
		if err != nil || strings.Contains(string(text), `"bytes","base":100,"new":100,"limit"`) != slices.ContainsFunc(m.all[0].limits, func(l charge) bool { return l.metric == byBytes }) {
			t.Errorf("%s: %v, %s", name, err, text)
		}
	}
}

// The level holds for all metrics of all benchmarks together.
func TestMetricsShareOneError(t *testing.T) {
	const trials, level = 400, 0.9
	names := []metric{"a/op", "b/op", "c/op", "d/op", "e/op"}
	var limits []bound // none is worse by more than 0
	for _, k := range names {
		limits = append(limits, bound{metric: k})
	}
	rng := rand.New(rand.NewPCG(7, 7))
	wrong := 0
	for range trials {
		m := judged(Flags{Level: level, Limit: limits}, 30, func(int, int) map[metric]float64 {
			values := map[metric]float64{}
			for _, k := range names {
				values[k] = 100 + 10*rng.NormFloat64()
			}
			return values
		})
		if m.report().gate.Outcome == decide.Failed {
			wrong++
		}
	}
	t.Logf("%d of %d fail", wrong, trials)
	if most := trials*(1-level) + 3*6; float64(wrong) > most || wrong == 0 {
		t.Errorf("%d of %d requests without a change fail", wrong, trials)
	}
}

func TestAMetricOfAFewLayoutsDoesNotFail(t *testing.T) {
	for worse, want := range map[int]decide.Outcome{4: decide.Failed, 3: decide.Undecided} {
		m := judged(Flags{Metrics: []metric{"hits/op"}}, 60, func(i, side int) map[metric]float64 {
			v := 100 + float64(i%3)
			if side == newSide && i%4 < worse {
				v *= 1.5
			}
			return map[metric]float64{"hits/op": v}
		})
		if got := m.report().rows[0].outcome; got != want || m.asks(m.all[0]) != (want == decide.Undecided) {
			t.Errorf("worse in %d of 4 layouts: %s", worse, got)
		}
	}
}

func TestTheSizeOfAPackageIsThatOfItsFunctions(t *testing.T) {
	const symbols = "     0          U runtime.x\n  1000        120 T m.A\n  2000         30 t m.b\n  3000          8 R m.table\n  4000         16 D m.v\n"
	if n := sumText([]byte(symbols)); n != 150 {
		t.Errorf("%d bytes", n)
	}
	for _, c := range []struct {
		before, after float64
		limit, want   string
	}{{100, 105, "size=5%", "passed"}, {100, 106, "size=5%", "failed: more than"}, {0, 10, "size=5%", "failed: from none"}, {0, 0, "size=0", "passed"}} {
		x := sizing{pkg: &pkg{path: "m/p"}, answer: answer{before: c.before, after: c.after, rounds: 1, decides: true}}
		if err := x.UnmarshalText([]byte(c.limit)); err != nil {
			t.Fatal(err)
		}
		x.judge()
		outcome, words, _ := strings.Cut(c.want, ": ")
		if x.outcome.String() != outcome || !strings.Contains(x.sentence, words) {
			t.Errorf("%v: %s, %q", c, x.outcome, x.sentence)
		}
	}
	if n, err := codeSize(t.Context(), "", "github.com/strobe-go/strobe/cmd/strobe/internal/flags", nil); err != nil || n < 1000 {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := codeSize(t.Context(), t.TempDir(), "./none", nil); err == nil {
		t.Error("a package that is not there has a size")
	}
}

func TestBlocksAreAveraged(t *testing.T) {
	text := ""
	for i := range 4 {
		text += fmt.Sprintf("BenchmarkA \t 100\t %d ns/op\t 12.%d00000001 MB/s\t 8 B/op\t 9.98%d allocs/op\n", 20+i, i, i)
	}
	v, n := parse([]byte(text), 1).least("A")
	if n != 4 || v.ns < 19.99 || v.ns > 20.01 || v.more[byBytes] != 8 || v.more[byAllocs] < 9.9814 || v.more[byAllocs] > 9.9816 || v.more["B/s"] < 12.14e6 || v.more["B/s"] > 12.16e6 || len(v.more) != 3 {
		t.Errorf("%d, %+v", n, v)
	}
}
