// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// commands returns the commands that the flags result in, without running them.
func commands(t *testing.T, f Flags) []string {
	t.Helper()
	jobs, err := f.plan()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, j := range jobs {
		all = append(all, j.text)
	}
	return all
}

func TestParametersOfHyperfineMakeItsCommands(t *testing.T) {
	for _, c := range []struct {
		flags Flags
		want  string
	}{
		{Flags{Commands: []string{"a {n}"}, List: [][]string{{"n", "x,y z,"}}}, "a x|a y z|a "},
		{Flags{Commands: []string{"a {n}"}, List: [][]string{{"n", `x\,y,v\\w,\z`}}}, `a x,y|a v\w|a \z`},
		{Flags{Commands: []string{"a {n} {m}"}, List: [][]string{{"n", "1,2"}, {"m", "x,y"}}}, "a 1 x|a 2 x|a 1 y|a 2 y"},
		{Flags{Commands: []string{"a {n}", "b {n}"}, Reference: "c", List: [][]string{{"n", "1,2"}}}, "c|a 1|b 1|a 2|b 2"},
		{Flags{Commands: []string{"a {n}"}, Scan: [][]string{{"n", "1", "3"}}}, "a 1|a 2|a 3"},
		{Flags{Commands: []string{"a {n}"}, Scan: [][]string{{"n", "-1", "1"}}}, "a -1|a 0|a 1"},
		{Flags{Commands: []string{"a {n}"}, Scan: [][]string{{"n", "0.3", "0.7"}}, Step: "0.2"}, "a 0.3|a 0.5|a 0.7"},
		{Flags{Commands: []string{"a {n}"}, Scan: [][]string{{"n", "0", "1"}}, Step: "0.5"}, "a 0|a 0.5|a 1.0"},
		{Flags{Commands: []string{"a {n}"}, Scan: [][]string{{"n", "1", "1.002"}}, Step: "1e-3"}, "a 1|a 1.001|a 1.002"},
		{Flags{Commands: []string{"a {n}", "b {n}"}, Scan: [][]string{{"n", "1", "2"}}, Reference: "r"}, "r|a 1|b 1|a 2|b 2"},
	} {
		if got := strings.Join(commands(t, c.flags), "|"); got != c.want {
			t.Errorf("%+v: %q, want %q", c.flags, got, c.want)
		}
	}
}

func TestWrongParametersGetOneLine(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"a {n}", "-L", "n"}, "takes 2 values: NAME LIST"},
		{[]string{"a {n}", "-P", "n", "1"}, "takes 3 values: NAME MIN MAX"},
		{[]string{"a {n}", "-P", "n", "1", "x"}, `"x" is not a number`},
		{[]string{"a {n}", "-P", "n", "3", "1"}, "3 to 1 by 1 is not a range"},
		{[]string{"a {n}", "-P", "n", "1", "3", "-D", "0"}, "not a range"},
		{[]string{"a {n}", "-D", "2"}, "step of --parameter-scan, which is missing"},
		{[]string{"a", "-L", "n", "1,2"}, "no command contains {n}"},
		{[]string{"a {n}", "-L", "n", "1,2", "-L", "n", "3"}, "n is given twice"},
		{[]string{"a", "b", "-C", "x", "-C", "y", "-C", "z"}, "--conclude: 3 for 2 commands"},
		{[]string{"a", "--reference-name", "x"}, "--reference, which is missing"},
		{[]string{"a", "--style", "loud"}, "loud"},
	} {
		out, errout, code := strobe(t, append([]string{"bench"}, c.args...)...)
		if code != session.Usage || out != "" || strings.Count(errout, "\n") != 1 || !strings.Contains(errout, c.want) {
			t.Errorf("%q: exit %d, %q, %q", c.args, code, out, errout)
		}
	}
}

// Values follow their flags as with hyperfine, including the short forms.
func TestTheReferenceIsTheBase(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.json")
	o, errout, code := benchJSON(t, "--reference", helper(t, "exit", "0"), "--reference-name", "base", "-L", "n", "1,2", "-P", "m", "-1", "0", "-n", "other {n} {m}", "-r3", "-w0",
		"--export-json", file, helper(t, "exit", "0")+" {n} {m}")
	if code != session.Done || len(o.Commands) != 5 || len(o.Comparisons) != 4 || o.Commands[0].Name != "base" || o.Commands[0].Parameters != nil {
		t.Fatalf("exit %d, %q, %+v", code, errout, o)
	}
	for _, c := range o.Comparisons {
		if c.Base != "base" || !strings.HasPrefix(c.Other, "other ") {
			t.Errorf("%+v", c)
		}
	}
	var exported struct {
		Results []struct{ Parameters map[string]string }
	}
	text, _ := os.ReadFile(file)
	if err := json.Unmarshal(text, &exported); err != nil || len(exported.Results) != 5 || fmt.Sprint(exported.Results[1].Parameters) != "map[m:-1 n:1]" || fmt.Sprint(exported.Results[4].Parameters) != "map[m:0 n:2]" {
		t.Errorf("%v, %+v", err, exported)
	}
}

func TestEachRunIsConcluded(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	words := func() []string {
		text, _ := os.ReadFile(log)
		os.Remove(log)
		return strings.Fields(string(text))
	}
	_, errout, code := strobe(t, "bench", "-r2", "-w1", "-p", helper(t, "append", log, "prepare"), "-C", helper(t, "append", log, "conclude"), helper(t, "append", log, "run"))
	if got := words(); code != session.Done || strings.Join(got, " ") != strings.TrimSpace(strings.Repeat("prepare run conclude ", 3)) {
		t.Errorf("exit %d, %q, %q", code, errout, got)
	}
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	args, err := command.Split(helper(t, "append", log, "conclude"))
	if err != nil {
		t.Fatal(err)
	}
	if err := (&job{conclude: args}).end(interrupted, nil); err != nil || !slices.Equal(words(), []string{"conclude"}) {
		t.Errorf("an interrupt: %v", err)
	}
	_, _, code = strobe(t, "bench", "-r2", "-w0", "-C", helper(t, "append", log, "conclude"), helper(t, "exit", "3"))
	if got := words(); code != session.CommandFailed || !slices.Equal(got, []string{"conclude"}) {
		t.Errorf("a command that fails: exit %d, %q", code, got)
	}
	_, errout, code = strobe(t, "bench", "-r2", "-w0", "-C", helper(t, "exit", "3"), helper(t, "exit", "0"))
	if code != session.CommandFailed || !strings.Contains(errout, "--conclude") {
		t.Errorf("exit %d, %q", code, errout)
	}
}

func TestTheStyleHasColoursOrProgress(t *testing.T) {
	for style, want := range map[string]struct{ text, color, progress bool }{
		"auto": {true, false, false}, "basic": {true, false, false}, "full": {true, true, true}, "nocolor": {true, false, false}, "color": {true, true, false},
		"none": {false, false, false},
	} {
		out, errout, code := strobe(t, "bench", "-r3", "-w1", "--style", style, helper(t, "exit", "0"))
		if code != session.Done || (out != "") != want.text || strings.Contains(out, "\x1b[") != want.color || strings.Contains(errout, "\x1b[K") != want.progress {
			t.Errorf("%s: exit %d, %q, %q", style, code, out, errout)
		}
	}
	terminal := &session.Session{Err: new(bytes.Buffer)}
	for style, want := range map[string]bool{"basic": false, "nocolor": false, "full": true} {
		if f := (&Flags{Style: style}); f.progress(terminal).On != want {
			t.Errorf("%s", style)
		}
	}
}

// hyperfine's scripts for parameters read the values of one parameter and the means from the JSON.
func TestHyperfinesCommandLineRunsHere(t *testing.T) {
	hyperfine, err := exec.LookPath("hyperfine")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("hyperfine is not in PATH; on Debian: apt-get install hyperfine")
	}
	dir := t.TempDir()
	results := func(name string) (all []string) {
		var o struct {
			Results []struct {
				Command    string
				Parameters map[string]string
			}
		}
		text, err := os.ReadFile(name)
		if err != nil || json.Unmarshal(text, &o) != nil {
			t.Fatalf("%v: %s", err, text)
		}
		for _, r := range o.Results {
			all = append(all, fmt.Sprint(r.Command, r.Parameters))
		}
		slices.Sort(all)
		return all
	}
	for _, args := range [][]string{
		{"-L", "n", `1,2\,3`, "-L", "m", "x,y", "true {n} {m}", "true x{n} {m}"},
		{"-P", "n", "0.3", "0.7", "-D", "0.2", "true {n}"},
		{"--parameter-scan", "n", "0", "1", "--parameter-step-size", "0.25", "true {n}"},
	} {
		ours, theirs := filepath.Join(dir, "ours.json"), filepath.Join(dir, "theirs.json")
		args = append([]string{"--style", "none", "-N", "-r", "2", "-w", "0"}, args...)
		if out, errout, code := strobe(t, append([]string{"bench", "--export-json", ours}, args...)...); code != session.Done || out != "" {
			t.Fatalf("%q: exit %d, %q, %q", args, code, out, errout)
		}
		if text, err := exec.Command(hyperfine, append([]string{"--export-json", theirs}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v: %s", args, err, text)
		}
		if a, b := results(ours), results(theirs); !slices.Equal(a, b) {
			t.Errorf("%q: %q, hyperfine has %q", args, a, b)
		}
	}
}
