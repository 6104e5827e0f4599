// SPDX-License-Identifier: BSD-3-Clause

package exact

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

const printed = "goos: linux\ngoarch: arm64\npkg: example.com/x\nUnit instructions/op better=lower\nBenchmarkA \t 100\t 12 instructions/op\t 3 B/op\n" +
	"hello\nBenchmarkB 7 many instructions/op\nPASS\nok  \texample.com/x\t0.1s\n"

func TestTheObjectHasTheBenchmarksAndAllOtherLines(t *testing.T) {
	o, err := objectOf([]byte(printed), errors.New("it failed"), false)
	if err != nil || len(o.Benchmarks) != 1 || len(o.Skipped) != 1 || o.Failure != "it failed" || strings.Join(o.Output, "|") != "hello|PASS|ok  \texample.com/x\t0.1s" {
		t.Fatalf("%v, %+v", err, o)
	}
	b := o.Benchmarks[0]
	if b.Package != "example.com/x" || b.Name != "A" || b.Iterations != 100 || len(b.Values) != 2 || b.Values[0] != (exactValue{"instructions/op", 12}) {
		t.Errorf("%+v", b)
	}
}

// Scripts take the place of the tools that the verb starts, so that this test needs no emulator.
func TestExactPrintsOneJSONObject(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("starts shell scripts")
	}
	dir := t.TempDir()
	script := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	script("qemu-system-aarch64", "exit 1\n")
	script("go", "[ $1 = test ] || exit 1\ncat <<'END'\n"+printed+"END\nexit $FAKE_EXIT\n")
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	for exit, code := range map[string]int{"0": session.Done, "1": session.CommandFailed} {
		t.Setenv("FAKE_EXIT", exit)
		out, _, got := strobe(t, "exact", "--json", "--kernel", filepath.Join(dir, "go"), "test", "./...")
		var o exactObject
		if err := json.Unmarshal([]byte(out), &o); err != nil || got != code || o.Schema != 1 || len(o.Benchmarks) != 1 || (o.Failure != "") != (code != 0) {
			t.Errorf("%v, exit %d, want %d: %s", err, got, code, out)
		}
	}
	t.Setenv("FAKE_EXIT", "0")
	script("go", "[ $1 = test ] || exit 1\necho PASS\n")
	if _, errout, code := strobe(t, "exact", "--kernel", filepath.Join(dir, "go"), "test", "./...", "-bench=."); code != session.CommandFailed || !strings.Contains(errout, "no benchmark ran") {
		t.Errorf("no benchmark: exit %d, %q", code, errout)
	}
	script("go", "[ $1 = test ] || exit 1\nprintf 'BenchmarkA \\t 1\\t 7 instructions/op\\nBenchmarkB \\t 1\\t\\nPASS\\n'\n")
	if _, errout, code := strobe(t, "exact", "--kernel", filepath.Join(dir, "go"), "test", "./...", "-bench=."); code != session.CommandFailed || !strings.Contains(errout, "BenchmarkB reports no figure") {
		t.Errorf("one that panicked late: exit %d, %q", code, errout)
	}
	script("go", "[ $1 = test ] || exit 1\necho PASS\n")
	if _, errout, code := strobe(t, "exact", "--kernel", filepath.Join(dir, "go"), "test", "./..."); code != session.Done {
		t.Errorf("none asked for: exit %d, %q", code, errout)
	}
	if out, errout, code := strobe(t, "exact", "--user", "--kernel", filepath.Join(dir, "go"), "test", "./..."); code != session.Usage || out != "" || !strings.Contains(errout, "in user mode cannot be counted") {
		t.Errorf("instructions of the machine are not those of user mode: exit %d, %q, %q", code, out, errout)
	}
}

func TestSetupKeepsAKernelAndSaysWhatElseIsMissing(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("STROBE_CACHE", cache)
	t.Setenv("PATH", t.TempDir()) // no QEMU
	kernel := filepath.Join(t.TempDir(), "Image")
	if err := os.WriteFile(kernel, []byte(strings.Repeat("\x00", 56)+"ARM\x64"+strings.Repeat("\x00", 10)), 0o666); err != nil {
		t.Fatal(err)
	}
	out, errout, code := strobe(t, "exact", "--setup", "--kernel", kernel, "--json")
	var o exactObject
	if err := json.Unmarshal([]byte(out), &o); err != nil || o.Kernel != filepath.Join(cache, "arm64", "vmlinuz-Image") || code != session.Usage ||
		!strings.Contains(errout, "qemu-system-aarch64 is not in PATH") || !strings.Contains(errout, "apt-get install") {
		t.Errorf("%v, exit %d, %q, %q", err, code, out, errout)
	}
	if out, _, _ = strobe(t, "exact", "--setup"); !strings.Contains(out, "vmlinuz-Image") { // there is a kernel already
		t.Errorf("%q", out)
	}
}
