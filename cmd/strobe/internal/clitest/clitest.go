// SPDX-License-Identifier: BSD-3-Clause

// Package clitest runs one verb in the process of a test.
package clitest

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
)

// Run runs a command with this one verb and the given standard input. It returns the output and the exit code.
func Run(t testing.TB, verb cli.Verb, input string, args ...string) (out, errout string, code int) {
	t.Helper()
	return RunNarrow(t, 0, verb, input, args...)
}

// RunNarrow is Run with a terminal of the given number of columns; 0 means no terminal.
func RunNarrow(t testing.TB, columns int, verb cli.Verb, input string, args ...string) (out, errout string, code int) {
	t.Helper()
	t.Setenv("COLUMNS", strconv.Itoa(columns))
	var o, e bytes.Buffer
	code = cli.Run(t.Context(), []cli.Verb{verb}, args, strings.NewReader(input), &o, &e)
	return o.String(), e.String(), code
}

// Golden compares got with testdata/name. If update is set, it first writes got to that file.
func Golden(t *testing.T, update bool, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if update {
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

// Write writes a file into a new folder and returns its path.
func Write(t testing.TB, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// Help checks that the help of a verb has at most the given number of lines, of 80 columns. The manual, cmd/strobe/doc.go,
// contains its text.
func Help(t *testing.T, verb cli.Verb, lines int) {
	t.Helper()
	out, errout, code := Run(t, verb, "", verb.Name, "--help")
	if code != 0 || errout != "" {
		t.Errorf("exit %d, %q on standard error", code, errout)
	}
	Fits(t, out, lines, 80)
}

// Fits fails the test if a text has more lines or columns than given.
func Fits(t *testing.T, text string, lines, columns int) {
	t.Helper()
	if n := strings.Count(text, "\n"); n > lines {
		t.Errorf("%d lines, more than %d", n, lines)
	}
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > columns {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}
