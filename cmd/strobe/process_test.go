// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// build builds the command and returns its path.
func build(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "js" || testing.Short() {
		t.Skip("builds and runs a process")
	}
	binary := filepath.Join(t.TempDir(), "strobe.exe")
	if text, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return binary
}

// closedPipe returns the end of a pipe whose other end nobody reads.
func closedPipe(t *testing.T) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	t.Cleanup(func() { w.Close() })
	return w
}

func TestAProcessWhoseReaderGoesAwayKeepsItsExitCode(t *testing.T) {
	binary := build(t)
	for _, c := range []struct {
		args []string
		code int
	}{{[]string{"demo", "--for=0", "--boids=50", "--http=off"}, 0}, {gated(t), 1}} {
		var e bytes.Buffer
		cmd := exec.Command(binary, c.args...)
		cmd.Stdout, cmd.Stderr = closedPipe(t), &e
		cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != c.code {
			t.Errorf("%q: exit %d, %q", c.args, code, e.String())
		}
	}
}
