// SPDX-License-Identifier: BSD-3-Clause

// Package child runs a test in a separate process, in which nothing has been measured yet, or in which limits are set
// and system calls are refused.
package child

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

const variable = "STROBE_CHILD"

// Process runs the test t again in a separate process and reports whether this is that process. In the parent it takes
// over the result: t fails, or is skipped, as the child was. It skips t where the system cannot run the test's program,
// as when an unknown emulator runs it. Each of started is called with the process once it has been started.
func Process(t testing.TB, started ...func(*os.Process)) bool {
	t.Helper()
	return process(t, []*syscall.SysProcAttr{nil}, started)
}

// process is Process with the first of some attributes with which the system starts a process.
func process(t testing.TB, with []*syscall.SysProcAttr, started []func(*os.Process)) bool {
	t.Helper()
	if os.Getenv(variable) == t.Name() {
		return true
	}
	var out strings.Builder
	var cmd *exec.Cmd
	var err error
	for _, attributes := range with {
		cmd = Command("-test.run="+pattern(t.Name()), "-test.v", "-test.count=1", "-test.timeout=20m", // a busy machine under the race detector
			fmt.Sprintf("-test.short=%t", testing.Short()))
		cmd.Env = append(os.Environ(), variable+"="+t.Name())
		cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = &out, &out, attributes
		if err = cmd.Start(); err == nil {
			break
		}
	}
	if err == nil {
		for _, f := range started {
			f(cmd.Process)
		}
		err = cmd.Wait()
	} else if with[0] != nil {
		t.Skip("this system starts no process with such attributes: ", err)
	}
	SkipIfNotStarted(t, err)
	switch {
	case err != nil:
		t.Errorf("%v\n%s", err, out.String())
	case strings.Contains(out.String(), "--- SKIP: "+t.Name()+" "):
		t.Skipf("in a process of its own:\n%s", out.String())
	case !strings.Contains(out.String(), "--- PASS: "+t.Name()+" "):
		t.Errorf("the test did not run:\n%s", out.String())
	}
	return false
}

// emulator is the variable that names the program which emulates the test's own, where the system cannot run that itself.
const emulator = "STROBE_EMULATOR"

// Command returns the command that runs the test's program again with these arguments.
func Command(args ...string) *exec.Cmd {
	if by := os.Getenv(emulator); by != "" {
		return exec.Command(by, append([]string{os.Args[0]}, args...)...)
	}
	return exec.Command(os.Args[0], args...)
}

// SkipIfNotStarted skips t if err, of starting the test's own program, says that the system cannot do that.
func SkipIfNotStarted(t testing.TB, err error) {
	t.Helper()
	switch {
	case errors.Is(err, syscall.ENOEXEC):
		t.Skip("this system cannot run the test's own program, which is being emulated; name the emulator in "+emulator+": ", err)
	case err != nil && runtime.GOARCH == "wasm":
		t.Skip("this system starts no processes: ", err)
	}
}

// pattern returns the value of -test.run that selects the test or subtest with that name.
func pattern(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}
