// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/benchtext"
	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
	"github.com/strobe-go/strobe/cmd/strobe/internal/flags"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
)

// verbs is a command with this verb alone.
func verbs() []cli.Verb { return []cli.Verb{{Name: "bench", Command: new(Command)}} }

// strobe runs the verb in process.
func strobe(t *testing.T, args ...string) (out, errout string, code int) {
	t.Helper()
	return clitest.Run(t, verbs()[0], "", args...)
}

func TestHelpIsShort(t *testing.T) { clitest.Help(t, verbs()[0], 88) }

// TestHelper is the command that is measured: this test binary, told what to do by the words after --.
func TestHelper(t *testing.T) {
	args := os.Args[slices.Index(os.Args, "--")+1:]
	if os.Getenv("STROBE_HELPER") == "" || len(args) < 2 {
		t.Skip("a part of another test: the command that it measures")
	}
	switch args[0] {
	case "exit":
		code, _ := strconv.Atoi(args[1])
		os.Exit(code)
	case "sleep":
		d, _ := time.ParseDuration(args[1])
		time.Sleep(d)
	case "once": // a second run fails
		if _, err := os.Stat(args[1]); err == nil {
			os.Exit(9)
		}
		os.WriteFile(args[1], nil, 0o666)
	case "append":
		f, err := os.OpenFile(args[1], os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			os.Exit(1)
		}
		f.WriteString(strings.Join(args[2:], " ") + "\n")
		f.Close()
	case "print":
		fmt.Println(args[1])
	case "copy":
		io.Copy(os.Stdout, os.Stdin)
	case "complain":
		fmt.Fprintln(os.Stderr, args[1])
		os.Exit(7)
	}
	os.Exit(0)
}

// helper returns the words of a command that does what TestHelper does with args.
func helper(t *testing.T, args ...string) string {
	t.Helper()
	t.Setenv("STROBE_HELPER", "1")
	t.Setenv("GORACE", "atexit_sleep_ms=0") // otherwise each would end a second late under the race detector
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	return command.Join(append([]string{self, "-test.run=^TestHelper$", "--"}, args...))
}

// benchJSON runs strobe bench --json.
func benchJSON(t *testing.T, args ...string) (o benchObject, errout string, code int) {
	t.Helper()
	out, errout, code := strobe(t, append([]string{"bench", "--json", "--warmup=0"}, args...)...)
	if err := json.Unmarshal([]byte(out), &o); err != nil {
		t.Fatalf("%v in %q, %q", err, out, errout)
	}
	return o, errout, code
}

// longer returns how long a helper must sleep to be slower than another, even on a busy machine.
func longer(t *testing.T) string {
	t.Helper()
	words, err := command.Split(helper(t, "exit", "0"))
	if err != nil {
		t.Fatal(err)
	}
	most := 50 * time.Millisecond
	for range 5 {
		begin := time.Now()
		if err := exec.Command(words[0], words[1:]...).Run(); err != nil {
			t.Fatal(err)
		}
		most = max(most, time.Since(begin))
	}
	return (2 * most).String()
}

func TestBenchFindsTheSlowerCommand(t *testing.T) {
	search := func() (benchObject, string, int) {
		return benchJSON(t, helper(t, "exit", "0"), helper(t, "sleep", longer(t)), "--runs=24", "--name=quick", "--name=slow", "--gate=50%")
	}
	o, errout, code := search()
	for range 4 {
		if code != session.GateFailed { // correct if other programs take most of the time
			o, errout, code = search()
		}
	}
	if code != session.GateFailed || o.Schema != 1 || len(o.Commands) != 2 || len(o.Comparisons) != 1 || !strings.Contains(errout, "gate of 50 % failed") {
		t.Fatalf("exit %d, %+v, %q", code, o, errout)
	}
	for i, c := range o.Commands {
		if c.Runs != 24 || len(c.Times) != 24 || c.Mean == nil || *c.Mean <= 0 || c.Interval == nil || c.Interval.N != 24 || c.Name != []string{"quick", "slow"}[i] {
			t.Errorf("%+v", c)
		}
	}
	c := o.Comparisons[0]
	if c.Base != "quick" || c.Other != "slow" || c.Verdict != decide.Slower || *c.Ratio <= 1 || *c.Lo > *c.Ratio || *c.Hi < *c.Ratio || c.Rounds != 24 {
		t.Errorf("%+v", c)
	}
	if o.Gate == nil || o.Gate.Outcome != decide.Failed || len(o.Gate.Reasons) != 1 {
		t.Errorf("%+v", o.Gate)
	}
	if out, _, code := strobe(t, "bench", helper(t, "sleep", "100ms"), helper(t, "exit", "0"), "--runs=10", "--gate=5%"); code == session.GateFailed || !strings.Contains(out, "\ngate ") {
		t.Errorf("the other way: exit %d\n%s", code, out)
	}
}

func TestTooFewRunsAreInconclusive(t *testing.T) {
	a := helper(t, "exit", "0")
	o, _, code := benchJSON(t, a, a, "--runs=2", "--gate=5%")
	if code != session.Inconclusive || o.Comparisons[0].Verdict != decide.Inconclusive || o.Comparisons[0].Ratio != nil || o.Comparisons[0].Reason == "" || o.Gate.Outcome != decide.Undecided {
		t.Errorf("exit %d, %+v", code, o)
	}
}

func TestAFailingCommandKeepsWhatWasGathered(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "mark")
	o, errout, code := benchJSON(t, helper(t, "exit", "0"), helper(t, "once", mark), "--runs=5", "--seed=1", "--no-counters")
	if code != session.CommandFailed || o.Commands[1].Runs != 1 || len(o.Commands[1].Times) != 1 || o.Commands[0].Runs < 1 || o.Failure == "" {
		t.Errorf("exit %d, %+v", code, o)
	}
	if strings.Count(errout, "\n") != 1 || !strings.Contains(errout, "exited with code 9") {
		t.Errorf("%q", errout)
	}
	if out, _, code := strobe(t, "bench", "--warmup=0", "no-such-program-anywhere"); code != session.CommandFailed || !strings.Contains(out, "no runs") {
		t.Errorf("a missing program: exit %d, %q", code, out)
	}
	if o, _, code := benchJSON(t, helper(t, "exit", "3"), "--runs=2", "--ignore-failure"); code != session.Done || o.Commands[0].Runs != 2 {
		t.Errorf("ignored: exit %d, %+v", code, o)
	}
}

func TestInterruptedBenchPrintsWhatWasGathered(t *testing.T) {
	for _, flag := range []string{"--json", "--no-color"} {
		ctx, cancel := context.WithCancel(t.Context())
		mark := filepath.Join(t.TempDir(), "mark")
		cmd := helper(t, "append", mark, "x")
		go func() {
			for { // until there were three runs
				if text, _ := os.ReadFile(mark); len(text) >= 6 {
					cancel()
					return
				}
				time.Sleep(2 * time.Millisecond)
			}
		}()
		var o, e bytes.Buffer
		code := cli.Run(ctx, verbs(), []string{"bench", cmd, "--warmup=0", "--precision=0", "--max-time=0", flag}, nil, &o, &e)
		if code != session.Interrupted || e.Len() != 0 || !strings.Contains(o.String(), "mean") {
			t.Errorf("exit %d, %q, %q", code, o.String(), e.String())
		}
	}
}

func TestParametersMultiply(t *testing.T) {
	c := Flags{Commands: []string{"echo {a} {b}", "print {a}"}, Param: []string{"a=1,2", "b=0..1:0.5"}, Prepare: []string{"touch {b}"}}
	jobs, err := c.plan()
	if err != nil || len(jobs) != 12 {
		t.Fatalf("%d jobs, %v", len(jobs), err)
	}
	if j := jobs[10]; j.name != "echo 2 1.0" || !slices.Equal(j.args, []string{"echo", "2", "1.0"}) || !slices.Equal(j.prepare, []string{"touch", "1.0"}) || j.cleanup != nil {
		t.Errorf("%+v", j)
	}
	if j := jobs[5]; j.name != "print 1 b=0.5" {
		t.Errorf("%q does not tell its parameters", j.name)
	}
	c.Name = []string{"first", "second"}
	if jobs, _ = c.plan(); jobs[11].name != "second a=2 b=1.0" {
		t.Errorf("%q", jobs[11].name)
	}
}

func TestPrepareAndCleanupRunWhenTheyShould(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	_, errout, code := strobe(t, "bench", helper(t, "append", log, "run {p}"), "--param=p=1,2", "--runs=2", "--warmup=1", "--seed=5",
		"--prepare", helper(t, "append", log, "before {p}"), "--cleanup", helper(t, "append", log, "after {p}"))
	if code != session.Done {
		t.Fatalf("exit %d, %q", code, errout)
	}
	text, _ := os.ReadFile(log)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 14 || lines[12] != "after 1" || lines[13] != "after 2" {
		t.Fatalf("%q", lines)
	}
	for i := 0; i < 12; i += 2 {
		if lines[i] != strings.Replace(lines[i+1], "run", "before", 1) {
			t.Errorf("%q before %q", lines[i], lines[i+1])
		}
	}
	if _, errout, code = strobe(t, "bench", helper(t, "exit", "0"), "--runs=1", "--cleanup", helper(t, "exit", "4")); code != session.Done || !strings.Contains(errout, "--cleanup: ") {
		t.Errorf("a failing cleanup: exit %d, %q", code, errout)
	}
	if _, errout, code = strobe(t, "bench", helper(t, "exit", "0"), "--runs=1", "--prepare", helper(t, "exit", "4")); code != session.CommandFailed || !strings.Contains(errout, "--prepare: ") {
		t.Errorf("a failing preparation: exit %d, %q", code, errout)
	}
}

func TestOutputGoesToStandardErrorWhenAskedFor(t *testing.T) {
	cmd := helper(t, "print", "hello")
	if out, errout, _ := strobe(t, "bench", cmd, "--runs=1", "--warmup=0", "--show-output"); errout != "hello\n" || strings.Contains(out, "\nhello") {
		t.Errorf("%q, %q", out, errout)
	}
	if _, errout, _ := strobe(t, "bench", cmd, "--runs=1"); errout != "" {
		t.Errorf("%q", errout)
	}
}

func TestSequentialRunsHaveNoVerdict(t *testing.T) {
	a := helper(t, "exit", "0")
	o, _, code := benchJSON(t, a, a, "--runs=3", "--sequential")
	if c := o.Comparisons[0]; code != session.Done || o.Order != "sequential" || c.Verdict != decide.Inconclusive || c.Ratio != nil || c.Reason == "" {
		t.Errorf("exit %d, %+v", code, o)
	}
}

func TestExportsCanBeReadBack(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	o, errout, code := benchJSON(t, helper(t, "exit", "0"), helper(t, "exit", "00"), "--runs=3", "--name=a|b", "--name=c <d>", "--export", file("r.json"),
		"--export", "csv="+file("runs"), "--export", file("r.md"), "--export", "gobench="+file("r.txt"), "--export", file("r.html"))
	if code != session.Done {
		t.Fatalf("exit %d, %q", code, errout)
	}
	read := func(name string) string {
		text, err := os.ReadFile(file(name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var back exportedObject
	if err := json.Unmarshal([]byte(read("r.json")), &back); err != nil || len(back.Results) != 2 {
		t.Fatalf("%v, %+v", err, back)
	}
	for i, r := range back.Results { // seconds, as in hyperfine's JSON
		if len(r.Times) != 3 || math.Abs(r.Mean-*o.Commands[i].Mean/1e9) > 1e-12 || len(r.ExitCodes) != 3 || r.StdDev == nil || r.Min > r.Median || r.Median > r.Max {
			t.Errorf("%+v", r)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(read("runs"))).ReadAll()
	if err != nil || len(rows) != 7 || rows[1][0] != "a|b" || rows[6][1] != "3" {
		t.Errorf("%v, %q", err, rows)
	}
	if md := read("r.md"); strings.Count(md, "\n") != 4 || !strings.Contains(md, "`a\\|b`") {
		t.Errorf("%s", md)
	}
	text, err := benchtext.Read(strings.NewReader(read("r.txt")))
	if err != nil || len(text.Results) != 6 || len(text.Skipped) != 0 || text.Results[0].Name != "/a|b" || text.Results[3].Name != "/c_<d>" {
		t.Fatalf("%v, %+v", err, text)
	}
	for i, r := range text.Results {
		if want := o.Commands[i/3].Times[i%3] * 1e-9; r.Values[0].Unit != "sec/op" || math.Abs(r.Values[0].Value-want) > 1e-12*want {
			t.Errorf("%+v, want %v", r, want)
		}
	}
	html := read("r.html")
	_, raw, _ := strings.Cut(html, `id="data">`)
	raw, _, _ = strings.Cut(raw, "</script>")
	var plotted struct{ Commands []pagePlot }
	if err := json.Unmarshal([]byte(raw), &plotted); err != nil || len(plotted.Commands) != 2 || len(plotted.Commands[1].Times) != 3 {
		t.Errorf("%v, data %s", err, raw)
	}
	if strings.Count(html, "<figure") != 2 || !strings.Contains(html, "c &lt;d&gt;") || strings.Contains(html, "ZgotmplZ") {
		t.Errorf("%s", html)
	}
}

func TestBenchSaysWhatIsWrongInOneLine(t *testing.T) {
	for _, tt := range []struct {
		args  []string
		wants string
	}{
		{[]string{}, "expected"},
		{[]string{"a 'b"}, "not closed"},
		{[]string{""}, "names no program"},
		{[]string{"--shell=default", " "}, "names no program"},
		{[]string{"a", "--gate=5%"}, "at least two"},
		{[]string{"a", "b", "--gate=5%", "--sequential"}, "--sequential"},
		{[]string{"a", "b", "--gate=5%", "--level=50%"}, "needs a level above 50%"},
		{[]string{"a", "--name=x", "--name=y"}, "2 names for 1 commands"},
		{[]string{"a {n}", "--param=n"}, "give NAME=1,2,4"},
		{[]string{"a {n}", "--param=n=1..x"}, `"x" is not a number`},
		{[]string{"a {n}", "--param=n=9..1"}, "not a range"},
		{[]string{"a {n}", "--param=n=1..2:0"}, "not a range"},
		{[]string{"a {n}", "--param=n=1..1e9"}, "not a range"},
		{[]string{"a", "--param=n=1"}, "no command contains {n}"},
		{[]string{"a", "--precision=5"}, "5% or 0.05"},
		{[]string{"a", "--precision=-1%"}, "5% or 0.05"},
		{[]string{"a", "--runs=many"}, "whole number"},
		{[]string{"a", "--max-time=1"}, "such as 10s"},
		{[]string{"a", "--export=x.pdf"}, "formats are json, csv, summary, md, asciidoc, org, gobench, html"},
	} {
		out, errout, code := strobe(t, append([]string{"bench"}, tt.args...)...)
		if code != session.Usage || out != "" || strings.Count(errout, "\n") != 1 || !strings.Contains(errout, tt.wants) {
			t.Errorf("%q: exit %d, %q, %q", tt.args, code, out, errout)
		}
	}
	for _, flag := range []string{"--export=json=", "--html="} { // the latter is also a flag of strobe frames
		_, errout, code := strobe(t, "bench", "a", flag+filepath.Join(t.TempDir(), "no", "where"))
		if code != session.Unwritten || !strings.Contains(errout, "cannot write") || strings.Count(errout, "\n") != 1 {
			t.Errorf("%s: exit %d, %q", flag, code, errout)
		}
	}
}

func TestOutliersAreDescribedByWhatWasMeasured(t *testing.T) {
	const ms = time.Millisecond
	var runs []command.Run
	for range 20 {
		runs = append(runs, command.Run{Wall: 10 * ms, User: 9 * ms})
	}
	if notes := diagnose(runs, 10e6); len(notes) != 0 {
		t.Errorf("nothing stands out: %q", notes)
	}
	runs[0] = command.Run{Wall: 30 * ms, User: 28 * ms}
	runs[7] = command.Run{Wall: 50 * ms, User: 9 * ms}
	notes := strings.Join(diagnose(runs, 10e6), "\n")
	for _, want := range []string{"outliers: 2 of 20 runs", "5 times the median", "32 % of their extra time was processor time", "the first run is an outlier"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q is not in %q", want, notes)
		}
	}
	for _, cause := range []string{"waited", "device", "cold", "busy"} {
		if strings.Contains(notes, cause) {
			t.Errorf("%q, which was not measured, in %q", cause, notes)
		}
	}
	if notes := diagnose([]command.Run{{Wall: ms}}, 1e6); len(notes) != 1 || !strings.Contains(notes[0], "starting the process") {
		t.Errorf("%q", notes)
	}
}

func TestTimesThatTheKernelDidNotTellApartAreNotZero(t *testing.T) {
	j := job{name: "x", text: "x"}
	for range 5 {
		j.add(command.Run{Wall: 10 * time.Millisecond, User: 9 * time.Millisecond, Peak: 1 << 20})
	}
	var p layout.Printer
	j.write(&p, new(Flags), nil)
	if text := p.String(); !strings.Contains(text, "9 ms; user and system time are not separate") || strings.Contains(text, "0 ns") || !strings.Contains(text, "at most 1 MiB: ") {
		t.Errorf("%s", text)
	}
	if o := j.object(); o.User != nil || o.System != nil || o.CPU == nil || *o.CPU != 9e6 {
		t.Errorf("%+v", o)
	}
	j.add(command.Run{Wall: 10 * time.Millisecond, User: 9 * time.Millisecond, System: time.Millisecond})
	if o := j.object(); o.User == nil || o.System == nil {
		t.Errorf("%+v", o)
	}
}

func TestABusyMachineIsPointedOut(t *testing.T) {
	var runs []command.Run
	for i := range 20 {
		runs = append(runs, command.Run{Wall: time.Duration(10+i) * time.Millisecond, User: 10 * time.Millisecond})
	}
	if notes := strings.Join(diagnose(runs, 19e6), "\n"); !strings.Contains(notes, "--by=cpu") {
		t.Errorf("%q", notes)
	}
	for i := range runs { // it sleeps
		runs[i] = command.Run{Wall: 10 * time.Millisecond}
	}
	if notes := diagnose(runs, 10e6); len(notes) != 0 {
		t.Errorf("%q", notes)
	}
}

func TestProcessorTimeCanBeJudged(t *testing.T) {
	a := helper(t, "exit", "0")
	o, _, code := benchJSON(t, a, a, "--runs=3", "--by=cpu")
	if code != session.Done || o.Comparisons[0].By != "cpu" {
		t.Errorf("exit %d, %+v", code, o.Comparisons)
	}
	if _, errout, code := strobe(t, "bench", a, a, "--by=sun"); code != session.Usage || !strings.Contains(errout, "sun") {
		t.Errorf("exit %d, %q", code, errout)
	}
}

func TestBenchFitsANarrowTerminal(t *testing.T) {
	a := helper(t, "exit", "0")
	out, _, code := clitest.RunNarrow(t, 60, verbs()[0], "", "bench", a, a, "--name=first", "--name=second", "--runs=8", "--gate=50%")
	if code == session.Usage || code == session.CommandFailed {
		t.Errorf("exit %d", code)
	}
	clitest.Fits(t, out, 60, 60)
	long := strings.Repeat("many words of a command ", 4)
	out, _, _ = clitest.RunNarrow(t, 60, verbs()[0], "", "bench", a, a, "--name=first", "--name="+long, "--runs=8")
	clitest.Fits(t, out, 60, 60)
	if n := strings.Count(strings.Join(strings.Fields(out), " "), strings.TrimSpace(long)); n != 2 { // beside its figures and beside the ratio
		t.Errorf("the name occurs %d times:\n%s", n, out)
	}
}

// Of several wrong flags, the first one in the order of the help is named in every run.
func TestTheFirstWrongFlagIsNamed(t *testing.T) {
	for range 20 {
		if _, errout, code := strobe(t, "bench", "a", "b", "c", "--output=null", "--output=null", "--conclude=a", "--conclude=b", "--prepare=a", "--prepare=b"); code != session.Usage || !strings.Contains(errout, "--prepare: 2 for 3") {
			t.Fatalf("exit %d, %q", code, errout)
		}
		if _, errout, code := strobe(t, "bench", "a", "--shell=none", "--cleanup=a 'b", "--setup=c 'd", "--conclude=e 'f"); code != session.Usage || !strings.Contains(errout, "--setup: ") {
			t.Fatalf("exit %d, %q", code, errout)
		}
	}
}

func TestTheMeanTimeOfACommandNeverReachesBelowZero(t *testing.T) {
	var j job
	for i := range 64 {
		wall := time.Millisecond
		if i == 40 {
			wall = time.Second
		}
		j.add(command.Run{Wall: wall})
	}
	f := j.figures()
	if text := new(Flags).inTime(f.mean); f.mean.Lo < 0 || f.mean.Hi <= f.mean.Center || !strings.Contains(text, "[") || strings.Contains(text, "-") {
		t.Errorf("%+v reads %s", f.mean, text)
	}
}

// With a gate of 0.5 %, commands that differ by 0.8 % are not the same. A gate of 0 % is a gate too.
func TestASmallGateIsNotRaised(t *testing.T) {
	for _, c := range []struct {
		gate, same   float64
		within, look float64
	}{
		{0.05, 0.01, 0.01, 0.05}, {0.005, 0.01, 0.005, 0.005}, {0, 0.01, -1, math.SmallestNonzeroFloat64}, {0.02, 0, -1, 0.02}, {0, 0, -1, math.SmallestNonzeroFloat64},
	} {
		limit := flags.Share(c.gate)
		b := &measurement{flags: &Flags{Gate: &limit, Same: flags.Share(c.same), Level: 0.99}, jobs: make([]*job, 2)}
		if o := b.options(); o.Within != c.within || o.Gate != c.look {
			t.Errorf("gate %v, same %v: within %v, looks at %v", c.gate, c.same, o.Within, o.Gate)
		}
		ratio := stat.Interval{Center: 1.008, Lo: 1.007, Hi: 1.009, Level: 0.99}
		if outcome, reason := bench.Gate(bench.Comparison{Ratio: ratio, Within: b.options().Within}, c.gate); (outcome == decide.Failed) != (c.gate < 0.007) {
			t.Errorf("gate %v, same %v: %s, %s", c.gate, c.same, outcome, reason)
		}
	}
}

func TestACoreThatOthersUseIsInTheReport(t *testing.T) {
	for _, shared := range []bool{false, true} {
		b, err := newMeasurement(&Flags{Commands: []string{"true"}, Level: 0.99}, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 1000 {
			took := 5 * time.Microsecond
			if shared && i%3 > 0 {
				took *= 2
			}
			b.core.Add(took)
		}
		var out bytes.Buffer
		if err := b.write(&session.Session{Out: &out}); err != nil {
			t.Fatal(err)
		}
		o := b.object(false)
		if got := strings.Contains(out.String(), "costs up to 2.0x. Times vary by as much."); got != shared || o.CoreShared == nil || (o.CoreCost != nil) != shared {
			t.Errorf("shared %v:\n%s%+v", shared, out.String(), o)
		}
	}
}
