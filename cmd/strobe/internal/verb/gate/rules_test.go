// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/stat/decide"
)

const someRules = `# for all
[[limit]]
time = "3%"
allocs = 0

[[ limit ]] # for some
package = "./codec/..."
bench = "Decode/large|^BenchmarkEncode$"
time = 0.25
"hits/op" = "-10%"

[[waiver]]
package = "example.com/m/codec"
bench = "Encode"
metric = "time"
ceiling = "40%"
reason = "a rewrite"
link = "https://example.com/17"
expires = 2030-12-31
`

func TestLimitsAndWaiversAreReadFromAFile(t *testing.T) {
	r, err := parseRules(someRules, "f")
	if err != nil || len(r.limits) != 2 || len(r.waivers) != 1 || r.limits[0].line != 2 || r.limits[1].line != 6 || r.waivers[0].line != 12 {
		t.Fatalf("%v, %+v", err, r)
	}
	m := &measurement{flags: &Flags{}, rules: r, started: time.Date(2030, 12, 31, 23, 0, 0, 0, time.UTC)}
	m.rules.dir = "/m"
	codec := &pkg{path: "example.com/m/codec", dirs: [2]string{"", "/m/codec"}}
	inner := &pkg{path: "example.com/m/codec/inner", dirs: [2]string{"", "/m/codec/inner"}}
	root := &pkg{path: "example.com/m", dirs: [2]string{"", "/m"}}
	text := func(pk *pkg, name string) string {
		var words []string
		for _, c := range m.charges(pk, name) {
			word := c.String()
			if c.waiver != nil {
				word += " instead of " + c.plain.String()
			}
			words = append(words, word)
		}
		return strings.Join(words, ", ")
	}
	for _, c := range []struct {
		pk         *pkg
		name, want string
	}{
		{root, "Encode", "allocs=0%, time=3%"},
		{codec, "Decode/large", "allocs=0%, hits/op=-10%, time=25%"},
		{codec, "Decode/large/#01", "allocs=0%, hits/op=-10%, time=25%"},
		{codec, "Decode", "allocs=0%, time=3%"},
		{codec, "Encode", "allocs=0%, hits/op=-10%, time=40% instead of time=25%"},
		{inner, "Encode", "allocs=0%, hits/op=-10%, time=25%"},
		{codec, "EncodeAll", "allocs=0%, time=40% instead of time=3%"},
	} {
		if got := text(c.pk, c.name); got != c.want {
			t.Errorf("%s.%s: %s, want %s", c.pk.path, c.name, got, c.want)
		}
	}
	// Flags for all give way to rules for some, and flags for some to none.
	m.flags = &Flags{Gate: []limit{{"", 0.01}, {"Decode", 0.02}}, Limit: []bound{{byAllocs, 0.5, false}}}
	if got, want := text(codec, "Encode")+"; "+text(codec, "Decode/large")+"; "+text(root, "Other"),
		"allocs=50%, hits/op=-10%, time=40% instead of time=25%; allocs=50%, hits/op=-10%, time=2%; allocs=50%, time=1%"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	m.flags = &Flags{Metrics: []metric{byAllocs}}
	if got := text(codec, "Encode"); !strings.HasPrefix(got, "allocs=0%, time=") || strings.Contains(got, "hits") {
		t.Errorf("%s", got)
	}
	m.flags, m.started = &Flags{}, m.started.AddDate(0, 0, 2)
	if got := text(codec, "EncodeAll"); got != "allocs=0%, time=3%" {
		t.Errorf("after the waiver has expired: %s", got)
	}
}

func TestTheExampleOfTheDocumentsIsRead(t *testing.T) {
	text, err := os.ReadFile("testdata/example.toml")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := parseRules(string(text), "f"); err != nil || len(r.limits) != 2 || len(r.waivers) != 1 || r.waivers[0].line != 9 || r.waivers[0].until() != "9999-12-31" {
		t.Errorf("%v, %+v", err, r)
	}
}

func TestAWrongFileIsNamedWithItsLine(t *testing.T) {
	waiver := "[[waiver]]\nmetric = \"time\"\nceiling = \"40%\"\nreason = \"x\"\nexpires = 2030-12-31\n"
	for text, wants := range map[string][]string{
		"[[limit]]\ntime = \n":                                                                     {"f:2: "},
		"[[limits]]\ntime = \"5%\"\n":                                                              {"f:1: unknown key", "[[limit]] and [[waiver]]"},
		waiver + "cieling = \"5%\"\n":                                                              {"f:6: unknown key", "cieling"},
		"\n[[limit]]\ntime = \"fast\"\n":                                                           {"f:2: limit: ", "not a percentage"},
		"[[limit]]\ntime = true\n":                                                                 {"f:1: limit: time is not a percentage"},
		"[[limit]]\nbench = \"A\"\n":                                                               {"f:1: limit: it has no limit"},
		"[[limit]]\nbench = 3\ntime = 0.1\n":                                                       {"f:1: limit: bench is not a string"},
		"[[limit]]\nbench = \"(\"\ntime = 0":                                                       {"f:1: limit: ", "not a regular expression"},
		"[[limit]]\npackage = \"./.../x\"\ntime = 0":                                               {"f:1: limit: ", "... can only be at its end"},
		"[[limit]]\nallocs = \"-5%\"\n":                                                            {"f:1: limit: ", "less of it is better"},
		strings.Replace(waiver, "reason = \"x\"\n", "", 1):                                         {"f:1: waiver: the reason is missing"},
		strings.Replace(waiver, "expires = 2030-12-31\n", "", 1):                                   {"f:1: waiver: expires is missing"},
		strings.Replace(waiver, "2030-12-31", "\"soon\"", 1):                                       {"f", "soon"},
		strings.Replace(waiver, "ceiling = \"40%\"\n", "", 1):                                      {"f:1: waiver: time has no limit"},
		strings.Replace(waiver, "metric = \"time\"\n", "", 1):                                      {"f:1: waiver: ", "is no metric"},
		"limit = [{time = \"5%\"}, {time = \"x\"}]\n":                                              {"f: limit: ", "not a percentage"},
		"[[limit]]\nbench = \"\"\"\n[[limit]]\n\"\"\"\ntime = \"x\"\n[[waiver]]\nmetric = \"a\"\n": {"f: limit: "},
	} {
		_, err := parseRules(text, "f")
		if err == nil {
			t.Errorf("%q is taken", text)
			continue
		}
		for _, want := range wants {
			if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: %v, want %q", text, err, want)
			}
		}
	}
}

func FuzzRules(f *testing.F) {
	f.Add(someRules)
	f.Add("limit = [{time = 5}]\n")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := parseRules(text, "f")
		if err != nil {
			return
		}
		m := &measurement{flags: &Flags{}, rules: r}
		m.charges(&pkg{path: "example.com/m", target: "."}, "A/b")
		if changes := r.changes(&r); len(changes) > 0 {
			t.Errorf("a file differs from itself: %q", changes)
		}
	})
}

func TestTheFileIsFoundAboveUpToTheTop(t *testing.T) {
	top := t.TempDir()
	below := filepath.Join(top, "a", "b")
	os.MkdirAll(below, 0o777)
	os.Mkdir(filepath.Join(top, ".git"), 0o777)
	if r, err := findRules(below); err != nil || r.name != "" {
		t.Errorf("%+v, %v", r, err)
	}
	os.WriteFile(filepath.Join(top, rulesName), []byte(someRules), 0o666)
	if r, err := findRules(below); err != nil || r.dir != top || len(r.limits) != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	os.WriteFile(filepath.Join(below, rulesName), []byte("[[limit]]\ntime = \"1%\"\n"), 0o666)
	if r, err := findRules(below); err != nil || r.dir != below || len(r.limits) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

// A request that allows itself more does not do so in silence.
func TestChangesOfTheRulesAreNamed(t *testing.T) {
	for name, c := range map[string]struct {
		old, new string // replaced in the rules
		want     string
	}{
		"nothing":             {"# for all", "# for every one", ""},
		"a waiver is wider":   {"40%", "60%", "f:12: the waiver for time of Encode in example.com/m/codec is widened, from +40 %: up to +60 % until 2030-12-31, since a rewrite (https://example.com/17)"},
		"a waiver is longer":  {"2030-12-31", "2031-12-31", "is extended, from 2030-12-31: up to +40 % until 2031-12-31"},
		"a waiver is tighter": {"40%", "30%", ""},
		"a waiver is new":     {"bench = \"Encode\"", "bench = \"Other\"", "the waiver for time of Other in example.com/m/codec is added: up to +40 %"},
		"a limit is raised":   {"0.25", "0.5", "f:6: a limit for Decode/large|^BenchmarkEncode$ in ./codec/... is changed from time=25% to time=50%"},
		"a limit is gone":     {"allocs = 0\n", "", "the limit for all benchmarks is removed: allocs=0%"},
		"a limit is new":      {"allocs = 0\n", "allocs = 0\nbytes = 0.5\n", "f:2: a limit for all benchmarks is added: bytes=50%"},
	} {
		before, err := parseRules(someRules, "f")
		if err != nil {
			t.Fatal(err)
		}
		after, err := parseRules(strings.Replace(someRules, c.old, c.new, 1), "f")
		if err != nil {
			t.Fatal(err)
		}
		all := after.changes(&before)
		if got := strings.Join(all, "|"); c.want == "" && got != "" || !strings.Contains(got, c.want) || len(all) > 1 {
			t.Errorf("%s: %q, want %q", name, all, c.want)
		}
	}
}

func TestAWaiverCoversUpToItsCeilingAndItsDay(t *testing.T) {
	text := "[[limit]]\n\"hits/op\" = \"5%\"\n[[waiver]]\nbench = \"B\"\nmetric = \"hits/op\"\nceiling = \"40%\"\nreason = \"a rewrite\"\nexpires = "
	for name, c := range map[string]struct {
		expires string
		after   float64
		outcome decide.Outcome
		verdict string // of the metric, in the table; empty if it is not there
		waived  string // in the report
		reason  string // of the gate
	}{
		"covered":      {"2030-06-15", 120, decide.Passed, "waived", "p.B, hits/op up to +40 % until 2030-06-15: a rewrite", "passed: "},
		"not needed":   {"2030-06-15", 100, decide.Passed, "", "p.B keeps its limit of hits/op; the waiver is not needed, up to +40 % until 2030-06-15", "passed: "},
		"above it":     {"2030-06-15", 150, decide.Failed, "FAILED", "p.B is not covered", "more than the allowed +40 %"},
		"it is over":   {"2030-06-13", 120, decide.Failed, "FAILED", "", "more than the allowed +5 %"},
		"over, unused": {"2030-06-13", 100, decide.Failed, "", "", "failed: f:3: the waiver for hits/op of B expired on 2030-06-13 and covers nothing: remove it, or renew it if its reason still holds: a rewrite"},
	} {
		rs, err := parseRules(text+c.expires, "f")
		if err != nil {
			t.Fatal(err)
		}
		m := judged(Flags{}, 40, func(_, side int) map[metric]float64 {
			return map[metric]float64{"hits/op": [2]float64{100, c.after}[side]}
		}, rs)
		r := m.report()
		verdict := ""
		for _, cells := range r.answerCells(&r.rows[0]) {
			verdict = cells[len(cells)-1]
		}
		waived := strings.Join(r.waivers(), "|")
		if r.gate.Outcome != c.outcome || verdict != c.verdict || !strings.Contains(waived, c.waived) || c.waived == "" && waived != "" || !strings.Contains(strings.Join(r.gate.Reasons, "|"), c.reason) {
			t.Errorf("%s: %s, %q, %q, %q", name, r.gate.Outcome, verdict, waived, r.gate.Reasons)
		}
		if r.gate.Outcome == decide.Failed && r.err().Error() != "the gate failed" {
			t.Errorf("%s: %v", name, r.err())
		}
		used, err := json.Marshal(r.object(false).Waivers)
		if err != nil || strings.Contains(string(used), `"needed":true`) != (c.verdict == "waived" && c.outcome == decide.Passed) {
			t.Errorf("%s: %v, %s", name, err, used)
		}
	}
}

func TestAWaiverOfTheTimeIsSeen(t *testing.T) {
	rs, err := parseRules("[[waiver]]\nmetric = \"time\"\nceiling = \"40%\"\nreason = \"x\"\nexpires = 2030-12-31\n", "f")
	if err != nil {
		t.Fatal(err)
	}
	m := judged(Flags{}, 40, func(int, int) map[metric]float64 { return nil }, rs)
	r := m.report()
	if got := r.waivers(); len(got) != 1 || !strings.HasPrefix(got[0], "p.B keeps its limit of time") {
		t.Errorf("%q", got)
	}
	if b := m.all[0]; b.limit != 0.4 || !strings.Contains(m.flags.repeat("HEAD", b), "--gate=5%") {
		t.Errorf("%v, %s", b.limit, m.flags.repeat("HEAD", b))
	}
	x := &r.rows[0]
	x.comparison.Ratio.Hi = 1.06
	if cells := r.cells(x); !slices.Contains(cells[0], "waived, no proof") {
		t.Errorf("%q", cells)
	}
}

// A rule for a benchmark that is not there is a mistake, unless it may be there unseen.
func TestRulesThatSelectNothingAreErrors(t *testing.T) {
	tests := testCode{"BenchmarkUnseen": nil}
	for text, want := range map[string]string{
		"[[limit]]\nbench = \"Decode\"\ntime = 0.1":                                                  "",
		"[[limit]]\nbench = \"Dceode\"\ntime = 0.1":                                                  "f:1: limit: it selects no benchmark: Dceode",
		"[[limit]]\npackage = \"./codex\"\ntime = 0.1":                                               "f:1: limit: it selects no benchmark: ./codex",
		"[[limit]]\nbench = \"Decode\"\nallocs = 0\n":                                                "",
		"[[limit]]\nbench = \"Decode\"\n\"hits/op\" = 0":                                             "no benchmark that it selects (Decode) reports hits/op; besides time they have allocs",
		"[[limit]]\nbench = \"Unseen\"\ntime = 0.1":                                                  "",
		"[[limit]]\nbench = \"Unseen/x\"\ntime = 0.1":                                                "",
		"\n[[waiver]]\nbench=\"No\"\nmetric=\"time\"\nceiling=1.0\nreason=\"x\"\nexpires=2030-01-01": "f:2: waiver: ",
	} {
		rs, err := parseRules(strings.Replace(text, "ceiling=1.0", "ceiling=\"100%\"", 1), "f")
		if err != nil {
			t.Fatal(err)
		}
		codec, other := &pkg{path: "m/codec", target: "./codec"}, &pkg{path: "m/other", target: "./other", same: true, tests: [2]testCode{tests, tests}}
		m := &measurement{flags: &Flags{Bench: "."}, patterns: []string{"./..."}, rules: rs, pkgs: []*pkg{codec, other}}
		m.see(codec, &finding{names: []string{"Decode/large"}, also: map[string]map[metric]float64{"Decode/large": {byAllocs: 1}}})
		if err := m.unreported(); err == nil && want != "" || err != nil && (want == "" || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		m.flags.Bench = "Decode" // others may be what it is for
		if err := m.unreported(); err != nil {
			t.Errorf("%q: %v where a part was asked for", text, err)
		}
	}
}
