// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/capture"
	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/profile"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

const ms = time.Millisecond

func verb() cli.Verb { return cli.Verb{Name: "capture", Command: new(Command)} }

// made is a report of a request that waited for a lock.
func made() capture.Report {
	return capture.Report{
		Schema: capture.Schema, Root: "request", Unit: "span", Goroutine: 12, At: time.Date(2026, 1, 2, 3, 4, 5, 678_901_000, time.UTC), Took: 69 * ms, Usual: 9 * ms,
		Cause: capture.Lock, Share: 0.97, Spent: 58 * ms, Zone: "save", Where: "main.save (store.go:41)", By: "goroutine 35, which was in fsync in zone flush",
		Next: "move fsync out of the lock", Notes: []profile.Note{{Key: "route", Value: "/cart"}},
		Split: &profile.Split{Running: 10 * ms, Ready: 200_000, Waiting: 58*ms + 800_000},
		Account: []capture.Part{
			{Cause: capture.Lock, Took: 58 * ms, Zone: "save", Where: "main.save (store.go:41)", By: "goroutine 35"},
			{Cause: capture.Own, Took: 11 * ms, Usual: 9 * ms, Zone: "render"},
		},
		Degrees: []string{"the kernel's switch records are refused"}, Slow: 12, Explained: 8, Left: 3, Overhead: capture.Overhead{Explaining: 0.008, Reading: 0.002, Events: 0.03}, Cost: 12 * ms, Program: "server", Go: "go1.26.1", System: "linux/amd64",
		Evidence: &capture.Evidence{
			Tracks: []capture.Track{
				{Goroutine: 12, Role: "unit", States: []capture.State{{To: 3 * ms, State: "running"},
					{From: 3 * ms, To: 61 * ms, State: "waiting", Reason: "sync", Zone: "save", Where: "main.save (store.go:41)", By: 35, ByWhere: "main.flush (store.go:88)"}, {From: 61 * ms, To: 69 * ms, State: "running"}}},
				{Goroutine: 35, Role: "waker", States: []capture.State{{From: -4 * ms, To: 60 * ms, State: "syscall", Zone: "flush", Where: "os.(*File).Sync (file_posix.go:169)"}}},
			},
			Ranges:  []capture.Range{{From: 64 * ms, To: 66 * ms, Name: "GC concurrent mark phase"}, {From: 65 * ms, To: 67 * ms, Name: "GC assist"}},
			Off:     []capture.Off{{From: 66 * ms, To: 67 * ms, Thread: 4711, Preempted: true}},
			Samples: []capture.Sample{{At: 63 * ms, Stack: []string{"main.render (render.go:12)"}}},
		},
	}
}

// keep writes a capture into a folder.
func keep(t *testing.T, dir, name string, r capture.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := capture.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// several are captures of two causes in three places, and what they are called.
func several(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for i := range 3 {
		r := made()
		r.Took, r.Spent = r.Took+time.Duration(i)*ms, r.Spent+time.Duration(i)*ms
		keep(t, dir, fmt.Sprintf("a%d.html", i), r)
	}
	r := made()
	r.Root, r.Unit, r.Cause, r.Zone, r.Where = "game", "frame", capture.GC, "", ""
	keep(t, dir, "b.html", r)
	r.Cause, r.Spent = capture.Unclear, 0
	keep(t, dir, "c.html", r)
	return dir
}

func TestHelp(t *testing.T) { clitest.Help(t, verb(), 40) }

func TestOneCaptureIsExplained(t *testing.T) {
	file := keep(t, t.TempDir(), "a.html", made())
	out, errout, code := clitest.Run(t, verb(), "", "capture", file)
	if code != session.Done || errout != "" {
		t.Errorf("exit %d, %q", code, errout)
	}
	clitest.Golden(t, *update, "one.txt", strings.ReplaceAll(out, made().String(), "SENTENCE"))
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if piped, _, code := clitest.Run(t, verb(), string(text), "capture", "-"); piped != out || code != session.Done {
		t.Errorf("exit %d, from standard input:\n%s", code, piped)
	}
	narrow, _, _ := clitest.RunNarrow(t, 60, verb(), "", "capture", file)
	clitest.Fits(t, narrow, 60, 60)
}

// What is said of units that took longer than a second, and than a minute.
func TestLongUnitsAreNamed(t *testing.T) {
	r := made()
	r.Took, r.Usual, r.Spent, r.Notes = 83_400*ms, 1_520*ms, 82_000*ms, []profile.Note{{Value: "save screenshot"}}
	r.Split = &profile.Split{Running: 1_400 * ms, Waiting: 82_000 * ms}
	r.Account = []capture.Part{{Cause: capture.Lock, Took: 82_000 * ms}, {Cause: capture.Own, Took: 1_400 * ms, Usual: 1_400 * ms}}
	r.Evidence = &capture.Evidence{Tracks: []capture.Track{{Goroutine: 12, Role: "unit", States: []capture.State{{To: 82_000 * ms, State: "waiting", Reason: "sync"}, {From: 82_000 * ms, To: 83_400 * ms, State: "running"}}}}}
	dir := t.TempDir()
	out, _, code := clitest.Run(t, verb(), "", "capture", keep(t, dir, "a.html", r))
	for _, want := range []string{"request took 83.4 s, 81.9 s more than usual: 82 s waiting for a lock", "save screenshot", "lock           82 s    0 ns   98.3 %", "together     83.4 s  1.52 s  100.0 %",
		"It was 1.4 s running, 82 s waiting.", "goroutine 12: waiting (sync) for 82 s"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	r.Took = 1_520 * ms
	keep(t, dir, "b.html", r)
	out, _, _ = clitest.Run(t, verb(), "", "capture", dir)
	if code != session.Done || !strings.Contains(out, "83.4 s") || !strings.Contains(out, "164 s") {
		t.Errorf("exit %d, of two:\n%s", code, out)
	}
}

func TestSeveralCapturesAreSummed(t *testing.T) {
	dir := several(t)
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errout, code := clitest.Run(t, verb(), "", "capture", dir)
	if code != session.Done || errout != "" {
		t.Errorf("exit %d, %q", code, errout)
	}
	clitest.Golden(t, *update, "several.txt", strings.ReplaceAll(out, dir+string(filepath.Separator), "DIR/"))
}

func TestTheTableOfCausesIsBoundedAndSaysSo(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 * mostCauses {
		r := made()
		r.Where, r.Spent = fmt.Sprintf("main.f%d (x.go:1)", i), time.Duration(i+1)*ms
		keep(t, dir, fmt.Sprintf("%d.html", i), r)
	}
	out, _, code := clitest.Run(t, verb(), "", "capture", dir)
	if n := strings.Count(out, "\nlock "); code != session.Done || n != mostCauses || !strings.Contains(out, "main.f59 ") || strings.Contains(out, "main.f39 ") || !strings.Contains(out, "\n20 of 60 rows, the most time first; --json has all") {
		t.Errorf("%d rows:\n%s", n, out)
	}
	r := made()
	for j := range 40 {
		r.Evidence.Tracks = append(r.Evidence.Tracks, capture.Track{Goroutine: int64(100 + j), States: []capture.State{{To: 60 * ms, State: "waiting"}}})
	}
	out, _, _ = clitest.Run(t, verb(), "", "capture", keep(t, t.TempDir(), "x.html", r))
	if n := strings.Count(out, "\n- goroutine "); n != mostEvidence || !strings.Contains(out, " more, which --json has\n") {
		t.Errorf("%d lines of evidence:\n%s", n, out)
	}
}

func TestJSONHasWhatProgramsRead(t *testing.T) {
	dir := several(t)
	var one struct {
		Schema            int
		Cause, Zone       string
		Where, Next       string
		Share             float64
		Evidence, Degrees []string
		Captures          []any
	}
	out, _, code := clitest.Run(t, verb(), "", "capture", "--json", filepath.Join(dir, "a0.html"))
	if err := json.Unmarshal([]byte(out), &one); err != nil || code != session.Done {
		t.Fatalf("exit %d, %v", code, err)
	}
	if one.Schema != 1 || one.Cause != "lock" || one.Zone != "save" || one.Where != "main.save (store.go:41)" || one.Share != 0.97 || one.Next == "" || len(one.Evidence) != 6 || len(one.Degrees) != 2 || one.Captures != nil {
		t.Errorf("%s", out)
	}
	var all struct {
		Schema   int
		Cause    *string
		Captures []struct{ Cause string }
		Causes   []struct {
			Cause, Root string
			Captures    int
			Spent       time.Duration `json:"spent_ns"`
			File        string        `json:"longest_file"`
		}
	}
	out, _, code = clitest.Run(t, verb(), "", "capture", "--json", dir)
	if err := json.Unmarshal([]byte(out), &all); err != nil || code != session.Done {
		t.Fatalf("exit %d, %v", code, err)
	}
	if len(all.Captures) != 5 || len(all.Causes) != 3 || all.Cause != nil {
		t.Fatalf("%s", out)
	}
	if c := all.Causes[0]; c.Cause != "lock" || c.Captures != 3 || c.Spent != 177*ms || filepath.Base(c.File) != "a2.html" {
		t.Errorf("first %+v", c)
	}
	if c := all.Causes[1]; c.Cause != "unclear" || c.Spent != 60*ms || c.Root != "game" {
		t.Errorf("second %+v", c)
	}
}

func TestWhatIsNoCaptureIsNamed(t *testing.T) {
	dir := several(t)
	bad := clitest.Write(t, "bad.html", "<p>hello")
	for _, c := range []struct {
		args []string
		want string
		out  bool
	}{
		{[]string{bad}, "cannot read " + bad + ": it is no capture: it has no report", false},
		{[]string{filepath.Join(dir, "none")}, "it does not exist", false},
		{[]string{t.TempDir()}, "has no captures", false},
		{[]string{filepath.Join(dir, "a0.html"), bad}, "1 of 2 files cannot be read", true},
		{[]string{bad, bad}, "2 of 2 files cannot be read", false},
		{nil, "FILE", false},
	} {
		out, errout, code := clitest.Run(t, verb(), "", append([]string{"capture"}, c.args...)...)
		if code != session.Usage || !strings.Contains(errout, c.want) || (out != "") != c.out {
			t.Errorf("%q: exit %d, %q", c.args, code, errout)
		}
	}
}

func TestTextsFromAFileDoNotControlTheTerminal(t *testing.T) {
	r := made()
	const evil = "a\x1b[2Jb\u202ec\nd"
	r.Root, r.Zone, r.Where, r.By, r.Next, r.Program, r.Degrees = evil, evil, evil, evil, evil, evil, []string{evil}
	r.Notes[0].Key, r.Account[0].Where, r.Evidence.Tracks[0].States[1].Where, r.Evidence.Samples[0].Stack[0] = evil, evil, evil, evil
	dir := t.TempDir()
	file := keep(t, dir, "a.html", r)
	for _, args := range [][]string{{file}, {dir}, {"--json", file}, {"--json", dir}} {
		if out, _, _ := clitest.Run(t, verb(), "", append([]string{"capture"}, args...)...); strings.ContainsAny(out, "\x1b\u202e") {
			t.Errorf("%q: %q", args, out)
		}
	}
}
