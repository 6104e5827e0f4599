// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// verbs is a command with this verb alone.
func verbs() []cli.Verb { return []cli.Verb{{Name: "stat", Command: new(Command)}} }

// strobe runs the verb in process.
func strobe(t *testing.T, args ...string) (out, errout string, code int) {
	t.Helper()
	return clitest.Run(t, verbs()[0], "", args...)
}

// strobeIn runs the verb in process, with text on standard input.
func strobeIn(t *testing.T, text string, args ...string) (out, errout string, code int) {
	t.Helper()
	return clitest.Run(t, verbs()[0], text, args...)
}

func TestHelpIsShort(t *testing.T) { clitest.Help(t, verbs()[0], 45) }

// ticks returns correlated numbers, one a line.
func ticks(n int, suffix string) string {
	var b strings.Builder
	r := rand.New(rand.NewPCG(1, 2))
	x := 0.0
	for range n {
		x = 0.8*x + r.NormFloat64()
		fmt.Fprintf(&b, "%.4f%s\n", 16+x, suffix)
	}
	return b.String()
}

// skeleton returns the parts of a text that do not depend on its figures.
func skeleton(text string) string {
	text = regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?`).ReplaceAllString(text, "9")
	return regexp.MustCompile(` {2,}`).ReplaceAllString(text, "  ")
}

// The layout is compared with a golden file; the packages test the figures.
func TestStatShowsASummary(t *testing.T) {
	out, errout, code := strobeIn(t, ticks(5000, "ms"), "stat")
	if code != session.Done || errout != "" {
		t.Fatalf("exit %d, %q", code, errout)
	}
	text, _, _ := strings.Cut(out, "histogram")
	clitest.Golden(t, *update, "stat.txt", skeleton(text))
	for line := range strings.Lines(out) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestStatOfAFileAndOfStandardInputAreTheSame(t *testing.T) {
	text := ticks(100, "")
	file := filepath.Join(t.TempDir(), "numbers")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	a, _, _ := strobeIn(t, text, "stat", "--json")
	b, _, _ := strobeIn(t, text, "stat", "-", "--json")
	c, _, _ := strobe(t, "stat", file, "--json")
	if a != b || a != c || a == "" {
		t.Errorf("%s\n%s\n%s", a, b, c)
	}
}

func TestStatJSONCarriesAllDigitsAndNothingUnknown(t *testing.T) {
	out, _, code := strobeIn(t, ticks(5000, ""), "stat", "--json", "--quantiles=0.5,0.99", "--level=99%")
	if code != session.Done {
		t.Fatal(code)
	}
	var o struct {
		Schema, N         int
		Mean, StdDev      float64
		Lag1, Min, Max    float64
		Interval          map[string]any
		Quantiles         map[string]float64
		QuantileIntervals map[string]map[string]any `json:"quantile_intervals"`
	}
	if err := json.Unmarshal([]byte(out), &o); err != nil {
		t.Fatal(err)
	}
	if o.Schema != 1 || o.N != 5000 || math.Abs(o.Mean-16) > 0.5 || math.Abs(o.StdDev-1.667) > 0.1 || math.Abs(o.Lag1-0.8) > 0.05 || o.Min >= o.Max {
		t.Errorf("%+v", o)
	}
	for _, iv := range []map[string]any{o.Interval, o.QuantileIntervals["0.5"], o.QuantileIntervals["0.99"]} {
		for _, key := range []string{"center", "lo", "hi", "level", "n", "n_eff"} {
			if _, ok := iv[key].(float64); !ok {
				t.Errorf("no %s in %v", key, iv)
			}
		}
		if iv["level"] != 0.99 || iv["method"] == "" {
			t.Errorf("%v", iv)
		}
	}
	if len(o.Quantiles) != 2 || len(o.QuantileIntervals) != 2 {
		t.Errorf("%v", o.Quantiles)
	}
	out, _, _ = strobeIn(t, "0.1\n0.2\n0.3\n", "stat", "--json")
	if !strings.Contains(out, `"mean": 0.2,`) || !strings.Contains(out, `"stddev": 0.1,`) {
		t.Errorf("decimals are not exact: %s", out)
	}
	out, _, _ = strobeIn(t, "7\n", "stat", "--json")
	for _, key := range []string{"stddev", "lag1", `"lo"`, `"hi"`, `"level"`, "null"} {
		if strings.Contains(out, key) {
			t.Errorf("one sample has %s: %s", key, out)
		}
	}
	if !strings.Contains(out, `"reason": "needs at least 2`) {
		t.Errorf("no reason in %s", out)
	}
}

func TestStatSaysWhatIsDamagedAndGoesOn(t *testing.T) {
	for _, c := range []struct {
		text, args string
		code       int
		errs       string // the lines on standard error, each ending in |
		n          string // in the result; empty for none
	}{
		{"1\nfoo\n3\n", "", session.Done, `strobe stat: standard input: line 2: "foo" is not a number; skipped|`, "n         2"},
		{"1\nfoo\n3\nbar\n5\n", "-", session.Usage, `strobe stat: standard input: line 2: "foo" is not a number; and 1 more line; skipped|strobe stat: standard input: 2 of 5 lines (40 %) hold no number; the result is from the others (see --max-damaged)|`, "n         3"},
		{"1\nfoo\n3\nbar\n5\n", "- --max-damaged=40%", session.Done, `strobe stat: standard input: line 2: "foo" is not a number; and 1 more line; skipped|`, "n         3"},
		{"1\nfoo\n3\n", "--strict", session.Usage, `strobe stat: standard input: line 2: "foo" is not a number; skipped|strobe stat: standard input: 1 of 3 lines (33 %) hold no number; the result is from the others (see --max-damaged)|`, "n         2"},
		{strings.Repeat("1\n2\n", 100) + "foo\nbar\n", "", session.Done, `strobe stat: standard input: line 201: "foo" is not a number; and 1 more line; skipped|`, "n         200"},
		{strings.Repeat("1\n2\n", 100) + "foo\nbar\n", "--strict", session.Usage, `strobe stat: standard input: line 201: "foo" is not a number; and 1 more line; skipped|strobe stat: standard input: 2 of 202 lines (0.99 %) hold no number; the result is from the others (see --max-damaged)|`, "n         200"},
		{"foo\nbar\n3\n", "", session.Usage, `strobe stat: standard input: line 1: "foo" is not a number; and 1 more line; skipped|strobe stat: standard input: 2 of 3 lines (67 %) hold no number; the result is from the others (see --max-damaged)|`, "n         1"},
		{"foo\n", "", session.Usage, `strobe stat: standard input: line 1: "foo" is not a number|strobe stat: standard input contains no number|`, ""},
		{"a,b\n1,2\n", "", session.Usage, `strobe stat: standard input: line 1: "a,b" is not a number; and 1 more line; choose a column with --column NAME|strobe stat: standard input contains no number|`, ""},
		{"", "", session.Usage, "strobe stat: standard input contains no number|", ""},
		{"\n#1\n", "", session.Usage, "strobe stat: standard input contains no number|", ""},
		{"a\nNA\n\n", "--column=a", session.Usage, "strobe stat: standard input contains no number|", ""},
		{"a,b\n1,2\n", "--column=c", session.Usage, `strobe stat: standard input: no column "c"; the columns are: a, b|`, ""},
		{"a,b\n1,2\nx\n3,NA\n5,6\n", "--column=b", session.Done, `strobe stat: standard input: line 3: "x" has no column 2; skipped|`, "n         2"},
		{"1\n", "/nonexistent/file", session.Usage, "strobe stat: cannot read /nonexistent/file: it does not exist|", ""},
		{"1\n", ".", session.Usage, "strobe stat: . is a directory; give a file|", ""},
		{"\xfe\xff\x001", "", session.Usage, "strobe stat: standard input: is UTF-16; convert it first, as with iconv -f UTF-16 -t UTF-8|", ""},
		{"1\n", "--method=bayes", session.Usage, `strobe stat: --method: "bayes" is not a method; the methods are batch-means, plain, geyer, bootstrap, student-t, normal (see strobe stat --help)|`, ""},
		{"1\n", "--level=1", session.Usage, `strobe stat: --level: "1" is not a confidence level; give a probability above 0 and below 1, such as 0.95 or 95% (see strobe stat --help)|`, ""},
		{"1\n", "--level=NaN", session.Usage, `strobe stat: --level: "NaN" is not a confidence level; give a probability above 0 and below 1, such as 0.95 or 95% (see strobe stat --help)|`, ""},
		{"1\n", "--quantiles=0.5,", session.Usage, `strobe stat: --quantiles: "" is not a quantile; give numbers above 0 and below 1, such as 0.5,0.99 (see strobe stat --help)|`, ""},
		{"1\n", "one two", session.Usage, `strobe stat: unexpected argument two (see strobe stat --help)|`, ""},
	} {
		out, errout, code := strobeIn(t, c.text, append([]string{"stat"}, strings.Fields(c.args)...)...)
		if code != c.code || strings.ReplaceAll(errout, "\n", "|") != c.errs || !strings.HasPrefix(out, c.n) || c.n == "" && out != "" {
			t.Errorf("%q %s: exit %d\n got %q\nwant %q\n%s", c.text, c.args, code, strings.ReplaceAll(errout, "\n", "|"), c.errs, out)
		}
	}
}

func TestStatNamesItsMethod(t *testing.T) {
	text := ticks(2000, "")
	for method, want := range map[string]string{
		"batch-means": "batch means, equivalent", "plain": "batch means, Student t, equivalent", "GEYER": "Geyer", "bootstrap": "stationary bootstrap", "student-t": "Student t", "normal": "normal",
	} {
		out, errout, code := strobeIn(t, text, "stat", "--method", method)
		if code != session.Done || errout != "" || !strings.Contains(strings.Join(strings.Fields(out), " "), "95 % interval by "+want) {
			t.Errorf("%s: exit %d, %q, %s", method, code, errout, out)
		}
	}
	out, _, _ := strobeIn(t, text, "stat", "--method=plain")
	if strings.Count(out, "Note: ") != 1 || !strings.Contains(out, "has no warnings") {
		t.Errorf("the plain method warns, or does not say that it cannot: %s", out)
	}
	out, _, _ = strobeIn(t, text, "stat", "--method=student-t")
	if !strings.Contains(out, "Note: ") || !strings.Contains(out, "use --method batch-means") {
		t.Errorf("no warning that ticks are correlated: %s", out)
	}
}

func TestStatReportsWhatItLeavesOutAsWarmUp(t *testing.T) {
	var b strings.Builder
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 2000 {
		fmt.Fprintf(&b, "%.4f\n", 10+20*math.Exp(-float64(i)/50)+r.NormFloat64())
	}
	out, _, code := strobeIn(t, b.String(), "stat", "--drop-warm-up")
	if code != session.Done || !regexp.MustCompile(`Note: the first [1-9][0-9]+ numbers are left out as warm-up, by MSER-5`).MatchString(out) || strings.HasPrefix(out, "n         2000") {
		t.Errorf("exit %d, %s", code, out)
	}
	out, _, _ = strobeIn(t, "1\n2\n3\n", "stat", "--drop-warm-up", "--json")
	if !strings.Contains(out, `"dropped_as_warm_up": 0`) {
		t.Errorf("%s", out)
	}
}

func TestStatInterruptedPrintsWhatItHas(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for range 3 {
			io.WriteString(w, ticks(10, ""))
		}
		cancel()
	}()
	var o, e bytes.Buffer
	code := cli.Run(ctx, verbs(), []string{"stat", "--json"}, r, &o, &e)
	if code != session.Interrupted || e.Len() > 0 || !strings.Contains(o.String(), `"interrupted": true`) {
		t.Errorf("exit %d, %q, %s", code, e.String(), o.String())
	}
}

func TestStatSaysInItsResultThatLinesWereSkipped(t *testing.T) {
	const text = "10\nfoo\n11\n"
	out, _, _ := strobeIn(t, text, "stat")
	if !strings.Contains(strings.Join(strings.Fields(out), " "), `Note: 1 of 3 lines (33 %) hold no number and were skipped, the first is line 2: "foo" is not a number`) {
		t.Errorf("%s", out)
	}
	out, _, _ = strobeIn(t, text, "stat", "--json")
	var o struct {
		Damaged uint64 `json:"damaged_lines"`
		Notes   []string
	}
	if err := json.Unmarshal([]byte(out), &o); err != nil || o.Damaged != 1 || len(o.Notes) == 0 || !strings.Contains(o.Notes[0], "were skipped") {
		t.Errorf("%v, %s", err, out)
	}
}

func TestStatNeverHidesTheMean(t *testing.T) {
	out, _, _ := strobeIn(t, "10\n20\n55.2\n137\n", "stat", "--quantiles=0.9")
	for _, want := range []string{"\nmean      60 [0, 150]\n", "\n  p90     112.5, no interval: "} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

func TestStatFitsANarrowTerminal(t *testing.T) {
	out, _, _ := clitest.RunNarrow(t, 60, verbs()[0], ticks(300, "ms")+"foo\n", "stat")
	clitest.Fits(t, out, 60, 60)
}

// stepped returns numbers whose level changes at the number at, from 1.
func stepped(n, at int) string {
	var b strings.Builder
	r := rand.New(rand.NewPCG(4, 4))
	for i := range n {
		level := 10.0
		if i+1 >= at {
			level = 13
		}
		fmt.Fprintf(&b, "%.3fms\n", level+0.5*r.NormFloat64())
	}
	return b.String()
}

func TestStatDrawsTheOrderAndSaysWhatItMeans(t *testing.T) {
	out, _, code := strobeIn(t, stepped(900, 412), "stat")
	plain := strings.Join(strings.Fields(out), " ")
	at := regexp.MustCompile(`the level changed at about number (\d+), by \+(\S+) ms, so the mean describes neither part\. next: find what happened there`).FindStringSubmatch(plain)
	if code != session.Done || at == nil {
		t.Fatalf("exit %d\n%s", code, out)
	}
	if n, _ := strconv.Atoi(at[1]); n < 400 || n > 424 {
		t.Errorf("the level changed at 412, and not at %d", n)
	}
	_, picture, _ := strings.Cut(out, "order  range and mean of each 8 numbers")
	lines := strings.Split(picture, "\n")[1:]
	edge := strings.Index(lines[rows], "▲")
	first, last := lines[0], lines[rows-1]
	if edge < 0 || strings.Contains(first[:edge], "●") || strings.Contains(lines[rows], "●") || len([]rune(last)) > edge+3 {
		t.Errorf("the picture has no step where the arrow is:\n%s", picture)
	}
	for _, c := range []struct{ text, want string }{
		{ticks(5000, "ms"), "the true mean probably lies between"},
		{"1\n2\n3\n", "next: record at least 16 numbers; these are 3."},
		{strings.Repeat("7\n", 40), "all numbers are the same. next: nothing."},
		{ticks(20, ""), "20 are too few to rule out that neighbours are correlated"},
		{skewed(60), "a few large numbers dominate the mean"},
		{drifting(1000), "the numbers drifted by +"},
		{endless(3000), "may have no true mean at all. next: quote the median, 2."},
	} {
		out, _, _ := strobeIn(t, c.text, "stat")
		if plain := strings.Join(strings.Fields(out), " "); !strings.Contains(plain, c.want) {
			t.Errorf("no %q in\n%s", c.want, out)
		}
		clitest.Fits(t, out, 70, 80)
	}
	out, _, _ = strobeIn(t, stepped(900, 412), "stat", "--json")
	if !strings.Contains(out, `"meaning": "the level changed at about number 4`) || !strings.Contains(out, `"next": "find what happened`) {
		t.Errorf("%s", out)
	}
}

func TestTheMedianIsOfferedWhereAFewNumbersDecideTheMean(t *testing.T) {
	for _, quantiles := range []string{"0.9", "0.5,0.99"} { // with the median requested, and without
		args := []string{"stat", "--quantiles", quantiles}
		out, _, code := strobeIn(t, skewed(60), args...)
		head, _, _ := strings.Cut(out, "quantiles")
		if code != session.Done || !strings.Contains(head, "\ninstead   ") || !strings.Contains(head, ", the median: a few large numbers determine the mean\n") {
			t.Errorf("exit %d\n%s", code, out)
		}
		if strings.Contains(out, "\n  p50 ") != (quantiles != "0.9") || !strings.Contains(out, "quote the median, ") {
			t.Errorf("%s:\n%s", quantiles, out)
		}
		out, _, _ = strobeIn(t, skewed(60), append(args, "--json")...)
		var o struct {
			Instead *struct{ Lo, Center, Hi, Level float64 } `json:"median_instead"`
		}
		if err := json.Unmarshal([]byte(out), &o); err != nil || o.Instead == nil || !(o.Instead.Lo < o.Instead.Center && o.Instead.Center < o.Instead.Hi) || o.Instead.Level != 0.95 {
			t.Errorf("%v: %+v", err, o.Instead)
		}
	}
	if out, _, _ := strobeIn(t, ticks(600, ""), "stat"); strings.Contains(out, "instead") {
		t.Errorf("numbers without a tail:\n%s", out)
	}
}

func skewed(n int) string {
	var b strings.Builder
	r := rand.New(rand.NewPCG(2, 2))
	for range n {
		fmt.Fprintf(&b, "%.6f\n", math.Exp(2*r.NormFloat64()))
	}
	return b.String()
}

// endless returns Pareto numbers with an exponent of 0.9, whose mean is infinite.
func endless(n int) string {
	var b strings.Builder
	r := rand.New(rand.NewPCG(4, 4))
	for range n {
		fmt.Fprintf(&b, "%.6f\n", math.Pow(1-r.Float64(), -1/0.9))
	}
	return b.String()
}

func drifting(n int) string {
	var b strings.Builder
	r := rand.New(rand.NewPCG(2, 2))
	for i := range n {
		fmt.Fprintf(&b, "%.6f\n", 10+4*float64(i)/float64(n)+r.NormFloat64())
	}
	return b.String()
}

func TestStatExplainsEachTermOnce(t *testing.T) {
	out, _, code := strobeIn(t, ticks(500, ""), "stat", "--explain")
	for _, term := range []string{"mean", "interval", "batch means", "independent samples", "sd", "lag-1", "skewness", "excess kurtosis", "quantile", "stationary"} {
		if n := strings.Count(out, "\n- "+term+": "); code != session.Done || n != 1 {
			t.Errorf("exit %d, %q is explained %d times", code, term, n)
		}
	}
	if out, _, _ := strobeIn(t, ticks(500, ""), "stat"); strings.Contains(out, "terms") {
		t.Error("terms are explained without --explain")
	}
}

func TestStatHasOneLagOnAPage(t *testing.T) {
	out, _, _ := strobeIn(t, ticks(60, ""), "stat")
	if strings.Count(out, "lag-1") != 1 {
		t.Errorf("%s", out)
	}
}

func TestAPictureOfFewNumbersShowsEachOfThem(t *testing.T) {
	if out, _, _ := strobeIn(t, stepped(40, 20), "stat"); !strings.Contains(out, "order  each number, from the first on\n") {
		t.Errorf("%s", out)
	}
}

// An arrow marks a spike that is outside the range of the plot, and its size is given below.
func TestThePlotShowsEverySpike(t *testing.T) {
	for _, c := range []struct {
		arrow string
		size  float64
		want  string
	}{{"↑", 500, "↑ numbers above the plot, up to 500 ms"}, {"↓", -300, "↓ numbers below the plot, down to -300 ms"}} {
		for _, n := range []int{40, 3000} {
			var b strings.Builder
			r := rand.New(rand.NewPCG(6, 6))
			for i := range n {
				v := 10 + r.NormFloat64()
				if i == n*3/4 {
					v = c.size
				}
				fmt.Fprintf(&b, "%.3fms\n", v)
			}
			out, _, code := strobeIn(t, b.String(), "stat")
			plain := strings.Join(strings.Fields(out), " ")
			if above := c.size > 0; above != strings.Contains(plain, "next: find what causes the spikes, and quote the median, ") {
				t.Errorf("n=%d: spikes above: %v\n%s", n, above, out)
			}
			if code != session.Done || !strings.Contains(plain, c.want) {
				t.Errorf("n=%d: exit %d, no %q in\n%s", n, code, c.want, out)
				continue
			}
			width, axis, place := 0, 0, 0
			for line := range strings.Lines(out) {
				if before, picture, ok := strings.Cut(line, "│"); ok {
					axis = utf8.RuneCountInString(before) + 1
					width = max(width, utf8.RuneCountInString(strings.TrimRight(picture, "\n")))
				}
				if strings.TrimSpace(line) == c.arrow {
					place = utf8.RuneCountInString(line[:strings.Index(line, c.arrow)])
				}
			}
			if at := float64(place-axis) / float64(width); at < 0.7 || at > 0.8 {
				t.Errorf("n=%d: the arrow is at %.2f of the width, want 0.75\n%s", n, at, out)
			}
		}
	}
	if out, _, _ := strobeIn(t, ticks(3000, "ms"), "stat"); strings.ContainsAny(out, "↑↓") {
		t.Errorf("numbers without a spike:\n%s", out)
	}
}

// Each state of the numbers has its own meaning and next step.
func TestStatSaysWhatEachWarningMeansAndWhatToDo(t *testing.T) {
	periodic, spiky, slow := new(strings.Builder), new(strings.Builder), new(strings.Builder)
	r := rand.New(rand.NewPCG(7, 7))
	level := 0.0
	for i := range 600 {
		v := 10 + r.NormFloat64()
		fmt.Fprintf(periodic, "%.4f\n", v+20*math.Floor(float64(i%20)/19))
		if i == 333 {
			v = 900
		}
		fmt.Fprintf(spiky, "%.4f\n", v)
		level = 0.995*level + r.NormFloat64()
		fmt.Fprintf(slow, "%.4f\n", 100+level*(0.5+math.Abs(math.Sin(float64(i)/40)))+10*math.Sin(float64(i)/70))
	}
	for _, c := range []struct{ name, text, args, meaning, next string }{
		{"trend", drifting(1000), "", "the numbers drifted by", "wait until the program has settled"},
		{"period", periodic.String(), "", "a pattern repeats every", "find what comes at that pace"},
		{"spike", spiky.String(), "", "a few numbers far above all others determine the mean", "find what causes the spikes"},
		{"slow", slow.String(), "", "numbers are correlated over stretches longer", "record at least ten times as long, 6000 numbers"},
		{"neighbours", ticks(2000, ""), "--method=student-t", "neighbouring numbers are correlated", "use --method batch-means"},
	} {
		out, _, _ := strobeIn(t, c.text, append([]string{"stat"}, strings.Fields(c.args)...)...)
		plain := strings.Join(strings.Fields(out), " ")
		if !strings.Contains(plain, "meaning: "+c.meaning) || !strings.Contains(plain, "next: "+c.next) {
			t.Errorf("%s: no %q and %q in\n%s", c.name, c.meaning, c.next, out)
		}
	}
}
