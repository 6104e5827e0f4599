// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/tether"
	"github.com/strobe-go/strobe/profile"
)

// Another goroutine holds the lock that three turns of a loop need.
func TestTheCauseOfASlowUnitIsTold(t *testing.T) {
	for try := range 3 { // a busy machine has other causes
		folder := filepath.Join(t.TempDir(), "a", "slow")
		_, errout, _ := execute(t, &Command{Flags: Flags{Capture: folder}}, "", true, "slow")
		_, o := callsOf(t, errout[strings.Index(errout, "\n{")+1:], "main.turn")
		i := slices.IndexFunc(o.Slow, func(s slowObject) bool { return s.Root == "main.turn" && s.Cause == "lock" })
		explained := 0
		for _, s := range o.Slow {
			explained += s.Explained
		}
		files, err := filepath.Glob(filepath.Join(folder, "*.html"))
		if err != nil || max(len(files)-explained, explained-len(files)) > 1 || o.SlowUnits < uint64(explained) { // the last one may not be passed on in time
			t.Errorf("%v, %d files of %d explained units, of %d slow ones", err, len(files), explained, o.SlowUnits)
		}
		if info, err := os.Stat(folder); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
			t.Errorf("the folder: %v, %v", info, err)
		}
		if i < 0 {
			if try < 2 {
				t.Logf("once more: %s", errout)
				continue
			}
			t.Fatalf("no turn that waited for a lock: %s", errout)
		}
		if s := o.Slow[i]; s.Longest < int64(40*time.Millisecond) || s.Lost <= 0 || s.Usual <= 0 || s.Next == "" || !strings.Contains(s.Sentence, "waiting for a lock") || !strings.Contains(errout, "strobe: "+s.Root+" took ") {
			t.Errorf("%+v\n%s", s, errout)
		}
		return
	}
}

func TestWithoutASlowUnitTheReasonIsTold(t *testing.T) {
	for mode, want := range map[string]string{"few": "the unit called most, main.turn, was called 10 times", "echo": "none of the functions that were called is a unit"} {
		_, errout, code := execute(t, &Command{Flags: Flags{Capture: t.TempDir()}}, "", false, mode)
		if text := strings.Join(strings.Fields(strings.ReplaceAll(errout, "strobe:", "")), " "); code != 0 || !strings.Contains(text, "no slow unit was explained: one must take 1.5 times the median of more than 16 before it, and 1 ms longer; "+want) {
			t.Errorf("%s: exit code %d, %s", mode, code, errout)
		}
	}
}

func TestWhatCountsAsSlowIsAsInPackageCapture(t *testing.T) {
	for file, want := range map[string]string{"capture.go": "o.Factor = 1.5\n", "root.go": "const least = time.Millisecond"} {
		if text, err := os.ReadFile(filepath.Join("../../../../../capture", file)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%v, no %q in %s: change what aboutSlow says", err, want, file)
		}
	}
}

func TestAFolderForCapturesThatCannotBeMadeIsNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	if _, err := (&Command{Flags: Flags{Capture: filepath.Join(file, "slow")}}).captures(); err == nil || !strings.HasPrefix(err.Error(), "--capture: ") || !strings.Contains(err.Error(), file) {
		t.Error(err)
	}
	if folder, err := new(Command).captures(); folder != "" || err != nil {
		t.Errorf("%q, %v", folder, err)
	}
	if _, err := os.Stat("slow"); err == nil {
		t.Error("a folder was made")
	}
}

// unitOf is a slow unit, whose name and cause may be evil.
func unitOf(root, cause string, took time.Duration) tether.Slow {
	return tether.Slow{Root: root, Cause: cause, Took: took, Usual: time.Millisecond, Sentence: root + " took " + took.String(), Next: "wait\x1b[2J", Units: 7}
}

func TestWhatTheProgramSaysOfSlowUnitsIsWritten(t *testing.T) {
	r := tether.Reading{Said: []string{"request took 5ms\x1b[2J"}, Faults: []string{"capture cannot write a file: no space"},
		Slow: []tether.Slow{unitOf("request", "lock", 5*time.Millisecond), unitOf("request", "lock", 9*time.Millisecond), unitOf("request", "gc", 30*time.Millisecond)}}
	for quiet, want := range map[bool]string{false: "strobe: request took 5ms?[2J\nstrobe: capture cannot write a file: no space\n", true: "strobe: capture cannot write a file: no space\n"} {
		var said bytes.Buffer
		l := slowLog{folder: "slow", to: &said, quiet: quiet}
		l.add(r)
		if said.String() != want {
			t.Errorf("%q", said.String())
		}
		unknown := r.Slow[0]
		unknown.Usual = 0
		l.add(tether.Reading{Slow: []tether.Slow{unknown}})
		l.add(tether.Reading{Watching: 0.1})
		l.add(tether.Reading{Watching: 0.02})
		u := l.end()
		if u.watching != 0.02 || len(u.kinds) != 2 || u.all != 7 || u.kinds[0].cause != "gc" || u.kinds[1].explained != 3 || u.kinds[1].lost != 12*time.Millisecond || u.kinds[1].longest.Took != 9*time.Millisecond {
			t.Errorf("%+v", u)
		}
		for i := range 2 * mostKinds {
			l.add(tether.Reading{Slow: []tether.Slow{unitOf(fmt.Sprint(i), "lock", time.Second)}})
		}
		if n := len(l.end().kinds); n != mostKinds {
			t.Errorf("%d kinds are kept", n)
		}
	}
}

func TestTheTableOfSlowUnitsIsBounded(t *testing.T) {
	l := slowLog{folder: "slow"}
	for i := range 50 {
		l.add(tether.Reading{Slow: []tether.Slow{unitOf(fmt.Sprintf("r%d\x1b[2J", i), "lock", time.Duration(i+2)*time.Millisecond)}})
	}
	x := newReport(".", ending{}, measured(1, 1), time.Now(), true)
	x.slowUnits = l.end()
	text := textOf(x, 10)
	if n := strings.Count(text, " lock "); n != 10 || strings.Contains(text, "\x1b") {
		t.Errorf("%d rows: %q", n, text)
	}
	for _, want := range []string{"r49?[2J took 51ms. Next: wait?[2J.", "10 of 50; --rows -1 shows all", "50 of 350 slow units were explained; strobe capture slow shows them, with the evidence."} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// slowCalls makes the calls of the second function 10 ms long, and one of them longer.
func slowCalls(r tether.Reading, calls uint64) tether.Reading {
	z := &r.Snapshot.Lanes[0].Zones[1]
	z.Calls, z.Timed, z.Max, z.Histogram = calls, calls, 90*time.Millisecond, profile.Histogram{First: 10, Counts: []uint64{calls}, NsPerTick: 1e6}
	return r
}

func TestWhatExplanationsRestOnIsTold(t *testing.T) {
	r := measured(1, 1)
	r.Snapshot.Zones[0].Root = true
	z := &r.Snapshot.Lanes[0].Zones[0]
	z.Calls, z.Timed, z.Open = 0, 0, 1
	x := newReport(".", ending{}, r, time.Now(), true)
	says := func(want string, is bool) {
		t.Helper()
		if text := strings.Join(strings.Fields(strings.ReplaceAll(textOf(x, 10), "strobe:", "")), " "); strings.Contains(text, want) != is {
			t.Errorf("%q: %v in %s", want, !is, text)
		}
	}
	x.slowUnits.folder = "slow"
	says("; no call of a unit had ended", true)
	x.slowUnits.kinds = []*slowKind{{root: "request", cause: "lock", explained: 1, longest: tether.Slow{Took: time.Second}}}
	says("request lock 1 unknown 1 s unknown", true)
	says("with fewer sources", false)
	says("looking for slow units and explaining them took", false)
	x.slowUnits.degrees, x.slowUnits.watching = []string{"a", "b"}, 0.02
	says("slow units were explained with fewer sources: a; b", true)
	says("looking for slow units and explaining them took 2.0 % of a processor", true)
	x.slowUnits.kinds = nil // it is so, too, if none was explained
	says("no slow unit was explained", true)
	says("looking for slow units and explaining them took 2.0 % of a processor", true)
}

// The flag is named where it would tell something: the calls of a unit differ by much.
func TestTheReportNamesTheFlagIfAUnitWasSlow(t *testing.T) {
	for longest, want := range map[time.Duration]bool{90 * time.Millisecond: true, 10_900 * time.Microsecond: false} {
		r := measured(2, 1)
		r.Snapshot.Zones[1].Root = true // of which two calls are too few
		if text := textOf(newReport(".", ending{}, slowCalls(r, leastUsual), time.Now(), true), 10); strings.Contains(text, "--capture") {
			t.Errorf("%s", text)
		}
		r = slowCalls(r, 100)
		r.Snapshot.Lanes[0].Zones[1].Max = longest
		x := newReport(".", ending{}, r, time.Now(), true)
		if text := strings.Join(strings.Fields(textOf(x, 10)), " "); strings.Contains(text, "f1 took up to 90 ms, with a median of 1") != want || strings.Contains(text, "--capture DIR") != want {
			t.Errorf("%v: %s", longest, text)
		}
		x.slowUnits.folder = "slow" // a slow unit that was not explained is not called fast
		if text := strings.Join(strings.Fields(strings.ReplaceAll(textOf(x, 10), "strobe:", "")), " "); strings.Contains(text, "--capture") || !strings.Contains(text, "no slow unit was explained") ||
			strings.Contains(text, ", and no slow unit was explained: it may have come before it was known what is usual") != want || strings.Contains(text, "called 100 times") == want {
			t.Errorf("with the flag: %s", text)
		}
	}
}
