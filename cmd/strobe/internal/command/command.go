// SPDX-License-Identifier: BSD-3-Clause

// Package command runs programs and measures each run.
//
// A program and all it starts form a process group where the system has process groups, so that ending the program
// ends them too. Different programs may run at the same time, but then they disturb each other's times.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/perf"
)

// A Program is a program to run.
type Program struct {
	Args   []string
	Dir    string       // folder to run in; empty means the current one
	Input  io.Reader    // standard input; nil is empty
	Env    []string     // further variables of its environment, each NAME=VALUE
	Output io.Writer    // receives what it prints on both streams; may be nil
	Errors io.Writer    // receives standard error in place of Output, if that is not nil; may be nil
	Stdout io.Writer    // receives standard output if Output is nil; may be nil
	Quote  bool         // a Failure includes the end of standard error; slower for programs that print much, so not for timed runs
	Ignore bool         // accept exit codes other than 0
	Watch  bool         // note the waiting for processors: Run.Queued and Run.Stolen. Needs Output
	From   string       // a line that it prints: Run.Part is from then until it prints a line that begins with this. Needs Watch
	Events []perf.Event // to count; Run.Counts says which are not available
}

// A Failure is a program that could not be started or that failed.
type Failure struct {
	Args []string
	Why  string // such as "exited with code 1"
	Said string // the end of its standard error, if Program.Quote is set
}

// Error returns the program and what happened to it.
func (f *Failure) Error() string {
	text := fmt.Sprintf("%q %s", Join(f.Args), f.Why)
	if f.Said != "" {
		text += ": " + f.Said
	}
	return text
}

// Exec runs the program to its end. If ctx ends first, Exec asks the program and its children to end, then kills them, and
// returns the error of ctx. Other errors are a *Failure.
func (p *Program) Exec(ctx context.Context) (Run, error) {
	cmd := exec.CommandContext(ctx, p.Args[0], p.Args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Dir = p.Input, p.Output, p.Output, p.Dir
	if len(p.Env) > 0 {
		cmd.Env = append(os.Environ(), p.Env...)
	}
	if p.Output == nil {
		cmd.Stdout = p.Stdout
	}
	var watch *watched
	var before times
	if p.Watch && p.Output != nil {
		watch, before = &watched{Writer: p.Output, started: make(chan struct{}), tasks: map[string]task{}}, machineTimes()
		cmd.Stdout, cmd.Stderr = watch, watch
	}
	if p.Output != nil && p.Errors != nil {
		cmd.Stderr = p.Errors
	}
	var said *os.File // a file, since Wait would wait for a pipe until the last child closes it
	if p.Quote && p.Output == nil {
		if f, err := os.CreateTemp("", "strobe-stderr-"); err == nil {
			defer func() { f.Close(); os.Remove(f.Name()) }()
			said, cmd.Stderr = f, f
		}
	}
	cmd.WaitDelay = 2 * time.Second // for processes that hold the output open after their parent has ended
	ownGroup(cmd)
	var counters *perf.Group
	uncounted := ""
	events := p.Events
	if p.From != "" {
		events = append(slices.Clip(events), taskClock)
	}
	if len(events) > 0 {
		var err error
		if counters, err = perf.Open(perf.Command, events...); err != nil { // a nil Group counts nothing
			uncounted = err.Error()
		}
		defer counters.Close()
	}
	counting := counters.Start()
	if watch != nil && p.From != "" {
		watch.part = &part{line: p.From, counters: counters, all: counting}
	}
	start := clock.Now()
	err := cmd.Start()
	if err == nil {
		if watch != nil {
			watch.pid = cmd.Process.Pid
			close(watch.started)
		}
		err = cmd.Wait()
	}
	r := Run{Wall: clock.Since(start)}
	r.Counts, r.Uncounted = counting.Stop(), uncounted
	if watch != nil {
		r.Queued, r.Known.Queued = watch.share()
		r.Stolen, r.Known.Stolen = machineTimes().since(before)
		r.Part = watch.part.finish()
	}
	if ctx.Err() != nil {
		if cmd.Process != nil {
			killGroup(cmd.Process.Pid)
		}
		return r, ctx.Err()
	}
	if cmd.ProcessState == nil {
		return r, &Failure{Args: p.Args, Why: whyNot(err)}
	}
	r.User, r.System, r.Exit = cmd.ProcessState.UserTime(), cmd.ProcessState.SystemTime(), cmd.ProcessState.ExitCode()
	r.usage(cmd.ProcessState)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		if name, killed := signalled(cmd.ProcessState); killed {
			return r, &Failure{p.Args, "was killed by " + name, tail(said)}
		}
		if p.Ignore {
			return r, nil
		}
		return r, &Failure{p.Args, fmt.Sprintf("exited with code %d", r.Exit), tail(said)}
	}
	if err != nil {
		return r, &Failure{Args: p.Args, Why: "could not be waited for: " + err.Error()}
	}
	return r, nil
}

// tail returns the last three non-empty lines of a file as one line; "" for nil.
func tail(f *os.File) string {
	if f == nil {
		return ""
	}
	const most = 1 << 10
	if size, err := f.Seek(0, io.SeekEnd); err != nil || size > most {
		f.Seek(-most, io.SeekEnd)
	} else {
		f.Seek(0, io.SeekStart)
	}
	text, _ := io.ReadAll(f) // use whatever can be read
	lines := strings.FieldsFunc(strings.ToValidUTF8(string(text), ""), func(r rune) bool { return r == '\n' || r == '\r' })
	lines = slices.DeleteFunc(lines, func(l string) bool { return strings.TrimSpace(l) == "" })
	return strings.Join(lines[max(0, len(lines)-3):], " | ")
}

// whyNot explains why a program could not be started.
func whyNot(err error) string {
	var where *fs.PathError
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "was not found; give its path, or use --shell=default for shell built-ins"
	case errors.Is(err, fs.ErrNotExist):
		return "does not exist"
	case errors.Is(err, fs.ErrPermission):
		return "may not be executed"
	case errors.As(err, &where):
		return "could not be started: " + where.Err.Error()
	}
	return "could not be started: " + err.Error()
}

// A Run is the measurement of one run of a program. User, System, Peak and the switches include the child processes that it
// waited for.
type Run struct {
	Wall         time.Duration
	User, System time.Duration // processor time
	Peak         int64         // largest resident memory of one process, bytes; see Known
	Preempted    int64         // times a processor was taken from it
	Waited       int64         // times it gave up a processor to wait
	Queued       float64       // share of the time that its own threads waited for a processor; see Known
	Stolen       float64       // share of the machine's time that its host gave to others; see Known
	Known        Known
	Exit         int   // exit code, 0 unless failures are ignored
	Part         *Part // nil if it is unknown

	Counts    perf.Reading // of the program and its children
	Uncounted string       // why none of the events could be counted; empty if one was, or none was asked for
}

// Known says which figures the system provides.
type Known struct{ Peak, Switches, Queued, Stolen bool }
