// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/profile"
)

// ownLanes reports whether zones are measured by goroutine here.
func ownLanes() bool {
	notes := strings.Join(strobe.TakeSnapshot().Notes, " ")
	return strobe.Enabled && !strings.Contains(notes, "cannot be distinguished")
}

func TestASecondOfWorkIsShownByLaneAndZone(t *testing.T) {
	dir := t.TempDir()
	for _, span := range []string{"1s", "4s", "16s"} { // the longer ones for a machine so busy that not everything happens in the first
		var out, errout bytes.Buffer
		code := run(t.Context(), []string{"-for", span, "-writers", "2", "-readers", "1", "-dir", dir}, &out, &errout)
		if code != exitDone || errout.Len() > 0 {
			t.Fatalf("exit %d, %q", code, errout.String())
		}
		if !strings.Contains(out.String(), " puts, each of them on the disk; ") {
			t.Errorf("no summary in\n%s", out.String())
		}
		missing := ""
		for _, line := range []string{"writer 1 +put", "writer 2 +fsync \\(wait\\)", "writer 1 +turn \\(wait\\)", "writer 2 +commit", "reader 1 +get"} {
			if ownLanes() && !regexp.MustCompile(line).MatchString(out.String()) {
				missing = line
			}
		}
		if missing == "" {
			break
		}
		if span == "16s" {
			t.Errorf("no line %q in\n%s", missing, out.String())
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestEveryPutAndItsPartsAreCounted(t *testing.T) {
	if !ownLanes() {
		t.Skip("goroutines have no lanes of their own in this build")
	}
	s, err := open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.remove()
	before := strobe.TakeSnapshot()
	for i := range 10 {
		if err := s.put([]byte{byte(i)}, []byte("value")); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.put(nil, nil); err == nil {
		t.Error("a put without a key succeeds")
	}
	for i := range 20 {
		if found, err := s.get([]byte{byte(i)}); err != nil || found != (i < 10) {
			t.Errorf("key %d: %v, %v", i, found, err)
		}
	}
	if err := s.put([]byte{11}, nil); err != nil {
		t.Errorf("after a put that failed: %v", err)
	}
	now := strobe.TakeSnapshot()
	s1 := now.Sub(before)
	total := map[string]profile.ZoneStats{}
	for _, z := range s1.Totals() {
		total[s1.Zones[z.Zone].Name] = z
	}
	for name, want := range map[string]uint64{"put": 12, "turn": 12, "commit": 11, "fsync": 11, "get": 20} {
		if total[name].Calls != want {
			t.Errorf("%s: %d calls, want %d", name, total[name].Calls, want)
		}
	}
	parts := total["put"].Self + total["turn"].Total + total["commit"].Total + total["fsync"].Total
	if d := parts - total["put"].Total; d < -time.Microsecond || d > time.Microsecond { // each is rounded to a nanosecond
		t.Errorf("put takes %v, its parts %v", total["put"].Total, parts)
	}
}

func TestADatabaseThatFailsEndsTheProgram(t *testing.T) {
	s, err := open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.remove()
	s.db.Close()
	if _, err := work(t.Context(), s, 2, 2); err == nil || !regexp.MustCompile(`^(writer|reader) [12]: `).MatchString(err.Error()) {
		t.Errorf("error %v", err)
	}
}

func TestBadInputGetsOneLine(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-nonsense"}, "-nonsense"},
		{[]string{"-for", "5"}, "such as 5s"},
		{[]string{"-for", "-5s"}, "such as 5s"},
		{[]string{"-writers", "-1"}, "from 0 to 1000"},
		{[]string{"-writers", "1001"}, "from 0 to 1000"},
		{[]string{"-readers", "many"}, "from 0 to 1000"},
		{[]string{"-readers"}, "-readers"},
		{[]string{"-writers", "0", "-readers", "0"}, "at least one"},
		{[]string{"more"}, "\"more\""},
		{[]string{"-dir", "missing"}, "-dir"},
		{[]string{"-dir", "main.go"}, "-dir"},
	} {
		var out, errout bytes.Buffer
		code := run(t.Context(), c.args, &out, &errout)
		if code != exitUsage || out.Len() > 0 || strings.Count(errout.String(), "\n") != 1 || !strings.Contains(errout.String(), c.want) {
			t.Errorf("%q: exit %d, %q, %q", c.args, code, out.String(), errout.String())
		}
	}
}

func TestHelp(t *testing.T) {
	var out, errout bytes.Buffer
	if code := run(t.Context(), []string{"-h"}, &out, &errout); code != exitDone || out.String() != usage || errout.Len() > 0 {
		t.Errorf("exit %d, %q, %q", code, out.String(), errout.String())
	}
}

func TestInterruptPrintsWhatWasMeasured(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(200*time.Millisecond, cancel)
	var out, errout bytes.Buffer
	code := run(ctx, []string{"-for", "0", "-writers", "1", "-readers", "0", "-dir", t.TempDir()}, &out, &errout)
	if code != exitInterrupted || !strings.Contains(out.String(), " 0 gets") || errout.Len() > 0 {
		t.Errorf("exit %d, %q, %q", code, out.String(), errout.String())
	}
}

type refuser struct{}

func (refuser) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestOutputThatFailsEndsTheProgram(t *testing.T) {
	var errout bytes.Buffer
	code := run(t.Context(), []string{"-for", "0", "-dir", t.TempDir()}, refuser{}, &errout)
	if code != exitUsage || errout.String() != "kv: cannot write the report: disk full\n" {
		t.Errorf("exit %d, %q", code, errout.String())
	}
}

func TestProgramBuildsAndRuns(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "kv")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	if text, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	dir := t.TempDir()
	if text, err := exec.Command(binary, "-for", "300ms", "-dir", dir).CombinedOutput(); err != nil || !strings.Contains(string(text), " puts") {
		t.Errorf("%v\n%s", err, text)
	}
	var exit *exec.ExitError
	if err := exec.Command(binary, "-for", "soon").Run(); !errors.As(err, &exit) || exit.ExitCode() != exitUsage {
		t.Errorf("a bad flag: %v", err)
	}
	if runtime.GOOS == "windows" {
		return // there is no interrupt to send
	}
	cmd := exec.Command(binary, "-for", "0", "-dir", dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for { // until it works
		if folders, _ := filepath.Glob(filepath.Join(dir, "kv*", "kv.db")); len(folders) > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	cmd.Process.Signal(os.Interrupt)
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted {
		t.Errorf("interrupted: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
