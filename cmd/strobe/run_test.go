// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// strobe runs the command in process.
func strobe(t *testing.T, args ...string) (out, errout string, code int) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(""), &o, &e)
	return o.String(), e.String(), code
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("%s is no longer what is printed (go test -update rewrites it):\n%s", file, got)
	}
}

func TestHelpIsShortAndGoesToStandardOutput(t *testing.T) {
	for name, args := range map[string][]string{
		"help.txt":        {},
		"help_demo.txt":   {"demo", "--help"},
		"help_probe.txt":  {"probe", "--help"},
		"help_exact.txt":  {"exact", "--help"},
		"help_stat.txt":   {"stat", "--help"},
		"help_frames.txt": {"frames", "--help"},
	} {
		out, errout, code := strobe(t, args...)
		if code != exitDone || errout != "" {
			t.Errorf("%q: exit %d, %q on standard error", args, code, errout)
		}
		golden(t, name, out)
		if lines := strings.Count(out, "\n"); lines > 40 {
			t.Errorf("%q: %d lines of help", args, lines)
		}
		for line := range strings.Lines(out) {
			if len([]rune(line)) > 111 {
				t.Errorf("%q: a wide line: %s", args, line)
			}
		}
	}
}

func TestHelpIsFoundWhereverItIsAskedFor(t *testing.T) {
	whole, _, _ := strobe(t)
	demo, _, _ := strobe(t, "demo", "--help")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--help"}, whole},
		{[]string{"-h"}, whole},
		{[]string{"help"}, whole},
		{[]string{"nonsense", "--help"}, whole},
		{[]string{"help", "demo"}, demo},
		{[]string{"demo", "-h"}, demo},
		{[]string{"demo", "--rate", "x", "--help"}, demo},
		{[]string{"demo", "--nonsense", "-h"}, demo},
	} {
		out, errout, code := strobe(t, c.args...)
		if out != c.want || errout != "" || code != exitDone {
			t.Errorf("%q: exit %d, %q, %q", c.args, code, out, errout)
		}
	}
}

func TestVersion(t *testing.T) {
	out, errout, code := strobe(t, "--version")
	if fields := strings.Fields(out); code != exitDone || errout != "" || len(fields) < 2 || fields[0] != "strobe" || strings.Count(out, "\n") != 1 {
		t.Errorf("exit %d, %q, %q", code, out, errout)
	}
}

// Every wrong usage gets one line that names what was wrong and what to do, and exit code 2.
func TestBadInputGetsOneLine(t *testing.T) {
	const rates, spans = "give a number from 0.1 to 100000", "give one such as 10s"
	for _, c := range []struct {
		args  []string
		wants []string
	}{
		{[]string{"nonsense"}, []string{`unknown verb "nonsense"`, "strobe --help"}},
		{[]string{"dmo"}, []string{`unknown verb "dmo"`, `did you mean "demo"`}},
		{[]string{"de\nmo\x1b[31m"}, []string{"unknown verb"}},
		{[]string{""}, []string{`unknown verb ""`}},
		{[]string{"-"}, []string{`unknown verb "-"`}},
		{[]string{"--"}, []string{"a verb is missing"}},
		{[]string{"--json"}, []string{"a verb is missing", "strobe --help"}},
		{[]string{"--nonsense"}, []string{"--nonsense", "strobe --help"}},
		{[]string{"-x"}, []string{"-x"}},
		{[]string{"demo", "--nonsense"}, []string{"--nonsense", "strobe demo --help"}},
		{[]string{"demo", "--raet", "60"}, []string{"--raet", `did you mean "--rate"`}},
		{[]string{"demo", "more"}, []string{"more", "strobe demo --help"}},
		{[]string{"demo", "mo\nre"}, []string{"mo re"}},
		{[]string{"demo", "--json=perhaps"}, []string{"--json", "perhaps"}},
		{[]string{"demo", "--rate", "0"}, []string{"--rate", `"0"`, rates}},
		{[]string{"demo", "--rate", "-60"}, []string{"--rate", `"-60"`, rates}},
		{[]string{"demo", "--rate=-60"}, []string{"--rate", `"-60"`, rates}},
		{[]string{"demo", "--rate", "NaN"}, []string{"--rate", `"NaN"`, rates}},
		{[]string{"demo", "--rate", "+Inf"}, []string{"--rate", `"+Inf"`, rates}},
		{[]string{"demo", "--rate", "1e9"}, []string{"--rate", `"1e9"`, rates}},
		{[]string{"demo", "--rate", "1e999"}, []string{"--rate", `"1e999"`, rates}},
		{[]string{"demo", "--rate", "0.0999"}, []string{"--rate", `"0.0999"`, rates}},
		{[]string{"demo", "--rate", "sixty"}, []string{"--rate", `"sixty"`, rates}},
		{[]string{"demo", "--rate", "60Hz"}, []string{"--rate", `"60Hz"`, rates}},
		{[]string{"demo", "--rate", ""}, []string{"--rate", `""`, rates}},
		{[]string{"demo", "--rate"}, []string{"--rate", rates}},
		{[]string{"demo", "--rate", "--json"}, []string{"--rate", `"--json"`, rates}},
		{[]string{"demo", "--for", "10"}, []string{"--for", `"10"`, spans}},
		{[]string{"demo", "--for", "-10s"}, []string{"--for", `"-10s"`, spans}},
		{[]string{"demo", "--for", "99999999h"}, []string{"--for", spans}},
		{[]string{"demo", "--for"}, []string{"--for", spans}},
		{[]string{"demo", "--boids", "0"}, []string{"--boids", "1 to 100000"}},
		{[]string{"demo", "--boids", "1e3"}, []string{"--boids", "1 to 100000"}},
		{[]string{"demo", "--boids", "99999999999999999999"}, []string{"--boids", "1 to 100000"}},
	} {
		out, errout, code := strobe(t, c.args...)
		if code != exitUsage || out != "" {
			t.Errorf("%q: exit %d, %q on standard output", c.args, code, out)
		}
		if strings.Count(errout, "\n") != 1 || !strings.HasSuffix(errout, "\n") || !strings.HasPrefix(errout, "strobe") || strings.Contains(errout, "\x1b") {
			t.Errorf("%q: not one clean line: %q", c.args, errout)
		}
		for _, want := range c.wants {
			if !strings.Contains(errout, want) {
				t.Errorf("%q: %q does not contain %q", c.args, errout, want)
			}
		}
	}
}

// A breaking writer accepts some bytes and then fails.
type breaking struct {
	left int
	err  error
}

func (b *breaking) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, b.err
	}
	return len(p), nil
}

func TestAReaderThatGoesAwayEndsTheRunQuietly(t *testing.T) {
	for _, err := range []error{fmt.Errorf("write: %w", io.ErrClosedPipe), io.ErrClosedPipe} {
		for _, args := range [][]string{{"--help"}, {"--version"}, {"demo", "--for=100ms", "--json"}, {"demo", "--for=0"}} {
			var e bytes.Buffer
			code := run(t.Context(), args, nil, &breaking{0, err}, &e) // --for=0 returns because the first second cannot be written
			if code != exitDone || e.Len() != 0 {
				t.Errorf("%q, %v: exit %d, %q", args, err, code, e.String())
			}
		}
	}
}

func TestHeadOfAPipeEndsTheProcessQuietly(t *testing.T) {
	if runtime.GOOS == "js" || testing.Short() {
		t.Skip("builds and runs a process")
	}
	binary := filepath.Join(t.TempDir(), "strobe.exe")
	if text, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var e bytes.Buffer
	cmd := exec.Command(binary, "demo", "--for=0", "--boids=50")
	cmd.Stdout, cmd.Stderr = w, &e
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	r.Read(make([]byte, 1))
	r.Close()
	if err := cmd.Wait(); err != nil || e.Len() > 0 {
		t.Errorf("%v, %q", err, e.String())
	}
}

func TestAFullDiskIsSaidInOneLine(t *testing.T) {
	var e bytes.Buffer
	code := run(t.Context(), []string{"demo", "--for=0"}, nil, &breaking{10, errors.New("no space left on device")}, &e)
	if code != exitUsage || strings.Count(e.String(), "\n") != 1 || !strings.Contains(e.String(), "no space left on device") {
		t.Errorf("exit %d, %q", code, e.String())
	}
}

func TestInterruptPrintsWhatWasGathered(t *testing.T) {
	for _, args := range [][]string{{"demo", "--for=0"}, {"demo", "--for=1h", "--json"}} {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(200*time.Millisecond, cancel)
		var o, e bytes.Buffer
		code := run(ctx, args, nil, &o, &e)
		if code != exitInterrupted || e.Len() != 0 {
			t.Errorf("%q: exit %d, %q", args, code, e.String())
		}
		for _, want := range []string{"tick", "census"} {
			if !strings.Contains(o.String(), want) {
				t.Errorf("%q: no %s in %q", args, want, o.String())
			}
		}
	}
}

func TestColourNeedsATerminalThatWantsIt(t *testing.T) {
	out, _, _ := strobe(t, "demo", "--for=50ms") // a buffer is no terminal
	if strings.Contains(out, "\x1b") {
		t.Errorf("colour in %q", out)
	}
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	if !wantsColor() {
		t.Error("an empty NO_COLOR forbids colour")
	}
	t.Setenv("NO_COLOR", "1")
	if wantsColor() {
		t.Error("NO_COLOR=1 allows colour")
	}
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "dumb")
	if wantsColor() {
		t.Error("a dumb terminal gets colour")
	}
}
