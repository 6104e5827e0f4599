// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package command

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/strobe-go/strobe/perf"
)

func TestARunHasItsCosts(t *testing.T) {
	var out bytes.Buffer
	p := Program{Args: script("echo hello; sleep 0.02; exit 3"), Output: &out, Ignore: true, Events: []perf.Event{perf.PageFaults}}
	r, err := p.Exec(t.Context())
	if err != nil || r.Exit != 3 || r.Wall < 20*time.Millisecond || out.String() != "hello\n" {
		t.Errorf("%+v, %v, %q", r, err, out.String())
	}
	if !r.Known.Switches || r.Peak <= 0 {
		t.Errorf("%+v", r)
	}
	if v := r.Counts.Get(perf.PageFaults); v.Known() && v.Count == 0 || !v.Known() && v.Reason == "" {
		t.Errorf("%v", v)
	}
}

func TestAPeakIsKnownOnlyAboveOurOwn(t *testing.T) {
	r, err := (&Program{Args: []string{"true"}}).Exec(t.Context())
	if err != nil || r.Known.Peak {
		t.Errorf("true uses %d bytes, which is what we have: %v", r.Peak, err)
	}
	big := script("x=$(head -c 100000000 /dev/zero | tr '\\0' a); true")
	if r, err = (&Program{Args: big}).Exec(t.Context()); err != nil || !r.Known.Peak || r.Peak < 50e6 {
		t.Errorf("a shell with 100 MB in a variable uses %d bytes: %v", r.Peak, err)
	}
}

func TestEveryFailureSaysWhatHappened(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, []byte("no program"), 0o644); err != nil {
		t.Fatal(err)
	}
	garbage := filepath.Join(dir, "garbage")
	if err := os.WriteFile(garbage, []byte{1, 2, 3}, 0o755); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"exited with code 7":     script("exit 7"),
		"was killed by a signal": script("kill -9 $$"),
		"was not found":          {"no-such-program-anywhere"},
		"does not exist":         {filepath.Join(dir, "missing")},
		"may not be executed":    {plain},
		"could not be started":   {garbage},
	} {
		_, err := (&Program{Args: args}).Exec(t.Context())
		var f *Failure
		if !errors.As(err, &f) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
	}
	if _, err := (&Program{Args: script("kill -9 $$"), Ignore: true}).Exec(t.Context()); err == nil {
		t.Error("a killed program counts as a run")
	}
}

// The program starts another one, and both ignore SIGTERM.
func TestTheWholeGroupEndsWithTheContext(t *testing.T) {
	note := filepath.Join(t.TempDir(), "pid")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for {
			if text, _ := os.ReadFile(note); len(text) > 1 {
				cancel()
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	_, err := (&Program{Args: script("trap '' TERM; sh -c 'trap \"\" TERM; while :; do sleep 1; done' & echo $! >" + note + "; wait")}).Exec(ctx)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("%v", err)
	}
	text, _ := os.ReadFile(note)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) { // a zombie until its new parent reaps it
		if stat, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); bytes.Contains(stat, []byte(") Z ")) {
			return
		}
		if syscall.Kill(pid, 0) != nil {
			return
		}
	}
	t.Errorf("process %d goes on", pid)
}
