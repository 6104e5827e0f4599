// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
	"testing"
)

const asCommand = "STROBE_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

// binary returns the path of this test binary, which acts as the command in processes that it starts.
func binary(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "js" {
		t.Skip("runs a process")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(asCommand, "1")
	return self
}

// closedPipe returns the write end of a pipe whose read end is closed.
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
	self := binary(t)
	for _, c := range []struct {
		args []string
		code int
	}{{[]string{"demo", "--for=0", "--boids=50", "--http=off"}, 0}, {gated(t), 1}} {
		var e bytes.Buffer
		cmd := exec.Command(self, c.args...)
		cmd.Stdout, cmd.Stderr = closedPipe(t), &e
		cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != c.code {
			t.Errorf("%q: exit %d, %q", c.args, code, e.String())
		}
	}
}
