// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// verbs is a command with this verb alone.
func verbs() []cli.Verb { return []cli.Verb{{Name: "compare", Command: new(Command)}} }

// strobe runs the verb in process.
func strobe(t *testing.T, args ...string) (out, errout string, code int) {
	t.Helper()
	return clitest.Run(t, verbs()[0], "", args...)
}

func TestHelpIsShort(t *testing.T) { clitest.Help(t, verbs()[0], 46) }

// published matches a row that benchstat printed: name, two medians with their ranges, delta and p.
var published = regexp.MustCompile(`^(\S+)\s+([\d.]+)(\S*) ± +(\S+?)%? (?:¹ )?\s*([\d.]+)(\S*) ± +(\S+?)%?\s(?:¹ )?\s*(~|\?|[-+]?[\d.]+%) \((?:p=([\d.]+) )?n=(\d+)\)`)

var prefixesOf = map[string]float64{"n": 1e-9, "µ": 1e-6, "m": 1e-3, "": 1, "k": 1e3, "Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30}

// printed reports whether x rounds to a number that was printed.
func printed(t *testing.T, x float64, digits, prefix string) bool {
	t.Helper()
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil || prefixesOf[prefix] == 0 {
		t.Fatalf("printed as %s%s", digits, prefix)
	}
	_, decimals, _ := strings.Cut(digits, ".")
	half := 0.5 * math.Pow10(-len(decimals)) * (1 + 1e-9)
	return math.Abs(x/prefixesOf[prefix]-v) <= half
}

// halves writes the parts of a file after "note: before" and "note: after" as two files.
func halves(t *testing.T, name string) (before, after string) {
	text, err := os.ReadFile(filepath.Join("testdata/benchfmt", name))
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), "note: before\n")
	first, second, also := strings.Cut(rest, "note: after\n")
	if !ok || !also {
		t.Fatalf("%s has no halves", name)
	}
	dir := t.TempDir()
	before, after = filepath.Join(dir, "before"), filepath.Join(dir, "after")
	for file, text := range map[string]string{before: head + first, after: head + second} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return before, after
}

// compared returns the comparison of files with the default flags.
func compared(t *testing.T, files ...string) []line {
	t.Helper()
	all, err := readAll(&session.Session{Err: new(bytes.Buffer)}, files)
	if err != nil {
		t.Fatal(err)
	}
	var results []*benchfmt.Result
	for _, m := range all {
		results = append(results, m.results...)
	}
	c := Flags{Filter: "*", Row: ".fullname", Col: ".file", Table: ".config"}
	v, err := c.project(results)
	if err != nil {
		t.Fatal(err)
	}
	lines, _ := v.lines(unitsOf(all), 0.95)
	return lines
}

func TestMediansAndPValuesAreThoseThatBenchstatPrints(t *testing.T) {
	rows, heldBack := 0, 0
	for answer, files := range map[string][]string{
		"old_new.benchstat.txt": {"old.txt", "new.txt"},
		"crcIgnore.stdout":      {"crc-old.txt", "crc-new.txt"},
		"issue19565.stdout":     {"issue19565.txt"},
		"issue19634.stdout":     {"issue19634.txt"},
		"smallSample.stdout":    {"smallSample.txt"},
		"units.stdout":          {"units.txt"},
		"zero.stdout":           {"zero.txt"},
	} {
		text, err := os.ReadFile(filepath.Join("testdata/benchfmt", answer))
		if err != nil {
			t.Fatal(err)
		}
		var a, b string
		if len(files) == 1 {
			a, b = halves(t, files[0])
		} else {
			a, b = filepath.Join("testdata/benchfmt", files[0]), filepath.Join("testdata/benchfmt", files[1])
		}
		lines := compared(t, a, b)
		byName := map[string][]*line{} // in the order of units
		for i := range lines {
			byName[lines[i].name] = append(byName[lines[i].name], &lines[i])
		}
		for row := range strings.Lines(string(text)) {
			m := published.FindStringSubmatch(row)
			if m == nil {
				if strings.Contains(row, " n=") || strings.Contains(row, "(n=") {
					t.Errorf("%s: not understood: %s", answer, row)
				}
				continue
			}
			rows++
			if len(byName[m[1]]) == 0 {
				t.Errorf("%s: we have no such line: %s", answer, row)
				continue
			}
			l := byName[m[1]][0]
			byName[m[1]] = byName[m[1]][1:]
			old, new := l.medians()
			if !printed(t, old, m[2], m[3]) || !printed(t, new, m[5], m[6]) {
				t.Errorf("%s: medians %v and %v: %s", answer, old, new, row)
			}
			c := Flags{Level: 0.95}
			for side, reached := range map[string]string{c.amountText(old, l.unit, l.base): m[4], c.amountText(new, l.unit, l.other): m[7]} {
				if _, ours, _ := strings.Cut(side, "± "); strings.TrimSuffix(ours, " %") != reached && !l.exact {
					t.Errorf("%s: interval %s, published %s: %s", answer, side, reached, row)
				}
			}
			delta := strings.ReplaceAll(l.deltaText(), " ", "")
			if delta == "~" && strings.Contains(strings.Join(l.result.Warnings, ""), "with the correlation allowed for they do not") {
				heldBack++ // benchstat ignores the order of the values
			} else if delta != m[8] && !(delta == "~" && m[8] == "0.00%" && l.exact) {
				t.Errorf("%s: delta %s: %s", answer, delta, row)
			}
			if p := fmt.Sprintf("%.3f", l.result.P); !l.exact && p != m[9] {
				t.Errorf("%s: p %s: %s", answer, p, row)
			}
			if fmt.Sprint(len(l.other)) != m[10] {
				t.Errorf("%s: %d samples: %s", answer, len(l.other), row)
			}
		}
	}
	if rows != 89 || heldBack != 2 { // a benchmark in ns/op and in B/s
		t.Errorf("%d published rows were compared, %d of them are called correlated", rows, heldBack)
	}
}

func TestMediansHaveAllDigitsOfBenchstats(t *testing.T) {
	file, err := os.Open("testdata/benchfmt/crc_old_new.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	medians := map[[3]string]float64{}
	for _, l := range compared(t, "testdata/benchfmt/crc-old.txt", "testdata/benchfmt/crc-new.txt") {
		medians[[3]string{"crc-old.txt", l.name, l.unit}], medians[[3]string{"crc-new.txt", l.name, l.unit}] = l.medians()
	}
	r := csv.NewReader(file)
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	of, unit, n := "", "", 0
	for _, row := range rows {
		switch {
		case len(row) >= 2 && row[0] == "" && strings.HasSuffix(row[1], ".txt"):
			of = row[1]
		case len(row) >= 2 && row[0] == "":
			unit = row[1]
		case len(row) >= 3 && row[0] != "geomean":
			want, err := strconv.ParseFloat(row[1], 64)
			if err != nil {
				t.Fatal(err)
			}
			got := medians[[3]string{of, row[0], unit}]
			if math.Abs(got-want) > 1e-14*want {
				t.Errorf("%s %s %s: %v, benchstat %v", of, row[0], unit, got, want)
			}
			n++
		}
	}
	if n != 144 {
		t.Errorf("%d medians were compared", n)
	}
}

// goText returns benchmark text with the given ns/op of one benchmark.
func goText(name string, ns ...float64) string {
	var b strings.Builder
	for _, x := range ns {
		fmt.Fprintf(&b, "Benchmark%s-2 100 %v ns/op 16 B/op 1 allocs/op\n", name, x)
	}
	return b.String()
}

func scaled(f float64) []float64 {
	var x []float64
	for _, v := range []float64{100, 101, 99, 102, 98, 100.5, 99.5, 101.5, 98.5, 100.2} {
		x = append(x, v*f)
	}
	return x
}

func TestTheGateOfCompareDecidesTheExitCode(t *testing.T) {
	base := clitest.Write(t, "old", goText("A", scaled(1)...))
	for _, tt := range []struct {
		text string
		code int
		says string
	}{
		{goText("A", scaled(1.2)...), session.GateFailed, "gate failed: A-2 sec/op costs +20.0 %"},
		{goText("A", scaled(1.01)...), session.Done, "gate passed: 3 of 3"},
		{goText("A", scaled(0.5)...), session.Done, "gate passed"},
		{goText("A", scaled(1.05)...), session.Inconclusive, "gate undecided"},
		{goText("A", 120), session.Inconclusive, "-count=10"},
		{strings.ReplaceAll(goText("A", scaled(1)...), "1 allocs/op", "2 allocs/op"), session.GateFailed, "A-2 allocs/op"},
	} {
		other := clitest.Write(t, "new", tt.text)
		out, errout, code := strobe(t, "compare", base, other, "--gate", "5%")
		if code != tt.code || !strings.Contains(out, tt.says) {
			t.Errorf("exit %d, want %d with %q:\n%s%s", code, tt.code, tt.says, out, errout)
		}
		if _, _, code := strobe(t, "compare", base, other); code != session.Done {
			t.Errorf("without a gate: exit %d", code)
		}
	}
}

func TestAllocationsFromNothingFailTheGate(t *testing.T) {
	base := clitest.Write(t, "old", strings.ReplaceAll(goText("A", scaled(1)...), "1 allocs/op", "0 allocs/op"))
	other := clitest.Write(t, "new", goText("A", scaled(1)...))
	if out, _, code := strobe(t, "compare", base, other, "--gate=10%"); code != session.GateFailed || !strings.Contains(out, "from 0 to 1") {
		t.Errorf("exit %d\n%s", code, out)
	}
	if out, _, code := strobe(t, "compare", other, base, "--gate=10%"); code != session.Done {
		t.Errorf("the other way: exit %d\n%s", code, out)
	}
}

func TestCompareAsJSON(t *testing.T) {
	base, other := clitest.Write(t, "old", goText("A", scaled(1)...)), clitest.Write(t, "new", goText("A", scaled(1.2)...)+goText("B", 1))
	out, errout, code := strobe(t, "compare", base, other, "--json", "--gate", "5%")
	var o struct {
		Schema  int
		Results []struct {
			Name, Unit, Verdict string
			Delta, P            *float64
			Ratio               *struct{ Lo, Hi float64 }
			Base                struct {
				N      int
				Median float64
			}
		}
		Alone []string
		Gate  struct{ Outcome string }
	}
	if err := json.Unmarshal([]byte(out), &o); err != nil || code != session.GateFailed {
		t.Fatalf("exit %d, %v: %s%s", code, err, out, errout)
	}
	if o.Schema != 1 || len(o.Results) != 3 || len(o.Alone) != 3 || o.Gate.Outcome != "failed" {
		t.Errorf("%+v", o)
	}
	r := o.Results[0]
	if r.Verdict != "slower" || r.Base.N != 10 || r.Delta == nil || math.Abs(*r.Delta-0.2) > 1e-9 || r.P == nil || *r.P > 0.001 || r.Ratio == nil || r.Ratio.Lo < 1.1 {
		t.Errorf("%+v", r)
	}
	if v := o.Results[2].Verdict; v != "same" {
		t.Errorf("equal allocations are %q", v)
	}
}

func TestCompareSaysWhatIsWrongInOneLine(t *testing.T) {
	good, empty := clitest.Write(t, "good", goText("A", 1)), clitest.Write(t, "empty", "PASS\nok\n")
	for _, tt := range []struct {
		args  []string
		wants string
	}{
		{[]string{"nowhere", good}, "cannot read nowhere: it does not exist"},
		{[]string{good, empty}, "contains no benchmark"},
		{[]string{good, clitest.Write(t, "j", `{"schema": 99}`)}, "schema is 99"},
		{[]string{good, clitest.Write(t, "j", `{"schema": `)}, "not the JSON of strobe bench"},
		{[]string{good, clitest.Write(t, "b", goText("B", 1))}, "no benchmark in common"},
		{[]string{good, good, "--unit=parsecs"}, `in ["parsecs"]`},
		{[]string{"-", "-"}, "only one file can be standard input"},
		{[]string{good}, "give NEW too"},
		{[]string{good, good, "--gate=x"}, "5% or 0.05"},
		{[]string{good, clitest.Write(t, "long", strings.Repeat("x", 2<<20))}, "not benchmark text"},
	} {
		out, errout, code := strobe(t, append([]string{"compare"}, tt.args...)...)
		if code != session.Usage || out != "" || strings.Count(errout, "\n") != 1 || !strings.Contains(errout, tt.wants) {
			t.Errorf("%q: exit %d, %q, %q", tt.args, code, out, errout)
		}
	}
}

func TestALineThatCannotBeReadIsNamed(t *testing.T) {
	good := clitest.Write(t, "good", goText("A", 1))
	broken := clitest.Write(t, "broken", goText("A", 1)+"BenchmarkA-2 100 many ns/op\n")
	if _, errout, code := strobe(t, "compare", good, broken); code != session.Done || !strings.Contains(errout, `line 2: "many" is not a number`) {
		t.Errorf("exit %d, %q", code, errout)
	}
	if out, _, _ := strobe(t, "compare", good, broken, "--no-color"); !strings.Contains(strings.Join(strings.Fields(out), " "), "Note: 1 benchmark line could not be read and were skipped") {
		t.Errorf("%s", out)
	}
	if out, _, _ := strobe(t, "compare", good, broken, "--json"); !strings.Contains(out, `"skipped": [`) {
		t.Errorf("%s", out)
	}
	if out, errout, code := strobe(t, "compare", good, broken, "--strict"); code != session.Usage || out != "" || !strings.Contains(errout, `line 2: "many" is not a number`) {
		t.Errorf("--strict: exit %d, %q", code, errout)
	}
}

func TestAnotherProcessorIsPointedOut(t *testing.T) {
	a, b := clitest.Write(t, "a", "cpu: one\n"+goText("A", 1)), clitest.Write(t, "b", "cpu: two\n"+goText("A", 1))
	if out, _, _ := strobe(t, "compare", a, b); !strings.Contains(out, `cpu differs, "one" and "two"`) {
		t.Errorf("%q", out)
	}
}

func TestCompareFitsANarrowTerminal(t *testing.T) {
	name := strings.Repeat("LongName", 8)
	base, other := clitest.Write(t, "old", goText(name, scaled(1)...)), clitest.Write(t, "new", goText(name, scaled(1.2)...))
	for _, columns := range []int{60, 80, 160} {
		out, _, code := clitest.RunNarrow(t, columns, verbs()[0], "", "compare", base, other, "--gate=5%")
		if code != session.GateFailed || strings.Contains(out, "Omitted") != (columns < 160) || !strings.Contains(out, "+20.00 %") {
			t.Errorf("%d columns: exit %d\n%s", columns, code, out)
		}
		clitest.Fits(t, strings.Join(strings.Split(out, "\ngate ")[:1], ""), 40, columns)
	}
}

// If there are too many files, the last ones are left out, their differences first. Names break at '/'.
func TestCompareOfManyFilesFitsANarrowTerminal(t *testing.T) {
	const name = "Encode/size=1024/kind=small/and=more"
	text := func(by float64) string {
		return "pkg: example.com/some/module/internal/thing\n" + goText(name, scaled(by)...)
	}
	args := []string{"compare", "--gate=5%"}
	for i, by := range []float64{1, 1.2, 1.3, 1.4} {
		args = append(args, clitest.Write(t, fmt.Sprint("f", i), text(by)))
	}
	files := args[2:]
	t.Chdir(filepath.Dir(filepath.Dir(files[0])))
	for i, file := range files {
		files[i], _ = filepath.Rel(filepath.Dir(filepath.Dir(file)), file)
	}
	out, _, code := clitest.RunNarrow(t, 60, verbs()[0], "", args...)
	table, rest, _ := strings.Cut(out, "Omitted")
	if code != session.GateFailed || !strings.Contains(table, files[1]) || !strings.Contains(table, "+20.00 %") || strings.Contains(table, files[3]) ||
		!strings.Contains(strings.Join(strings.Fields(rest), " "), "ratio, 95 %, p, delta, "+files[3]) || !strings.Contains(strings.Join(strings.Fields(rest), " "), "sec/op in "+files[3]) {
		t.Errorf("exit %d\n%s", code, out)
	}
	for line := range strings.Lines(table) {
		first, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.Contains(line, "…") || !strings.Contains("pkg: example.com/some/module/internal/thing sec/op B/op allocs/op "+name+" geomean", strings.TrimSuffix(first, "-2")) {
			t.Errorf("%q", line)
		}
	}
	clitest.Fits(t, table, 40, 60)
}

// Many benchmarks, of which a few changed: these are shown, and the output says what is left out. The geomean is over all.
func TestCompareOfManyBenchmarksIsBounded(t *testing.T) {
	const n, changed = 600, 10
	var base, latest strings.Builder
	for i := range n {
		ns := 100
		if i%(n/changed) == 3 {
			ns = 200 + i
		}
		for run := range 6 {
			fmt.Fprintf(&base, "BenchmarkB%d 100 %d ns/op\n", i, 100+run%2)
			fmt.Fprintf(&latest, "BenchmarkB%d 100 %d ns/op\n", i, ns+run%2)
		}
		fmt.Fprintf(&base, "BenchmarkGone%d 100 1 ns/op\n", i)
	}
	a, b := clitest.Write(t, "a.txt", base.String()), clitest.Write(t, "b.txt", latest.String())
	out, _, code := clitest.Run(t, verbs()[0], "", "compare", "--gate=5%", a, b)
	flat := strings.Join(strings.Fields(out), " ")
	if code == session.Done || strings.Count(out, "\n") > mostRows+10*mostListed || !strings.Contains(flat, "60 of 600 rows, those that changed most; geomeans are over all. --all has the others too") {
		t.Errorf("exit %d, %d lines: %s", code, strings.Count(out, "\n"), out[max(0, len(out)-3000):])
	}
	for i := 3; i < n; i += n / changed {
		if !strings.Contains(out, fmt.Sprintf("\nB%d ", i)) {
			t.Errorf("B%d changed, and is not shown", i)
		}
	}
	if whole, _, _ := clitest.Run(t, verbs()[0], "", "compare", "--gate=5%", "--all", a, b); strings.Count(whole, "\n") < 2*n || strings.Contains(whole, "rows, those") || geomeanOf(t, whole) != geomeanOf(t, out) {
		t.Errorf("%d lines with --all", strings.Count(whole, "\n"))
	}
}

// geomeanOf returns the values of the row of the geomean.
func geomeanOf(t *testing.T, out string) string {
	t.Helper()
	_, rest, found := strings.Cut(out, "\ngeomean")
	row, _, _ := strings.Cut(rest, "\n")
	if !found {
		t.Errorf("no geomean in %.1000s", out)
	}
	return strings.Join(strings.Fields(row), " ")
}
