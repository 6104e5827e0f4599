// SPDX-License-Identifier: BSD-3-Clause

package exact

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/benchtext"
	"github.com/strobe-go/strobe/cmd/strobe/internal/machine"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// goTest runs go test with this command as its -exec, one program after the other.
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
		overlay, err := machine.Overlay(s.Ctx, "", dir)
		switch {
		case err != nil && c.User: // only the overlay can count in user mode
			return fmt.Errorf("instructions in user mode cannot be counted: %w", err)
		case err != nil:
			s.Warn("instructions of the whole machine only: %v", err)
		default:
			c.User = true
			args = append(args, "-overlay="+overlay)
		}
	}
	words := append(append([]string{self, "exact"}, c.forTests()...), "--")
	for i, w := range words {
		words[i] = quote(w)
	}
	args = append(args, "-exec="+strings.Join(words, " "))
	if !slices.ContainsFunc(c.Args, isFlag("benchtime")) {
		args = append(args, "-benchtime=100ms") // in the emulated machine these are 100 million instructions
	}
	cmd := exec.CommandContext(s.Ctx, "go", append(args, c.Args[1:]...)...)
	cmd.Env = machine.BuildEnvironment()
	seen := &benchmarks{out: out}
	cmd.Stdout, cmd.Stderr = seen, s.Err
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	err = cmd.Run()
	if code := (*exec.ExitError)(nil); errors.As(err, &code) {
		return session.Failure{Code: session.CommandFailed, Err: fmt.Errorf("go test: %v", err)}
	}
	if err == nil && seen.broken != "" {
		return session.Failure{Code: session.CommandFailed, Err: brokenError(seen.broken)}
	}
	if err == nil && seen.n == 0 && slices.ContainsFunc(c.Args, isFlag("bench")) {
		return session.Failure{Code: session.CommandFailed, Err: errors.New("no benchmark ran: none matches -bench, or all skip themselves; -v shows why")}
	}
	return err
}

// isFlag reports whether an argument of go test sets a flag.
func isFlag(name string) func(string) bool {
	return func(arg string) bool {
		set, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimLeft(arg, "-"), "test."), "=")
		return strings.HasPrefix(arg, "-") && set == name
	}
}

// benchmarks counts the results that pass through it.
type benchmarks struct {
	out    io.Writer
	n      int
	broken string // name of the first benchmark without a value
	line   []byte // the last line, as far as it was received
}

// Write implements io.Writer.
func (b *benchmarks) Write(p []byte) (int, error) {
	for part := range bytes.Lines(p) {
		if b.line = append(b.line, part...); part[len(part)-1] == '\n' {
			if bytes.HasPrefix(b.line, []byte("Benchmark")) && bytes.Contains(b.line, []byte("/op")) {
				b.n++
			}
			if name, ok := benchtext.Broken(string(b.line)); ok && b.broken == "" {
				b.broken = name
			}
			b.line = b.line[:0]
		}
	}
	return b.out.Write(p)
}

// quote quotes a word of -exec, which go test splits at blanks outside quotes.
func quote(w string) string {
	if strings.ContainsAny(w, " \t\"'") {
		if strings.Contains(w, "'") {
			return `"` + w + `"`
		}
		return "'" + w + "'"
	}
	return w
}
