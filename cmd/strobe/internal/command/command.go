// SPDX-License-Identifier: BSD-3-Clause

// Package command runs programs one at a time and says what each run cost.
//
// A program and all it starts form a process group of their own where the system has such a thing, so that ending the program
// ends them too. Nothing here is safe for concurrent use: two runs at the same time would disturb each other.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/perf"
)

// A Run is what one run of a program cost. User, System, Peak and the switches are those of the program and of
// all it started and waited for.
type Run struct {
	Wall         time.Duration
	User, System time.Duration // processor time
	Peak         int64         // largest resident memory of one process, bytes; see Known
	Preempted    int64         // times a processor was taken from it
	Waited       int64         // times it gave one up
	Known        Known
	Exit         int // exit code, 0 unless failures are ignored

	Counts perf.Reading // of the program and all it started
}

// Known says which figures the system has.
type Known struct{ Peak, Switches bool }

// A Program is what is run.
type Program struct {
	Args   []string
	Output io.Writer    // of what it prints, both streams; nil: nowhere
	Ignore bool         // an exit code other than 0 is no failure
	Events []perf.Event // to count; those that cannot be had say so in Run.Counts
}

// A Failure is a program that could not be run to a good end.
type Failure struct {
	Args []string
	Why  string // such as "exited with code 1"
}

// Error names the program and what became of it.
func (f *Failure) Error() string { return fmt.Sprintf("%q %s", Join(f.Args), f.Why) }

// Exec runs the program to its end. When ctx ends first, the program and what it started are ended, politely at first, and the error is that of
// ctx. Other errors are a *Failure.
func (p *Program) Exec(ctx context.Context) (Run, error) {
	cmd := exec.CommandContext(ctx, p.Args[0], p.Args[1:]...)
	cmd.Stdout, cmd.Stderr = p.Output, p.Output
	cmd.WaitDelay = 2 * time.Second // for what holds the output open though its parent is gone
	ownGroup(cmd)
	var counters *perf.Group
	if len(p.Events) > 0 {
		counters, _ = perf.Open(perf.Command, p.Events...) // nil where nothing can be counted
		defer counters.Close()
	}
	counting := counters.Start()
	start := clock.Now()
	err := cmd.Start()
	if err == nil {
		err = cmd.Wait()
	}
	r := Run{Wall: clock.Since(start)}
	r.Counts = counting.Stop()
	if ctx.Err() != nil {
		if cmd.Process != nil {
			killGroup(cmd.Process.Pid)
		}
		return r, ctx.Err()
	}
	if cmd.ProcessState == nil {
		return r, &Failure{p.Args, whyNot(err)}
	}
	r.User, r.System, r.Exit = cmd.ProcessState.UserTime(), cmd.ProcessState.SystemTime(), cmd.ProcessState.ExitCode()
	r.usage(cmd.ProcessState)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		if name, killed := signalled(cmd.ProcessState); killed {
			return r, &Failure{p.Args, "was killed by " + name}
		}
		if p.Ignore {
			return r, nil
		}
		return r, &Failure{p.Args, fmt.Sprintf("exited with code %d", r.Exit)}
	}
	if err != nil {
		return r, &Failure{p.Args, "could not be waited for: " + err.Error()}
	}
	return r, nil
}

// whyNot explains why a program could not be started.
func whyNot(err error) string {
	var where *fs.PathError
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "is not to be found; give its path, or --shell if the shell knows it"
	case errors.Is(err, fs.ErrNotExist):
		return "does not exist"
	case errors.Is(err, fs.ErrPermission):
		return "may not be executed"
	case errors.As(err, &where):
		return "could not be started: " + where.Err.Error()
	}
	return "could not be started: " + err.Error()
}

// Shell returns the words that run text in the system's shell.
func Shell(text string) []string {
	if os.PathSeparator == '\\' {
		return []string{"cmd", "/c", text}
	}
	return []string{"sh", "-c", text}
}
