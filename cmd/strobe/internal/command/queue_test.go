// SPDX-License-Identifier: BSD-3-Clause

package command

import (
	"os"
	"runtime"
	"sync"
	"testing"
)

func TestWaitingForAProcessorIsReadFromTheKernel(t *testing.T) {
	if got, ok := parseTask("300 100 7\n"); !ok || got != (task{300, 100}) {
		t.Errorf("%+v, %v", got, ok)
	}
	for _, text := range []string{"", "300 100", "a 1 1", "1 a 1", "1 2 3 4"} {
		if got, ok := parseTask(text); ok {
			t.Errorf("%q: %+v", text, got)
		}
	}
	w := &watched{tasks: map[string]task{"1": {200, 100}, "2": {100, 0}}}
	if got, ok := w.share(); !ok || got != 0.25 {
		t.Errorf("%v, %v", got, ok)
	}
	if _, ok := (&watched{}).share(); ok {
		t.Error("nothing was seen, which is not the same as no waiting")
	}
}

func TestStolenTimeIsThatOfTheRun(t *testing.T) {
	before, after := times{5, 100}, times{10, 125}
	if got, ok := after.since(before); !ok || got != 0.2 {
		t.Errorf("%v, %v", got, ok)
	}
	for _, none := range []times{before, {}, {4, 125}, {10, 99}} {
		if got, ok := none.since(before); ok {
			t.Errorf("%+v: %v", none, got)
		}
	}
	if _, ok := after.since(times{}); ok {
		t.Error("the start is not known")
	}
}

// An answer is a writer that answers the first text with a line, so that the program runs until its output was seen.
type answer struct {
	once sync.Once
	to   *os.File
}

func (a *answer) Write(p []byte) (int, error) {
	a.once.Do(func() { a.to.WriteString("\n") })
	return len(p), nil
}

// toShell returns the standard input of a shell, and what writes to it.
func toShell(t *testing.T) (in, to *os.File) {
	t.Helper()
	if runtime.GOOS == "js" || runtime.GOOS == "windows" {
		t.Skip("starts a shell")
	}
	in, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); to.Close() })
	return in, to
}

// The waiting of a program that prints while it runs is measured; on a busy processor it has waited.
func TestARunKnowsWhetherItsThreadsWaited(t *testing.T) {
	in, to := toShell(t)
	p := Program{Args: []string{"sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo $i; read x"}, Input: in, Output: &answer{to: to}, Watch: true}
	r, err := p.Exec(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("/proc/self/schedstat"); err != nil {
		if r.Known.Queued || r.Queued != 0 {
			t.Errorf("%v is known where the system does not say: %+v", r.Queued, r.Known)
		}
		return
	}
	if !r.Known.Queued || r.Queued < 0 || r.Queued >= 1 {
		t.Errorf("%v, %+v", r.Queued, r.Known)
	}
	p.Output = &answer{to: to}
	p.Watch = false
	if r, err := p.Exec(t.Context()); err != nil || r.Known.Queued || r.Known.Stolen {
		t.Errorf("not asked for: %+v, %v", r, err)
	}
}
