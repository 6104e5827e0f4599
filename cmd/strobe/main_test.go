// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// run runs the command in process, with nothing on standard input.
func run(ctx context.Context, args []string, out, errw io.Writer) int {
	return cli.Run(ctx, verbs(), args, strings.NewReader(""), out, errw)
}

// strobe runs the command and returns what it printed.
func strobe(t *testing.T, args ...string) (out, errout string, code int) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(t.Context(), args, &o, &e)
	return o.String(), e.String(), code
}

func TestHelpIsShortAndGoesToStandardOutput(t *testing.T) {
	out, errout, code := strobe(t)
	if code != session.Done || errout != "" {
		t.Errorf("exit %d, %q on standard error", code, errout)
	}
	clitest.Fits(t, out, 50, 80)
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
		if out != c.want || errout != "" || code != session.Done {
			t.Errorf("%q: exit %d, %q, %q", c.args, code, out, errout)
		}
	}
}

func TestVersion(t *testing.T) {
	out, errout, code := strobe(t, "--version")
	if fields := strings.Fields(out); code != session.Done || errout != "" || len(fields) < 2 || fields[0] != "strobe" || strings.Count(out, "\n") != 1 {
		t.Errorf("exit %d, %q, %q", code, out, errout)
	}
}

// Every wrong usage gets exit code 2 and one line that says what is wrong and what to do.
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
		{[]string{"top", "--loop"}, []string{"--loop: missing value", "strobe top --help"}},
		{[]string{"frames", "--column"}, []string{"--column: missing value", "strobe frames --help"}},
		{[]string{"demo", "--rate", "--json"}, []string{"--rate", `"--json"`, rates}},
		{[]string{"demo", "--for", "10"}, []string{"--for", `"10"`, spans}},
		{[]string{"demo", "--for", "-10s"}, []string{"--for", `"-10s"`, spans}},
		{[]string{"demo", "--for", "99999999h"}, []string{"--for", spans}},
		{[]string{"demo", "--for"}, []string{"--for", spans}},
		{[]string{"demo", "--http", "6061"}, []string{"--http", `"6061"`, "HOST:PORT"}},
		{[]string{"demo", "--http", "127.0.0.1:x"}, []string{"--http", "HOST:PORT"}},
		{[]string{"top", "a b"}, []string{`"a b"`, "HOST:PORT"}},
		{[]string{"trace"}, []string{"--output", "strobe trace --help"}},
		{[]string{"trace", "-o", "x.txt"}, []string{`"x.txt"`, ".pftrace"}},
		{[]string{"trace", "-o", "x.json", "--for", "2m"}, []string{"--for", "up to a minute"}},
		{[]string{"demo", "--boids", "0"}, []string{"--boids", "1 to 100000"}},
		{[]string{"demo", "--boids", "1e3"}, []string{"--boids", "1 to 100000"}},
		{[]string{"demo", "--boids", "99999999999999999999"}, []string{"--boids", "1 to 100000"}},
	} {
		out, errout, code := strobe(t, c.args...)
		if code != session.Usage || out != "" {
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
		for _, args := range [][]string{{"--help"}, {"--version"}, {"demo", "--for=100ms", "--json", "--http=off"}, {"demo", "--for=0", "--http=off"}} {
			var e bytes.Buffer
			code := run(t.Context(), args, &breaking{0, err}, &e) // --for=0 returns because the first second cannot be written
			if code != session.Done || e.Len() != 0 {
				t.Errorf("%q, %v: exit %d, %q", args, err, code, e.String())
			}
		}
	}
}

// gated returns the arguments for compare with two files of results for which its gate fails.
func gated(t *testing.T) []string {
	text := func(ns int) string {
		return strings.Repeat(fmt.Sprintf("BenchmarkA 1 %d ns/op\nBenchmarkA 1 %d ns/op\n", ns, ns+1), 10)
	}
	return []string{"compare", "--gate=5%", clitest.Write(t, "old", text(100)), clitest.Write(t, "new", text(200))}
}

func TestTheExitCodeHoldsWhoeverReads(t *testing.T) {
	args := gated(t)
	for _, w := range []io.Writer{io.Discard, &breaking{0, io.ErrClosedPipe}, &breaking{10, io.ErrClosedPipe}, &breaking{0, errors.New("no space left on device")}} {
		for _, flag := range []string{"--no-color", "--json"} {
			var e bytes.Buffer
			if code := run(t.Context(), append(args, flag), w, &e); code != session.GateFailed {
				t.Errorf("%s into %+v: exit %d, %q", flag, w, code, e.String())
			}
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	once := command.Join([]string{self, "-test.run=^$"})
	code := run(t.Context(), []string{"bench", "--runs=2", "--warmup=0", "--gate=5%", once, once}, &breaking{0, io.ErrClosedPipe}, io.Discard)
	if code != session.Inconclusive {
		t.Errorf("bench: exit %d", code)
	}
}

func TestAFullDiskHasAnExitCodeOfItsOwn(t *testing.T) {
	for _, args := range [][]string{{"demo", "--for=0", "--http=off"}, {"--help"}} {
		var e bytes.Buffer
		code := run(t.Context(), args, &breaking{10, errors.New("no space left on device")}, &e)
		if code != session.Unwritten || strings.Count(e.String(), "\n") != 1 || !strings.Contains(e.String(), "cannot write the results: no space left on device") {
			t.Errorf("%q: exit %d, %q", args, code, e.String())
		}
	}
	if _, errout, code := strobe(t, "stat", filepath.Join(t.TempDir(), "missing")); code != session.Usage || !strings.Contains(errout, "it does not exist") {
		t.Errorf("a missing file: exit %d, %q", code, errout)
	}
}

func TestInterruptPrintsWhatWasGathered(t *testing.T) {
	for _, args := range [][]string{{"demo", "--for=0", "--http=off"}, {"demo", "--for=1h", "--json", "--http=off"}} {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(200*time.Millisecond, cancel)
		var o, e bytes.Buffer
		code := run(ctx, args, &o, &e)
		if code != session.Interrupted || e.Len() != 0 {
			t.Errorf("%q: exit %d, %q", args, code, e.String())
		}
		for _, want := range []string{"tick", "census"} {
			if !strings.Contains(o.String(), want) {
				t.Errorf("%q: no %s in %q", args, want, o.String())
			}
		}
	}
}

func TestColourNeedsATerminal(t *testing.T) {
	if out, _, _ := strobe(t, "demo", "--for=50ms", "--http=off"); strings.Contains(out, "\x1b") { // a buffer is not a terminal
		t.Errorf("colour in %q", out)
	}
}

// compare reads what bench exports.
func TestCompareReadsWhatBenchExports(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	file, command := filepath.Join(t.TempDir(), "r.json"), command.Join([]string{self, "-test.run=^$"})
	if _, errout, code := strobe(t, "bench", "--runs=3", "--warmup=0", "--export", file, command); code != session.Done {
		t.Fatalf("exit %d, %q", code, errout)
	}
	if out, errout, code := strobe(t, "compare", file, file); code != session.Done || !strings.Contains(out, "p=1.000 n=3") {
		t.Errorf("exit %d, %q, %q", code, out, errout)
	}
}

// A second link to the old file shows whether the file was overwritten, which a full disk could leave damaged, or replaced.
func TestFilesOfResultsAreReplacedWhole(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	server := httptest.NewServer(http.HandlerFunc(serveEvents))
	defer server.Close()
	capture := clitest.Write(t, "frames", strings.Repeat("16\n17\n16.5\n", 100))
	for name, args := range map[string][]string{
		"r.json": {"bench", "--runs=2", "--warmup=0", command.Join([]string{self, "-test.run=^$"}), "--export"}, "r.html": {"frames", capture, "--html"}, "t.json": {"trace", "--for=0", server.URL, "-o"},
	} {
		file := clitest.Write(t, name, "old")
		kept := filepath.Join(filepath.Dir(file), "kept")
		if err := os.Link(file, kept); err != nil {
			t.Skip(err)
		}
		if _, errout, code := strobe(t, append(args, file)...); code != session.Done {
			t.Errorf("%s: exit %d, %q", args[0], code, errout)
		}
		text, _ := os.ReadFile(file)
		if old, err := os.ReadFile(kept); err != nil || string(old) != "old" || string(text) == "old" {
			t.Errorf("%s: %v, the old file has %q", args[0], err, old)
		}
	}
}
