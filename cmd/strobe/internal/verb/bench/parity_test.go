// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

func TestThePeakOfStrobeItselfIsNotExportedAsThatOfACommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.json")
	j := &job{name: "x", text: "x"}
	b := &measurement{flags: new(Flags), jobs: []*job{j}}
	memory := func() []int64 {
		if err := session.WriteFile(file, func(w io.Writer) error { return exportJSON(w, b, false) }); err != nil {
			t.Fatal(err)
		}
		var o exportedObject
		text, _ := os.ReadFile(file)
		if err := json.Unmarshal(text, &o); err != nil {
			t.Fatal(err)
		}
		return o.Results[0].Memory
	}
	j.add(command.Run{Wall: time.Millisecond, Peak: 50 << 20, Known: command.Known{Peak: true}})
	if m := memory(); !slices.Equal(m, []int64{50 << 20}) {
		t.Errorf("known: %v", m)
	}
	j.add(command.Run{Wall: time.Millisecond, Peak: 12 << 20}) // the peak of strobe itself
	if m := memory(); m != nil {
		t.Errorf("not known: %v", m)
	}
}

func TestACommandThatNeedsAShellRunsInOne(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a script for sh")
	}
	out := filepath.Join(t.TempDir(), "out")
	script := "printf 'a\nb\n' | wc -l >>" + out
	begin := time.Now()
	o, errout, code := benchJSON(t, script, "true", "--runs=3")
	took := float64(time.Since(begin))
	text, _ := os.ReadFile(out)
	if code != session.Done || strings.Join(strings.Fields(string(text)), " ") != "2 2 2" {
		t.Fatalf("exit %d, %q, %q", code, text, errout)
	}
	if !slices.Equal(o.Shell, []string{"sh"}) || o.ShellStart == nil || *o.ShellStart < 1e4 || *o.ShellStart > 2*took/starts { // half of the starts took as long as their median, or longer
		t.Errorf("%q, %v", o.Shell, o.ShellStart)
	}
	if o, _, code = benchJSON(t, "true 'a | b'", "--runs=2"); code != session.Done || o.Shell != nil || o.ShellStart != nil {
		t.Errorf("without need: exit %d, %q", code, o.Shell)
	}
	text2, _, _ := strobe(t, "bench", "true | true", "-r3", "-w0")
	if said := strings.Join(strings.Fields(text2), " "); !strings.Contains(said, "shell in sh, whose start of ") || !strings.Contains(said, "is subtracted from all times") {
		t.Errorf("%s", text2)
	}
	if _, errout, code = strobe(t, "bench", "false | definitely-no-such-program", "-N", "-r1", "-w0"); code != session.CommandFailed {
		t.Errorf("-N runs false with three words: exit %d, %q", code, errout)
	}
	if o, _, _ = benchJSON(t, "true", "-r2", "-S", "sh -e"); !slices.Equal(o.Shell, []string{"sh", "-e"}) {
		t.Errorf("%q", o.Shell)
	}
	if _, errout, code = strobe(t, "bench", "true", "-S", "no-such-shell"); code != session.CommandFailed || !strings.Contains(errout, "no-such-shell") {
		t.Errorf("exit %d, %q", code, errout)
	}
}

func TestTheStartOfTheShellIsSubtracted(t *testing.T) {
	s := &startup{wall: 2 * time.Millisecond, user: time.Millisecond, system: time.Millisecond, quartile: time.Millisecond, above: 3 * time.Millisecond, words: []string{"sh"}}
	r := command.Run{Wall: 10 * time.Millisecond, User: 3 * time.Millisecond}
	if s.subtract(&r); r.Wall != 8*time.Millisecond || r.User != 2*time.Millisecond || r.System != 0 {
		t.Errorf("%+v", r)
	}
	if r = (command.Run{Wall: time.Millisecond}); true {
		s.subtract(&r)
	}
	if r.Wall != 1 {
		t.Errorf("%+v", r)
	}
	if note := s.note(new(Flags), 8e6); !strings.Contains(note, "2 ms (quartiles 1 ms and 3 ms)") || !strings.Contains(note, "use -N") {
		t.Errorf("%s", note)
	}
	if note := s.note(new(Flags), 800e6); strings.Contains(note, "use -N") {
		t.Errorf("%s", note)
	}
	(*startup)(nil).subtract(&r)
}

func TestIgnoredFailuresAreNotHidden(t *testing.T) {
	o, _, code := benchJSON(t, helper(t, "exit", "3"), helper(t, "exit", "0"), "--runs=3", "-i")
	if code != session.Done || o.Commands[0].Failures != 3 || !slices.Equal(o.Commands[0].ExitCodes, []int{3, 3, 3}) || o.Commands[1].Failures != 0 || o.Commands[1].ExitCodes != nil {
		t.Errorf("exit %d, %+v", code, o.Commands)
	}
	if out, _, _ := strobe(t, "bench", helper(t, "exit", "3"), "-r2", "-i"); !strings.Contains(strings.Join(strings.Fields(out), " "), "2 of 2 runs failed, with exit code 3") {
		t.Errorf("%s", out)
	}
}

func TestAFailureSaysWhatTheCommandSaid(t *testing.T) {
	if _, errout, code := strobe(t, "bench", helper(t, "complain", "out of cheese"), "-r2"); code != session.CommandFailed || !strings.Contains(errout, "exited with code 7: out of cheese") {
		t.Errorf("exit %d, %q", code, errout)
	}
	if _, errout, _ := strobe(t, "bench", helper(t, "complain", "out of cheese"), "-r2", "-w0"); !strings.Contains(errout, "--show-output shows what it prints") {
		t.Errorf("in a timed run: %q", errout)
	}
	if _, errout, _ := strobe(t, "bench", helper(t, "exit", "0"), "-r2", "--prepare", helper(t, "complain", "no disk")); !strings.Contains(errout, "no disk") {
		t.Errorf("%q", errout)
	}
}

func TestFlagsOfHyperfine(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	log, in := file("log"), clitest.Write(t, "in", "hello\n")
	_, errout, code := strobe(t, "bench", "-w", "1", "-m", "2", "-M", "3", "-n", "one", "-n", "two", "-s", helper(t, "append", log, "setup"), "-p", helper(t, "append", log, "before-1"),
		"-p", helper(t, "append", log, "before-2"), "-c", helper(t, "append", log, "cleanup"), "-u", "millisecond", "--sort", "mean-time", "--input", in, "--output", file("out"),
		"--export-json", file("a.json"), "--export-csv", file("a.csv"), "--export-markdown", file("a.md"), "--export-asciidoc", file("a.adoc"), "--export-orgmode", file("a.org"),
		"--precision=0", "--max-time=0", helper(t, "sleep", "30ms"), helper(t, "copy", "-"))
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
	lines := strings.Fields(read("log")) // each command is set up once, prepared for one warm-up and three runs, and cleaned up
	want := map[string]int{"setup": 2, "before-1": 4, "before-2": 4, "cleanup": 2}
	got := map[string]int{}
	for _, l := range lines {
		got[l]++
	}
	if !maps.Equal(got, want) || lines[0] != "setup" || lines[1] != "setup" || lines[len(lines)-1] != "cleanup" {
		t.Errorf("%q", lines)
	}
	if out := read("out"); out != "hello\n" && out != "" { // of the last run of either
		t.Errorf("%q", out)
	}
	rows, err := csv.NewReader(strings.NewReader(read("a.csv"))).ReadAll()
	if err != nil || len(rows) != 3 || strings.Join(rows[0], ",") != "command,mean,stddev,median,user,system,min,max" || rows[1][0] != "one" {
		t.Errorf("%v, %q", err, rows)
	}
	means := map[string]float64{} // two is the shorter one unless the machine is busy
	for _, row := range rows[1:] {
		if means[row[0]], err = strconv.ParseFloat(row[1], 64); err != nil {
			t.Error(err)
		}
	}
	for name, wants := range map[string][]string{
		"a.md":   {"| `two` |", "|---|--:|", " ms | "},
		"a.adoc": {"[cols=", "|===\n", "| `+two+`\n| ", " ms\n"},
		"a.org":  {"| command | mean", "|--+--+", "| =two= | ", " ms | "},
	} {
		text := read(name)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%s", name, want, text)
			}
		}
		if (strings.Index(text, "two") < strings.Index(text, "one")) != (means["two"] < means["one"]) || strings.Contains(text, "µs") {
			t.Errorf("%s: the order or the unit is not the one asked for, with means %v:\n%s", name, means, text)
		}
	}
	for _, tt := range [][2]string{{"-M=x", "whole number"}, {"--input=/no/where", "--input"}, {"--time-unit=year", "year"}, {"--level=95", "0.95 or 95%"}} {
		if _, errout, code := strobe(t, "bench", "true", tt[0]); code != session.Usage || strings.Count(errout, "\n") != 1 || !strings.Contains(errout, tt[1]) {
			t.Errorf("%s: exit %d, %q", tt[0], code, errout)
		}
	}
	if _, errout, code := strobe(t, "bench", "a", "b", "c", "-p=x", "-p=y"); code != session.Usage || !strings.Contains(errout, "2 for 3 commands") {
		t.Errorf("exit %d, %q", code, errout)
	}
}

func TestTheLevelIsSharedByTheComparisons(t *testing.T) {
	for _, jobs := range []int{2, 3} {
		b := &measurement{flags: &Flags{Level: 0.96}, jobs: make([]*job, jobs)}
		if want := 1 - 0.04/float64(jobs-1); math.Abs(b.options().Level-want) > 1e-12 {
			t.Errorf("%d commands: %v, want %v", jobs, b.options().Level, want)
		}
	}
}

func TestThePageHasTheRatiosAndTheGate(t *testing.T) {
	a, file := helper(t, "exit", "0"), filepath.Join(t.TempDir(), "r.html")
	strobe(t, "bench", a, a, "-n", "a", "-n", "b", "-r12", "-w0", "--gate=50%", "--export", file)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, raw, _ := strings.Cut(string(text), `id="data">`)
	raw, _, _ = strings.Cut(raw, "</script>")
	var o struct {
		Ratios []pageRatio
		Limit  float64
	}
	if err := json.Unmarshal([]byte(raw), &o); err != nil || len(o.Ratios) != 1 || o.Limit != 1.5 || o.Ratios[0].Name != "b" || o.Ratios[0].Lo > o.Ratios[0].Hi || !strings.Contains(string(text), `id="ratios"`) {
		t.Errorf("%v: %s", err, raw)
	}
}

// Programs that read hyperfine's JSON find the same keys, with values of the same kind, in ours.
func TestOurJSONHasTheKeysThatHyperfinesHas(t *testing.T) {
	file := func() string { return filepath.Join(t.TempDir(), "r.json") }
	ours, theirs := file(), file()
	if _, errout, code := strobe(t, "bench", "-r3", "-w0", "--param=n=1,2", helper(t, "exit", "0")+" {n}", "--export-json", ours); code != session.Done {
		t.Fatalf("exit %d, %q", code, errout)
	}
	hyperfine, err := exec.LookPath("hyperfine")
	if err != nil {
		t.Skip("hyperfine is not in PATH; on Debian: apt-get install hyperfine")
	}
	if text, err := exec.Command(hyperfine, "-N", "-r", "3", "--style=none", "-L", "n", "1,2", "--export-json", theirs, helper(t, "exit", "0")+" {n}").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	results := func(name string) []map[string]any {
		var o struct{ Results []map[string]any }
		text, err := os.ReadFile(name)
		if err != nil || json.Unmarshal(text, &o) != nil {
			t.Fatalf("%v: %s", err, text)
		}
		return o.Results
	}
	a, b := results(ours), results(theirs)
	if len(a) != len(b) {
		t.Fatalf("%d results, hyperfine has %d", len(a), len(b))
	}
	for i := range b {
		for key, want := range b[i] {
			got, ok := a[i][key]
			if key == "memory_usage_byte" {
				continue // left out if it is that of strobe itself, as hyperfine leaves it out if there is none
			}
			if !ok || kind(got) != kind(want) {
				t.Errorf("%s: %v, hyperfine has %v", key, got, want)
			}
		}
	}
}

func kind(x any) string {
	switch x := x.(type) {
	case []any:
		if len(x) > 0 {
			return "list of " + kind(x[0])
		}
		return "list"
	case map[string]any:
		return "map"
	case float64:
		return "number"
	case string:
		return "string"
	}
	return "null"
}
