// SPDX-License-Identifier: BSD-3-Clause

package docs

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "record the pictures in docs/ anew")

// A recording is a picture of the first report that an example prints.
const (
	pictureFile    = "docs/report.svg"
	pictureCommand = "go run ./kv"
	pictureTitle   = "A report of strobe: where each goroutine of a program that uses a bbolt database spends its time"
)

// TestThePictureIsWhatTheProgramPrints compares the layout of the picture in docs/report.md, not its figures, with a new recording.
// go -C tools test ./docs -run Picture -update records it anew.
func TestThePictureIsWhatTheProgramPrints(t *testing.T) {
	if testing.Short() && !*update {
		t.Skip("builds and runs a program for some seconds")
	}
	file := filepath.Join(root, filepath.FromSlash(pictureFile))
	lines := printed(t)
	if *update {
		if err := os.WriteFile(file, []byte(Terminal(pictureTitle, lines)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	drawn := Layout(TerminalLines(string(text)))
	for n := 0; ; n++ {
		now := Layout(slices.Delete(lines, 1, 2))
		if slices.Equal(drawn, now) {
			break
		}
		if n == 5 {
			t.Errorf("%s is stale: go -C tools test ./docs -run Picture -update records it anew\ndrawn:\n%s\nprinted:\n%s",
				pictureFile, indent(drawn), indent(now))
			break
		}
		lines = printed(t) // on a busy machine a program may print fewer rows
	}
	if len(text) > 150<<10 {
		t.Errorf("%s has %d bytes", pictureFile, len(text))
	}
}

// printed returns the lines that a terminal shows of a run.
func printed(t *testing.T) []string {
	t.Helper()
	fields := strings.Fields(pictureCommand + " -for 1500ms")
	cmd := exec.Command(fields[0], fields[1:]...)
	cmd.Dir = filepath.Join(root, "examples")
	cmd.Env = append(os.Environ(), "GOWORK=auto")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return append([]string{"$ " + pictureCommand, ""}, firstReport(string(out))...)
}

// firstReport returns the lines before the first one that is not a row.
func firstReport(out string) []string {
	var lines []string
	for line := range strings.Lines(out) {
		line = strings.TrimRight(line, " \n")
		lines = append(lines, line)
		if strings.Contains(line, "  strobe: a span costs") {
			break
		}
	}
	return lines
}

func TestALayoutIsWithoutFigures(t *testing.T) {
	one := []string{
		"$ go run ./kv", "time      lane      zone   ms in  p99",
		"10:01:07  writer 1  put    972.48  1070  90.9 %  177  5.5 ± 2.3 ms  44.43 ms  open",
		"10:01:07  reader 2  get    36.85   1070   9.9 %  299  3.5 ± 0.9 µs  5.62 µs",
		"10:01:07  strobe: a span costs 25 ns; measuring took 0.76 % of the time of reader 1",
	}
	other := []string{
		"$ go run ./kv", "time      lane      zone   ms in  p99",
		"11:02:08  reader 1  get    7.00     999  97.2 %  2  1.1 [0.0, 2.2] ms  912 ns  2 open",
		"11:02:08  writer 2  put    1.00     999  97.2 %  2  123 ± 4 µs  912 ns",
		"11:02:08  strobe: a span costs 7 ns; measuring took less than 0.01 % of any lane's time",
	}
	if a, b := Layout(one), Layout(other); !slices.Equal(a, b) {
		t.Errorf("%q\n%q", a, b)
	}
	if got := TerminalLines(Terminal("<t>", append(one, "", "a < b"))); !slices.Equal(got, append(one, "a < b")) {
		t.Errorf("%q", got)
	}
	if got := TerminalLines(Terminal("two", []string{"[12 s] $ ls", "[12 s]"}, []string{"$ ls"})); !slices.Equal(got, []string{"[12 s] $ ls", "[12 s]", "$ ls"}) {
		t.Errorf("%q", got)
	}
	if drawn := Terminal("two", []string{"[12 s] $ ls", "[12 s]"}, []string{"$ ls"}); strings.Count(drawn, `class="typed"`) != 2 || strings.Count(drawn, "<rect ") != 2 {
		t.Error(drawn)
	}
	for _, changed := range []string{
		"10:01:07  writer 1  putt   972.48  1070  90.9 %  177  5.5 ± 2.3 ms  44.43 ms",
		"10:01:07  writer 1  put    972.48  1070  90.9 %  177  5.5 ± 2.3 ms",
		"10:01:07  writer 1  put    972.48  1070  90.9 %  177  5.5 ms  44.43 ms",
	} {
		if slices.Equal(Layout(one), Layout([]string{one[0], one[1], changed, one[3], one[4]})) {
			t.Errorf("nobody notices %q", changed)
		}
	}
}
