// SPDX-License-Identifier: BSD-3-Clause

package unusual

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/internal/long"
)

// build builds a program of testdata, and returns its file. It skips t where the go command says that it cannot build such a program here.
func build(t *testing.T, name string, flags ...string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), name)
	out, err := exec.Command("go", append(append([]string{"build", "-o", file}, flags...), "./testdata/"+name)...).CombinedOutput()
	switch text := string(out); {
	case err == nil:
	case strings.Contains(text, "not supported on"), strings.Contains(text, "build constraints exclude all Go files"), strings.Contains(text, "C compiler"):
		t.Skipf("this program cannot be built here: %s", text)
	default:
		t.Fatalf("%v\n%s", err, text)
	}
	return file
}

// prints runs a program and compares what it prints.
func prints(t *testing.T, want, file string, args ...string) {
	t.Helper()
	out, err := exec.Command(file, args...).CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || got != want {
		t.Errorf("%s %s: %v\n%s\nwant\n%s", filepath.Base(file), strings.Join(args, " "), err, got, want)
	}
}

// A thread of C gets a goroutine when it first calls Go, and another thread the same one later.
func TestCallsFromThreadsOfC(t *testing.T) {
	threads, each := 300, 10
	if long.Enabled {
		threads, each = 4800, 25
	}
	calls := 0 // thread i calls to a depth of i%3
	for i := range threads {
		calls += (1 + i%3) * each
	}
	prints(t, fmt.Sprint(calls, calls, calls, 0), build(t, "callbacks"), fmt.Sprint(threads), fmt.Sprint(each))
}

// A plugin and its host share what they both import, so there is one profiler.
func TestZonesOfAPluginAreInTheSameTree(t *testing.T) {
	long.Only(t)
	part := build(t, "part", "-buildmode=plugin")
	prints(t, "0 host 1000\n1 part 1000\n2 back 1000", build(t, "host"), part)
}

func TestAProgramBuiltFromItsProfileCountsTheSame(t *testing.T) {
	long.Only(t)
	const want = "outer 20000 true\ninner 200000 true\ndeep 2000000 true"
	recorded := filepath.Join(t.TempDir(), "cpu.pprof")
	plain := build(t, "guided")
	prints(t, want, plain, "20000", recorded)
	prints(t, want, build(t, "guided", "-pgo="+recorded), "20000")
}
