// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package command

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func script(text string) []string { return []string{"sh", "-c", text} }

func TestAFailureQuotesStandardError(t *testing.T) {
	run := func(p Program) error {
		_, err := p.Exec(t.Context())
		return err
	}
	var f *Failure
	if err := run(Program{Args: script("echo a >&2; echo; echo b >&2; exit 3"), Quote: true}); !errors.As(err, &f) || f.Said != "a | b" || !strings.Contains(err.Error(), "exited with code 3: a | b") {
		t.Errorf("%v", err)
	}
	if err := run(Program{Args: script("yes 0123456789 | head -n 100000 >&2; echo last >&2; exit 3"), Quote: true}); !errors.As(err, &f) || !strings.HasSuffix(f.Said, "| last") || len(f.Said) > 100 {
		t.Errorf("%v", err)
	}
	if err := run(Program{Args: script("echo a >&2; exit 3")}); !errors.As(err, &f) || f.Said != "" {
		t.Errorf("not asked for: %v", err)
	}
	note := filepath.Join(t.TempDir(), "pid")
	if err := run(Program{Args: script("sleep 60 & echo $! >" + note), Quote: true}); err != nil {
		t.Error(err)
	}
	text, _ := os.ReadFile(note)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err == nil {
		err = syscall.Kill(pid, syscall.SIGKILL)
	}
	if err != nil {
		t.Errorf("a child that keeps standard error open was waited for: %v", err)
	}
}

func TestInputAndStandardOutput(t *testing.T) {
	var out strings.Builder
	p := Program{Args: []string{"sh", "-c", "cat; echo no >&2"}, Input: strings.NewReader("in"), Stdout: io.Writer(&out)}
	if _, err := p.Exec(t.Context()); err != nil || out.String() != "in" {
		t.Errorf("%q, %v", out.String(), err)
	}
}
