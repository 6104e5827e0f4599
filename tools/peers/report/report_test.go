// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"strings"
	"testing"
)

const plan = `
# comment
table Clock
title One reading
text Some text.
show ns/op allocs/op
base counter
run 3 x 50ms
goal clock.Now ns/op <= 1.05 x counter
goal time.Now ns/op >= 4.5 x clock.Now
goal clock.Now allocs/op <= 0
goal absent ns/op <= 1
`

var rounds = []string{`
goos: linux
BenchmarkClock/counter-2    	 100	         10.0 ns/op	       0 B/op	       0 allocs/op
BenchmarkClock/clock.Now-2  	 100	         10.2 ns/op	       0 B/op	       0 allocs/op
BenchmarkClock/time.Now-2   	 100	         40.0 ns/op	       0 B/op	       0 allocs/op
BenchmarkOther/counter-2    	 100	         99.0 ns/op	       0 B/op	       0 allocs/op
PASS
`, `
BenchmarkClock/counter-2    	 100	         20.0 ns/op	       0 B/op	       0 allocs/op
BenchmarkClock/clock.Now-2  	 100	         20.2 ns/op	       0 B/op	       0 allocs/op
BenchmarkClock/time.Now-2   	 100	         80.0 ns/op	       0 B/op	       0 allocs/op
`, `
BenchmarkClock/counter-2    	 100	         10.0 ns/op	       0 B/op	       0 allocs/op
BenchmarkClock/clock.Now-2  	 100	         12.0 ns/op	       0 B/op	       0 allocs/op
BenchmarkClock/time.Now-2   	 100	         40.0 ns/op	       0 B/op	       0 allocs/op
`}

func page(t *testing.T) (*Page, *Samples) {
	t.Helper()
	tables, err := ParsePlan(plan)
	if err != nil {
		t.Fatal(err)
	}
	s := new(Samples)
	for _, r := range rounds {
		if err := s.AddRound("Clock", strings.NewReader(r)); err != nil {
			t.Fatal(err)
		}
	}
	return &Page{Command: "./check bench", Machine: []Fact{{"processor", "a test"}}, Tables: tables,
		Samples: map[string]*Samples{"Clock": s}}, s
}

func TestFiguresAreMediansOfTheRounds(t *testing.T) {
	_, s := page(t)
	if got, want := s.Figure("clock.Now", "ns/op"), (Figure{12, 10.2, 20.2, 3}); got != want {
		t.Errorf("figure %v, want %v", got, want)
	}
	if got := s.Figure("absent", "ns/op"); got.N != 0 {
		t.Errorf("a row that never ran has the figure %v", got)
	}
	if got := strings.Join(s.Rows, " "); got != "counter clock.Now time.Now" {
		t.Errorf("rows %s", got)
	}
}

func TestRatiosAreTakenWithinARound(t *testing.T) {
	_, s := page(t)
	// The medians of 12 and 10 would give 1.2; the rounds give 1.02, 1.01 and 1.2.
	if got := s.Ratio("clock.Now", "counter", "ns/op"); got.Median != 1.02 || got.Min != 1.01 || got.Max != 1.2 {
		t.Errorf("ratio %v", got)
	}
	if got := s.Ratio("clock.Now", "counter", "allocs/op"); got.N != 0 {
		t.Errorf("a ratio to zero is %v", got)
	}
}

func TestGoalsAreJudgedByTheMedian(t *testing.T) {
	p, s := page(t)
	want := []string{met, missed, met, unmeasured}
	for i, g := range p.Tables[0].Goals {
		if _, _, got := judge(g, s); got != want[i] {
			t.Errorf("%v: %s, want %s", g, got, want[i])
		}
		if _, _, got := judge(g, nil); got != unmeasured {
			t.Errorf("%v without samples: %s", g, got)
		}
	}
	for _, line := range []string{
		"| [One reading](#one-reading) | 2 | 1 | 1 |\n| all | 2 | 1 | 1 |",
		"## Goals missed\n\n| table | | goal | measured |\n|---|---|--:|--:|\n| Clock | `time.Now` ns/op of `clock.Now` | at least 4.5x | 3.92x [3.33, 3.96] |\n\n## Goals met",
		"## One reading\n",
		"| `clock.Now` | 12 [10.2, 20.2] | 0 | 1.02x [1.01, 1.2] |",
		"| processor | a test |",
		"3 rounds of 50ms a row",
	} {
		if !strings.Contains(p.Markdown(), line) {
			t.Errorf("the page lacks %q:\n%s", line, p.Markdown())
		}
	}
}

func TestACutPageHasWhatWasMeasured(t *testing.T) {
	p, _ := page(t)
	p.Tables[0].Rounds = 50
	p.Tables = append(p.Tables, Table{Name: "None", Title: "Not begun", Show: []string{"ns/op"}, Base: "a", Rounds: 5})
	p.Cut()
	if text := p.Markdown(); !strings.Contains(text, "3 rounds of 50ms a row") || strings.Contains(text, "Not begun") {
		t.Error(text)
	}
}

func TestAPageChangedByHandIsFound(t *testing.T) {
	p, _ := page(t)
	text := p.Markdown()
	if err := Verify(text); err != nil {
		t.Errorf("as generated: %v", err)
	}
	for _, changed := range []string{
		strings.Replace(text, "3.92x", "4.92x", 1),
		strings.TrimPrefix(text, "# Benchmarks"),
		text + "more\n",
		text[:strings.LastIndex(text, "<!--")],
		"",
	} {
		if Verify(changed) == nil {
			t.Errorf("a changed page passed:\n%s", changed)
		}
	}
}

func TestTheBaseIsInTheSameFolderOfNames(t *testing.T) {
	rows := []string{"idle/a", "idle/base", "busy/base", "busy/a", "par2/b", "par2/c"}
	table := Table{Base: "base"}
	for row, want := range map[string]string{"idle/a": "idle/base", "busy/a": "busy/base", "par2/c": "par2/b"} {
		if got := table.baseOf(row, rows); got != want {
			t.Errorf("the base of %s is %s, want %s", row, got, want)
		}
	}
}

func TestDigitsAreThreeSignificantOnes(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 9.4812: "9.48", 12.345: "12.3", 0.1234: "0.123", 1e-5: "0.00001", 123456: "123456", 10: "10", -1.234: "-1.23"} {
		if got := digits(x); got != want {
			t.Errorf("%v is written %s, want %s", x, got, want)
		}
	}
}

func TestAPlanThatCannotBeReadSaysWhere(t *testing.T) {
	for _, tt := range []struct{ from, to, says string }{
		{"table Clock\n", "", "tables.txt:3: title before the first table"},
		{"run 3 x 50ms", "run thrice", "tables.txt:8: run needs"},
		{"<= 1.05 x counter", "<= 1.05 counter", "tables.txt:9: goal needs"},
		{"<= 1.05 x counter", "< 1.05", "tables.txt:9: goal needs"},
		{"base counter", "bass counter", "tables.txt:7: unknown keyword \"bass\""},
		{"base counter\n", "", "table Clock needs"},
	} {
		if _, err := ParsePlan(strings.Replace(plan, tt.from, tt.to, 1)); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%q: error %v, want one with %q", tt.to, err, tt.says)
		}
	}
}

func TestTablesThatAreNotMeasuredStay(t *testing.T) {
	p, _ := page(t)
	slow := Table{Name: "Slow", Title: "What takes hours", Text: "Some text.\n", Show: []string{"found-%"}, Base: "a", Rounds: 1, Time: "1x",
		Goals: []Goal{{Row: "a", Metric: "found-%", Bound: 80}, {Row: "a", Metric: "found-%", Bound: 99}}}
	found := new(Samples)
	if err := found.AddRound("Slow", strings.NewReader("BenchmarkSlow/a-2 1 90 found-%\n")); err != nil {
		t.Fatal(err)
	}
	all := &Page{Command: "./check bench -all", Machine: []Fact{{"date", "2020-01-02"}, {"commit", "0123456789ab"}, {"clock source of the system", "tsc"}}, Tables: append([]Table{slow}, p.Tables...),
		Samples: map[string]*Samples{"Slow": found, "Clock": p.Samples["Clock"]}}
	now, old := p.Markdown(), all.Markdown()
	if got := Keep(now, now, all.Tables); got != now {
		t.Errorf("nothing was to be kept:\n%s", got)
	}
	kept := Keep(now, old, all.Tables)
	if err := Verify(kept); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"| `a` | 90 | 1x |", "Measured on 2020-01-02 at commit 0123456789ab with the clock tsc. `BenchmarkSlow`, 1 round",
		"| Slow | `a` found-% | at least 80 | 90 |", "| Slow | `a` found-% | at least 99 | 90 |",
		"| [What takes hours](#what-takes-hours) | 1 | 1 | 0 |\n| all | 3 | 2 | 1 |", "| processor | a test |"} {
		if strings.Count(kept, want) != 1 {
			t.Errorf("no %q in\n%s", want, kept)
		}
	}
	if strings.Contains(kept, "| commit |") {
		t.Error("the page has the machine of the older one")
	}
	if again := Keep(now, kept, all.Tables); again != kept {
		t.Errorf("kept twice:\n%s", again)
	}
}
