// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
	"github.com/strobe-go/strobe/cmd/strobe/internal/goroot"
	"github.com/strobe-go/strobe/cmd/strobe/internal/machine"
)

// An emulator builds test programs that count their instructions, and runs each in a new emulated machine.
type emulator struct {
	machine.Machine
	edits    []goroot.Edit // of the standard library, in addition to those that count
	collects bool          // the garbage collector works
}

// newEmulator returns an emulator that is ready to run, or what it lacks. The kernel is found if none is named.
func newEmulator(kernel string, collector bool) (*emulator, error) {
	if kernel != "" { // it is booted from other folders
		var err error
		if kernel, err = filepath.Abs(kernel); err != nil {
			return nil, err
		}
	}
	e := &emulator{Machine: machine.Machine{Kernel: kernel}, collects: collector}
	if err := e.Ready(); err != nil {
		return nil, fmt.Errorf("--exact: %w", err)
	}
	return e, nil
}

// build builds the test program of a package for the emulated machine.
func (e *emulator) build(ctx context.Context, dir, target, binary string, flags []string) error {
	temp, err := os.MkdirTemp("", "strobe-overlay-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	overlay, err := machine.Overlay(ctx, dir, temp, e.edits...)
	if err != nil {
		return fmt.Errorf("its instructions cannot be counted: %w", err)
	}
	args := slices.Concat([]string{"test", "-overlay=" + overlay, "-c", "-vet=off", "-trimpath", "-buildvcs=false", "-o", binary}, flags, []string{target})
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, machine.BuildEnvironment()
	_, err = output(cmd)
	return err
}

// environment returns that of the programs. Without the collector's work, counts are the same in every run.
func (e *emulator) environment() []string {
	if e.collects && os.Getenv("GOGC") == "" {
		return e.Environment(true, "GOGC=100")
	}
	return e.Environment(true)
}

// findFor returns how long benchmarks take whose number of calls is to be found: 20 million instructions, or enough for some
// collections.
func (e *emulator) findFor() time.Duration {
	if e.collects {
		return 100 * time.Millisecond
	}
	return 20 * time.Millisecond
}

// run runs a test program in its folder and returns what it printed, with instructions in place of times. That a program failed
// is a *command.Failure, as in a run on this machine.
func (e *emulator) run(ctx context.Context, dir, binary string, args []string) ([]byte, error) {
	var text tail
	lines := machine.Lines{Unit: machine.Instructions, Exact: true}
	program := machine.Program{Path: binary, Args: args, Dir: dir, Env: e.environment()}
	code, err := e.Run(ctx, program, func(line string) {
		for _, l := range lines.Rewrite(line) {
			fmt.Fprintln(&text, l)
		}
	})
	if err == nil && code != 0 {
		err = &command.Failure{Args: append([]string{binary}, args...), Why: fmt.Sprintf("exited with code %d", code)}
	}
	return text.Bytes(), err
}

// check reports flags that have no meaning for instructions.
func (f *Flags) check() error {
	switch {
	case !f.Exact && f.Kernel != "":
		return errors.New("--kernel is for --exact")
	case !f.Exact && f.Collector:
		return errors.New("--collector is for --exact; otherwise the collector's work counts anyway")
	case !f.Exact:
		return nil
	case f.By != "wall":
		return errors.New("--exact compares instructions; leave --by out")
	case f.CPU > 0:
		return errors.New("--exact: the emulated machine has one processor; leave --cpu out")
	case f.Layouts > 0:
		return errors.New("--exact: the number of instructions does not depend on the layout; leave --layouts out")
	case f.Profile != "":
		return errors.New("--exact: profiles are not copied back from the emulated machine; leave --profile out")
	}
	return nil
}
