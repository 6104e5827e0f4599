// SPDX-License-Identifier: BSD-3-Clause

package exact

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/exact/machine"
)

// goTest runs go test with this command for the programs, one after the other, so that they do not disturb each other.
func (c Flags) goTest(s *session.Session, out io.Writer) error {
	if err := (machine.Machine{Kernel: c.Kernel}).Ready(); err != nil { // once, not for every package
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if c.Kernel != "" { // go test runs programs in another folder
		if c.Kernel, err = filepath.Abs(c.Kernel); err != nil {
			return err
		}
	}
	args := []string{"test", "-p=1"}
	if c.CPUs <= 1 && c.Clock == "" {
		dir, err := os.MkdirTemp("", "strobe-overlay-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if overlay, err := userMode(s, dir); err != nil {
			s.Warn("instructions of the whole machine only: %v", err)
		} else {
			c.User = true
			args = append(args, "-overlay="+overlay)
		}
	}
	words := append(append([]string{self, "exact"}, c.forTests()...), "--")
	for i, w := range words {
		words[i] = quote(w)
	}
	args = append(args, "-exec="+strings.Join(words, " "))
	if !slices.ContainsFunc(c.Args, func(a string) bool {
		return strings.HasPrefix(strings.TrimLeft(a, "-"), "benchtime") || strings.HasPrefix(strings.TrimLeft(a, "-"), "test.benchtime")
	}) {
		args = append(args, "-benchtime=100ms") // of the emulated machine: 100 million instructions
	}
	cmd := exec.CommandContext(s.Ctx, "go", append(args, c.Args[1:]...)...)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	cmd.Stdout, cmd.Stderr = out, s.Err
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	err = cmd.Run()
	if code := (*exec.ExitError)(nil); errors.As(err, &code) {
		return session.Failure{Code: session.CommandFailed, Err: fmt.Errorf("go test: %v", err)}
	}
	return err
}

// userMode returns the overlay that makes the tests count their own instructions.
func userMode(s *session.Session, dir string) (string, error) {
	goroot, err := exec.CommandContext(s.Ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env: %w", err)
	}
	return machine.Overlay(strings.TrimSpace(string(goroot)), dir)
}

// quote makes one word of -exec, which go splits at blanks that are not in quotes.
func quote(w string) string {
	if strings.ContainsAny(w, " \t\"'") {
		if strings.Contains(w, "'") {
			return `"` + w + `"`
		}
		return "'" + w + "'"
	}
	return w
}
