// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/frames"
)

// verbs is a command with this verb alone.
func verbs() []cli.Verb { return []cli.Verb{{Name: "frames", Command: new(Command)}} }

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

// captured unpacks a real capture from the tests of package frames and returns its path.
func captured(t *testing.T, name string) string {
	t.Helper()
	packed, err := os.Open(filepath.Join("..", "..", "..", "..", "..", "frames", "testdata", name+".gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	r, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return clitest.Write(t, name, string(text))
}

// milliseconds returns a list of frame times.
func milliseconds(n int, mean float64, seed uint64) string {
	var b strings.Builder
	r := rand.New(rand.NewPCG(seed, 1))
	for range n {
		fmt.Fprintf(&b, "%.4f\n", mean+r.NormFloat64())
	}
	return b.String()
}

func TestFramesShowsACapture(t *testing.T) {
	out, errout, code := strobe(t, "frames", captured(t, "ocat-metro-exodus.csv"), "--preset", "capframex")
	if code != session.Done || errout != "" {
		t.Fatalf("exit %d, %q", code, errout)
	}
	for _, want := range []string{"MetroExodus.exe (13840)\n", "\n2502 frames in 25.39 s, by the definitions of capframex\n",
		"\naverage                          99 fps  at least ", "\n1 % low average                73.7 fps  at most ", ") no interval: an extreme grows with",
		"* by strobe's definition: capframex has no such figure\n", "Note: few frames: of 2502 frames"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	explained, _, _ := strobe(t, "frames", captured(t, "ocat-metro-exodus.csv"), "--explain")
	if !strings.Contains(explained, "\n- average: 1000·n over the sum of the frame times\n") {
		t.Errorf("no definitions in\n%s", explained)
	}
}

func TestFramesComparesCapturesOfDifferentFiles(t *testing.T) {
	a, b, same := clitest.Write(t, "a.txt", milliseconds(500, 16, 1)), clitest.Write(t, "b.txt", milliseconds(500, 12, 2)), clitest.Write(t, "c.txt", milliseconds(500, 16, 3))
	out, errout, code := strobe(t, "frames", a, b, same)
	if code != session.Done || errout != "" {
		t.Fatalf("exit %d, %q", code, errout)
	}
	second, third, _ := strings.Cut(out[strings.Index(out, "2 less 1"):], "3 less 1")
	if !strings.Contains(second, "  higher\n") || !strings.Contains(third, "average") {
		t.Errorf("%s", out)
	}
	for line := range strings.Lines(third) {
		if strings.HasPrefix(line, "average") && !strings.Contains(line, "no difference shown") {
			t.Errorf("the same process twice: %s", line)
		}
	}
	for line := range strings.Lines(out) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestFramesJSONHasTheKeysThatOthersRead(t *testing.T) {
	whole := captured(t, "capframex-re2.csv")
	text, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	file := clitest.Write(t, "part.csv", strings.Join(lines[:1500], "")) // a part is enough, since five presets take long
	var rows float64
	for _, line := range lines[:1500] {
		if strings.HasPrefix(line, "re2.exe") {
			rows++
		}
	}
	for _, preset := range []string{"strobe", "presentmon", "capframex", "mangohud", "afterburner"} {
		out, _, code := strobe(t, "frames", file, "--preset", preset, "--json")
		var o struct {
			Schema   int
			Captures []map[string]any
		}
		if err := json.Unmarshal([]byte(out), &o); err != nil || code != session.Done || o.Schema != 1 || len(o.Captures) != 1 {
			t.Fatalf("%s: exit %d, %v, %s", preset, code, err, out)
		}
		c := o.Captures[0]
		if c["file"] != file || c["process"] != "re2.exe" || c["frames"] != rows || c["preset"] != preset {
			t.Errorf("%v %v %v %v", c["file"], c["process"], c["frames"], c["preset"])
		}
		for _, key := range []string{"avg_fps", "p1_fps", "p01_fps", "low1_average_fps", "low01_average_fps", "low1_integral_fps", "low01_integral_fps"} {
			if v, ok := c[key].(float64); !ok || v < 150 || v > 300 {
				t.Errorf("%s: %s is %v", preset, key, c[key])
			}
		}
		if strings.Contains(out, "null") {
			t.Errorf("%s: null", preset)
		}
	}
	out, _, _ := strobe(t, "frames", whole, captured(t, "ocat-metro-exodus.csv"), "--json")
	if !strings.Contains(out, `"comparisons": [`) || !strings.Contains(out, `"base": 0`) || !strings.Contains(out, `"clear": true`) {
		t.Error("no comparison in the JSON of two files")
	}
}

func TestFramesSaysWhereAFileIsBroken(t *testing.T) {
	for _, c := range []struct {
		text string
		args []string
		code int
		errs string
	}{
		{"16\n17\nfoo\n18\n", nil, session.Done, `:3: "foo" is not a number; the rest is used`},
		{"", nil, session.Usage, "strobe frames: standard input"},
		{"hello\nworld\n", nil, session.Usage, "strobe frames: standard input"},
		{"a,b\n1,2\n", []string{"--column=c"}, session.Usage, "c"},
		{"16\n", []string{"--process=x"}, session.Usage, `no process "x"`},
		{"16\n", []string{"--unit=h"}, session.Usage, `"h" is not a unit; give ns, us, ms or s`},
		{"16\n", []string{"--preset=fraps"}, session.Usage, `no preset "fraps"; the presets are strobe, presentmon`},
		{"16\n", []string{"--level=0"}, session.Usage, `"0" is not a confidence level`},
		{"16\n", []string{"--html=capture.csv"}, session.Usage, "does not end in .html"},
		{"16\n", []string{"--html=/nonexistent/x.html"}, session.Unwritten, "/nonexistent/x.html"},
		{"16\n", []string{"/nonexistent/file"}, session.Usage, "/nonexistent/file"},
		{"16\n", []string{"."}, session.Usage, "is a directory"},
	} {
		out, errout, code := strobeIn(t, c.text, append([]string{"frames", "-"}, c.args...)...)
		if code != c.code || !strings.Contains(errout, c.errs) || strings.Count(errout, "\n") != 1 || code == session.Done && !strings.Contains(out, "3 frames") {
			t.Errorf("%q %q: exit %d, %q, want %q\n%s", c.text, c.args, code, errout, c.errs, out)
		}
	}
	if _, errout, code := strobe(t, "frames"); code != session.Usage || !strings.Contains(errout, "FILE") {
		t.Errorf("no file: exit %d, %q", code, errout)
	}
}

func TestFramesSaysHowManyFramesThereAreAndHowLongTheyLast(t *testing.T) {
	arithmetic(t)
	for text, want := range map[string]string{
		"16.6\n":                       "\n1 frame in 16.6 ms, by",
		"16\n17\n18\n":                 "\n3 frames in 51 ms, by",
		strings.Repeat("500000\n", 40): "\n40 frames in 20000 s, by",
	} {
		if out, _, code := strobeIn(t, text, "frames", "-"); code != session.Done || !strings.Contains(out, want) {
			t.Errorf("exit %d, no %q in\n%.300s", code, want, out)
		}
	}
}

func TestFramesPrintsNothingThatMovesTheCursor(t *testing.T) {
	out, _, code := strobeIn(t, "Application,ProcessID,SwapChainAddress,msBetweenPresents\ng\x1b[2Jame\u202e.exe,1,0x1,16\ng\x1b[2Jame\u202e.exe,1,0x1,17\n", "frames", "-")
	if code != session.Done || strings.ContainsAny(out, "\x1b\u202e") || !strings.Contains(out, "g?[2Jame?.exe") {
		t.Errorf("exit %d, %q", code, out)
	}
}

func TestFramesInterruptedShowsTheFiguresItHas(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		io.WriteString(w, milliseconds(100, 16, 1))
		io.WriteString(w, "16\n")
		cancel()
	}()
	var o, e bytes.Buffer
	code := cli.Run(ctx, verbs(), []string{"frames", "-"}, r, &o, &e)
	if code != session.Interrupted || e.Len() > 0 || !strings.Contains(o.String(), "average") || !strings.Contains(o.String(), "no interval") ||
		!strings.Contains(o.String(), "Note: incomplete input: standard input: interrupted while it was read") {
		t.Errorf("exit %d, %q, %s", code, e.String(), o.String())
	}
}

func TestFiguresSayThatTheirIntervalsWereInterrupted(t *testing.T) {
	p, err := analyze(t.Context(), frames.Options{Level: -1, Resamples: -1}, []frames.Capture{{Frames: []float64{16, 17, 18}}})
	if err != nil {
		t.Fatal(err)
	}
	interrupted(p)
	for _, m := range p.Captures[0].Report.Metrics {
		if m.Interval.Reason != "interrupted before it was computed" {
			t.Errorf("%s: %q", m.Key, m.Interval.Reason)
		}
	}
}

func TestFramesWritesAPage(t *testing.T) {
	page := filepath.Join(t.TempDir(), "out.html")
	_, errout, code := strobeIn(t, milliseconds(500, 16, 1), "frames", "-", "--html", page)
	if code != session.Done || errout != "" {
		t.Fatalf("exit %d, %q", code, errout)
	}
	text, err := os.ReadFile(page)
	if err != nil || !strings.HasPrefix(string(text), "<!doctype html>") || !strings.Contains(string(text), "500 frames") {
		t.Errorf("%v, %.100s", err, text)
	}
}

func TestFramesFitsANarrowTerminal(t *testing.T) {
	a, b := clitest.Write(t, "a.txt", milliseconds(500, 16, 1)), clitest.Write(t, "b.txt", milliseconds(500, 12, 2))
	for _, columns := range []int{60, 80} {
		for _, files := range [][]string{{a}, {a, b}} {
			out, _, code := clitest.RunNarrow(t, columns, verbs()[0], "", append([]string{"frames", "--explain"}, files...)...)
			if code != session.Done {
				t.Errorf("exit %d", code)
			}
			clitest.Fits(t, out, 120, columns)
			if len(files) > 1 && strings.Contains(out, "Omitted") != (columns == 60) {
				t.Errorf("%d columns:\n%s", columns, out)
			}
		}
	}
}

// A number without its first digits would look like a different number.
func TestFramesCutsNoNumberOnANarrowTerminal(t *testing.T) {
	arithmetic(t)
	a, b := captured(t, "capframex-re2.csv"), captured(t, "ocat-metro-exodus.csv")
	again := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return clitest.Write(t, "again-"+filepath.Base(name), string(text))
	}
	cut := regexp.MustCompile(`…[^ ]*\d[^ ]* (fps|ms|%|in)|\d…`)
	for columns, stacked := range map[int]bool{45: true, 60: true, 80: false, 120: false} {
		for _, args := range [][]string{{a, b}, {"--group", "the configuration before", a, again(a), "--group", "after", b, again(b)}} {
			out, _, code := clitest.RunNarrow(t, columns, verbs()[0], "", append([]string{"frames"}, args...)...)
			if code != session.Done {
				t.Fatalf("exit %d", code)
			}
			clitest.Fits(t, out, 200, columns)
			for line := range strings.Lines(out) {
				if cut.MatchString(line) {
					t.Errorf("%d columns: %s", columns, line)
				}
			}
			if strings.Contains(out, "The terminal is narrow: tables") != stacked {
				t.Errorf("%d columns:\n%s", columns, out)
			}
			if i, j := strings.Index(out, "286.3 fps"), max(strings.Index(out, "99 fps"), strings.LastIndex(out, "100 fps")); i < 0 || j < i || stacked && strings.Count(out[i:j], "\n") < 3 {
				t.Errorf("%d columns: an average is missing, or not in the order given:\n%s", columns, out)
			}
			_, tables, _ := strings.Cut(out, "average  ") // the tables follow the line with the level
			tables, _, _ = strings.Cut(tables, " less ")
			if shown := strings.Contains(tables, "[285.8, 286.8]") || strings.Contains(tables, " ["); shown == strings.Contains(tables, "Omitted") {
				t.Errorf("%d columns: intervals shown %v:\n%s", columns, shown, out)
			}
		}
	}
}

func TestFramesSaysInItsResultThatAFileIsDamaged(t *testing.T) {
	const text = "16\n17\nfoo\n18\n"
	out, _, code := strobeIn(t, text, "frames", "-")
	if code != session.Done || !strings.Contains(strings.Join(strings.Fields(out), " "), `Note: incomplete input: standard input:3: "foo" is not a number`) {
		t.Errorf("exit %d\n%s", code, out)
	}
	if out, _, _ := strobeIn(t, text, "frames", "-", "--json"); !strings.Contains(out, `"damage": [`) {
		t.Errorf("%s", out)
	}
	if out, errout, code := strobeIn(t, text, "frames", "-", "--strict"); code != session.Usage || !strings.Contains(out, "3 frames") || strings.Count(errout, "\n") != 1 {
		t.Errorf("--strict: exit %d, %q\n%s", code, errout, out)
	}
}

func TestFramesShowsEachScene(t *testing.T) {
	arithmetic(t)
	text := milliseconds(1000, 10, 1) + milliseconds(1000, 20, 2)
	out, _, code := strobeIn(t, text, "frames", "-")
	flat := strings.Join(strings.Fields(out), " ")
	for _, want := range []string{" scene from to frames average P1 1 % low average 1 0 s ", " s 1000 100.", " s 1000 49.", "Note: not stationary: the scene changes near 9.9"} {
		if code != session.Done || !strings.Contains(flat, want) {
			t.Errorf("exit %d, no %q in\n%s", code, want, out)
		}
	}
	if out, _, _ := strobeIn(t, milliseconds(2000, 10, 1), "frames", "-"); strings.Contains(out, "scene") {
		t.Errorf("one scene:\n%s", out)
	}
}

func TestReadingShowsHowFarItIs(t *testing.T) {
	var shown []string
	c := &counted{r: strings.NewReader(strings.Repeat("x", 1000)), show: func(bytes int64) { shown = append(shown, reading("a.csv", bytes, 1000)) }}
	part := make([]byte, 250)
	for i := range 4 {
		if i > 0 {
			c.next = time.Unix(1, 0) // long ago
		}
		if n, err := c.Read(part); n != 250 || err != nil {
			t.Fatal(n, err)
		}
	}
	if want := "[reading a.csv, 50 % reading a.csv, 75 % reading a.csv, 100 %]"; fmt.Sprint(shown) != want {
		t.Errorf("%v, want %s", shown, want)
	}
	c.next = time.Now().Add(time.Hour)
	if _, err := c.Read(part); err != io.EOF || len(shown) != 3 {
		t.Errorf("%v, shown before it is time: %v", err, shown)
	}
	if got := reading("standard\x1b input", 2_500_000, 0); strings.Contains(got, "\x1b") || !strings.HasSuffix(got, ", 2 MB") {
		t.Errorf("%q", got)
	}
}
