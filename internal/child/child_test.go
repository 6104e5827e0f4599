// SPDX-License-Identifier: BSD-3-Clause

package child

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestChildIsAnotherProcess(t *testing.T) {
	for _, name := range []string{"one", "two (with signs) a.b*"} {
		t.Run(name, func(t *testing.T) {
			parent := os.Getpid()
			t.Setenv("STROBE_CHILD_PARENT", "set")
			if Process(t, func(p *os.Process) { parent = p.Pid }) && os.Getppid() == parent {
				t.Error("runs in the parent")
			} else if os.Getenv(variable) == "" && parent == os.Getpid() {
				t.Error("nothing was started")
			}
		})
	}
}

// A record is a testing.TB that records messages and does not end the test.
type record struct {
	testing.TB
	skipped, failed string
}

func (*record) Helper()                        {}
func (r *record) Skip(args ...any)             { r.skipped += fmt.Sprint(args...) }
func (r *record) Skipf(text string, _ ...any)  { r.skipped += text }
func (r *record) Errorf(text string, _ ...any) { r.failed += text }

func TestParentTakesOverWhatBecameOfTheChild(t *testing.T) {
	if os.Getenv(variable) != "" { // a child
		t.Run("skipped", func(t *testing.T) { t.Skip("a reason") })
		t.Run("failed", func(t *testing.T) { t.Error("a fault") })
		t.Run("passed", func(*testing.T) {})
		return
	}
	for name, want := range map[string]record{
		"skipped": {skipped: "in a process of its own"}, "failed": {failed: "%v"}, "passed": {}, "missing": {failed: "did not run"},
	} {
		r := &record{TB: named{t, t.Name() + "/" + name}}
		if Process(r) {
			t.Errorf("%s: this is not the child", name)
		}
		if strings.Contains(r.skipped, "this system") {
			t.Skip(r.skipped)
		}
		if !strings.Contains(r.skipped, want.skipped) || !strings.Contains(r.failed, want.failed) || (r.skipped == "") != (want.skipped == "") || (r.failed == "") != (want.failed == "") {
			t.Errorf("%s: skipped %q, failed %q", name, r.skipped, r.failed)
		}
	}
}

// named is a test under another name.
type named struct {
	testing.TB
	name string
}

func (n named) Name() string { return n.name }

func TestWhatTheSystemCannotStartIsSkippedAndOtherErrorsAreNot(t *testing.T) {
	for err, skipped := range map[error]bool{syscall.ENOEXEC: true, syscall.ENOENT: runtime.GOARCH == "wasm", nil: false} {
		var r record
		if err != nil {
			err = &os.PathError{Op: "fork/exec", Path: "x", Err: err}
		}
		if SkipIfNotStarted(&r, err); (r.skipped != "") != skipped {
			t.Errorf("%v: skipped %q", err, r.skipped)
		}
	}
}

func TestCommandUsesTheEmulator(t *testing.T) {
	for by, want := range map[string][]string{"": {os.Args[0], "-x"}, "/bin/emulate": {"/bin/emulate", os.Args[0], "-x"}} {
		t.Setenv(emulator, by)
		if got := Command("-x").Args; !slices.Equal(got, want) {
			t.Errorf("emulator %q: %q, want %q", by, got, want)
		}
	}
}
