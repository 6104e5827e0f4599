// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// An emulator runs test programs by strobe exact, which counts their instructions.
type emulator struct {
	self   string // this command
	kernel string // empty for the one that strobe exact finds
}

// newEmulator returns an emulator that is ready to run, or what it lacks.
func newEmulator(ctx context.Context, kernel string) (*emulator, error) {
	e := &emulator{kernel: kernel}
	var err error
	if e.self, err = os.Executable(); err != nil {
		return nil, err
	}
	if kernel != "" { // it runs in other folders
		if e.kernel, err = filepath.Abs(kernel); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, e.self, e.words("--ready")[1:]...)
	var complaints strings.Builder
	cmd.Stderr = &complaints
	if cmd.Run(); complaints.Len() > 0 {
		return nil, errors.New("--exact: " + complaint(complaints.String()))
	}
	return e, ctx.Err()
}

// words returns the command line of strobe exact with these arguments.
func (e *emulator) words(args ...string) []string {
	words := []string{e.self, "exact"}
	if e.kernel != "" {
		words = append(words, "--kernel="+e.kernel)
	}
	return append(words, args...)
}

// program returns the command line that runs a test program of build.
func (e *emulator) program(timeout time.Duration, args []string) []string {
	return e.words(append([]string{"--user", "--timeout=" + timeout.String(), "--"}, args...)...)
}

// build builds the test program of a package for the emulated machine.
func (e *emulator) build(ctx context.Context, dir, path, binary string, flags []string) error {
	args := e.words(slices.Concat([]string{"--user", "test", "-c", "-trimpath", "-buildvcs=false", "-o", binary}, flags, []string{path})...)
	_, err := tool(ctx, dir, args...)
	return err
}

// complaint returns the last line that strobe exact printed, without its name.
func complaint(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimPrefix(text[strings.LastIndexByte(text, '\n')+1:], "strobe exact: ")
}

// check reports flags that have no meaning for instructions.
func (f *Flags) check() error {
	switch {
	case !f.Exact && f.Kernel != "":
		return errors.New("--kernel is for --exact")
	case !f.Exact:
		return nil
	case f.By != "wall":
		return errors.New("--exact compares instructions; leave --by out")
	case f.CPU > 0:
		return errors.New("--exact: the emulated machine has one processor; leave --cpu out")
	case f.Layouts > 0:
		return errors.New("--exact: the number of instructions does not depend on the layout; leave --layouts out")
	case f.CPUProfile != "":
		return errors.New("--exact: profiles are not copied back from the emulated machine; leave --cpu-profile out")
	}
	return nil
}
