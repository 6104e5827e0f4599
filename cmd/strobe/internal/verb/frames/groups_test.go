// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/race"
)

// folderOf writes runs with the given mean frame times, in ms, into a new folder.
func folderOf(t *testing.T, means ...float64) string {
	t.Helper()
	dir := t.TempDir()
	for i, mean := range means {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("run%d.txt", i)), []byte(milliseconds(400, mean, uint64(1000*mean))), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestGroupsAreComparedRunByRun(t *testing.T) {
	arithmetic(t)
	old, same, slow := folderOf(t, 16.0, 16.1, 15.9, 16.05), folderOf(t, 16.02, 15.95, 16.08, 15.93), folderOf(t, 20.0, 20.1, 19.9, 20.2)
	out, errout, code := strobe(t, "frames", "--group", "old", old, "--group", "same", same, "--group", "slow", slow)
	if code != session.Done || errout != "" {
		t.Fatalf("exit %d, %q", code, errout)
	}
	first, second, _ := strings.Cut(out[strings.Index(out, "same less old"):], "slow less old")
	if strings.Contains(first, "higher") || strings.Contains(first, "  lower") || !strings.Contains(first, "no difference shown") {
		t.Errorf("the same configuration differs:\n%s", first)
	}
	for line := range strings.Lines(second) {
		if strings.HasPrefix(line, "average") && !strings.HasSuffix(line, "lower\n") {
			t.Errorf("16 and 20 ms: %s", line)
		}
	}
	if !strings.Contains(out, "old: 4 runs (frames): run0.txt (400), run1.txt (400)") || strings.Contains(out, old) {
		t.Errorf("no list of runs, or one with paths:\n%s", out)
	}
	clitest.Fits(t, out, 70, 80)
}

func TestOneRunOfEachGroupShowsNothing(t *testing.T) {
	out, _, code := strobe(t, "frames", "--group", "old", folderOf(t, 16), "--group", "new", folderOf(t, 25))
	if code != session.Done || strings.Contains(out, "no difference shown") || strings.Contains(out, "  higher\n") ||
		!strings.Contains(out, "no interval: needs two runs or more of each group") {
		t.Errorf("exit %d\n%s", code, out)
	}
}

// Passing is decided for each figure alone: here the intervals for all figures together extend beyond the limit.
func TestGroupsPassWhereEachFigureDoes(t *testing.T) {
	arithmetic(t)
	old, same := folderOf(t, 16.0, 16.6, 15.4, 16.3, 15.7), folderOf(t, 16.1, 15.5, 16.5, 15.8, 16.2)
	for limit, want := range map[string]int{"6%": session.Done, "3%": session.Inconclusive} {
		if out, _, code := strobe(t, "frames", "--gate", limit, "--group", "old", old, "--group", "new", same); code != want {
			t.Errorf("--gate %s: exit %d, want %d\n%s", limit, code, want, out)
		}
	}
}

func TestGroupsGate(t *testing.T) {
	arithmetic(t)
	old, same, slow := folderOf(t, 16.0, 16.1, 15.9, 16.05, 16), folderOf(t, 16.02, 15.95, 16.08, 15.93, 16), folderOf(t, 20.0, 20.1, 19.9, 20.2, 20)
	scattered := folderOf(t, 12, 20, 16, 25, 14)
	for _, c := range []struct {
		other string
		code  int
		text  string
	}{
		{same, session.Done, "gate of 10 %: passed"},
		{slow, session.GateFailed, "gate of 10 %: failed"},
		{scattered, session.Inconclusive, "gate of 10 %: undecided"},
	} {
		out, errout, code := strobe(t, "frames", "--gate", "10%", "--group", "old", old, "--group", "new", c.other)
		if code != c.code || !strings.Contains(out, c.text) || (errout == "") != (code == session.Done) {
			t.Errorf("exit %d, want %d; %q\n%s", code, c.code, errout, out)
		}
	}
	if _, _, code := strobe(t, "frames", "--gate", "10%", "--group", "old", folderOf(t, 16), "--group", "new", folderOf(t, 16)); code != session.Inconclusive {
		t.Errorf("one run of each: exit %d", code)
	}
}

func TestGroupsAsJSON(t *testing.T) {
	out, _, code := strobe(t, "frames", "--json", "--gate=10%", "--group", "old", folderOf(t, 16, 16.1), "--group", "new", folderOf(t, 30, 30.2))
	var o struct {
		Captures []map[string]any
		Groups   []struct {
			Name    string
			Runs    []int
			Figures []map[string]any
		}
		GroupComparisons []struct {
			Base, Other int
			Differences []map[string]any
		} `json:"group_comparisons"`
		Gate struct{ Outcome string }
	}
	if err := json.Unmarshal([]byte(out), &o); err != nil || code != session.GateFailed && code != session.Inconclusive {
		t.Fatalf("exit %d, %v\n%s", code, err, out)
	}
	if len(o.Captures) != 4 || len(o.Groups) != 2 || o.Groups[1].Name != "new" || fmt.Sprint(o.Groups[1].Runs) != "[2 3]" || len(o.Groups[0].Figures) < 10 ||
		len(o.GroupComparisons) != 1 || o.GroupComparisons[0].Other != 1 || len(o.GroupComparisons[0].Differences) < 10 || o.Gate.Outcome == "" {
		t.Errorf("%+v", o)
	}
}

func TestGroupsThatMakeNoSenseAreRefused(t *testing.T) {
	run := clitest.Write(t, "a.txt", milliseconds(100, 16, 1))
	two := clitest.Write(t, "two.csv", "Application,ProcessID,SwapChainAddress,msBetweenPresents\na.exe,1,0x1,16\nb.exe,2,0x1,17\na.exe,1,0x1,16\nb.exe,2,0x1,17\n")
	for _, c := range []struct {
		args []string
		text string
	}{
		{[]string{run, "--group", "old", run}, "belongs to no group"},
		{[]string{"--group", "old"}, `group "old" has no files`},
		{[]string{"--group"}, "--group: missing value"},
		{[]string{"--group", "old", run, "--group", "old", run}, "two groups have the name"},
		{[]string{"--group", "old", run, run}, `group "old" has ` + run + " twice"},
		{[]string{"--group", "old", t.TempDir()}, "is empty"},
		{[]string{"--group", "old", "/nonexistent/x"}, "it does not exist"},
		{[]string{"--gate=5%", run}, "--gate judges groups of runs"},
		{[]string{"--gate=5%", "--group", "old", run}, "--gate compares groups"},
		{[]string{"--gate=5%", "--level=40%", "--group", "old", run, "--group", "new", run}, "needs a level above 50%"},
		{[]string{"--group", "old", two}, "choose with --process: a.exe, b.exe"},
	} {
		out, errout, code := strobe(t, append([]string{"frames"}, c.args...)...)
		if code != session.Usage || out != "" || !strings.Contains(errout, c.text) || strings.Count(errout, "\n") != 1 {
			t.Errorf("%q: exit %d, %q\n%s", c.args, code, errout, out)
		}
	}
	out, errout, code := strobe(t, "frames", "--group", "old", two, "--process", "b.exe", "--group", "new", two, run, "/nonexistent/x")
	if code != session.Usage || !strings.Contains(errout, "/nonexistent/x") || strings.Contains(out, "a.exe") {
		t.Errorf("exit %d, %q\n%s", code, errout, out)
	}
}

// arithmetic skips a test under the race detector.
func arithmetic(t *testing.T) {
	t.Helper()
	if race.Enabled {
		t.Skip("arithmetic: other tests of the package run the same goroutines under the race detector")
	}
}
