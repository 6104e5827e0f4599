// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
	"github.com/strobe-go/strobe/perf"
	"github.com/strobe-go/strobe/stat"
)

// counted are the events counted of each command: of the processor, and of the kernel, which nearly every system has.
var counted = []perf.Event{perf.Cycles, perf.Instructions, perf.Branches, perf.BranchMisses, perf.PageFaults, perf.ContextSwitches}

// A job is one command with its parameters filled in, and the results of its runs.
type job struct {
	name             string
	text             string // the command as given, parameters filled in
	params           []param
	output           string // where standard output goes, as for --output; "" discards it
	args             []string
	setup            []string
	prepare, cleanup []string
	conclude         []string // after each run
	runs             []command.Run
	mean             stat.BatchMeans // of wall time, ns
	counts           perf.Aggregate
	touched          bool // it was started, so it needs its cleanup
}

// A param is the name of a parameter and its value.
type param struct{ name, value string }

// run prepares, runs and concludes the job once. Only untimed runs keep the error output, for the case that the command fails.
func (j *job) run(ctx context.Context, f *Flags, output io.Writer, timed bool) (command.Run, error) {
	j.touched = true
	if j.prepare != nil {
		if _, err := (&command.Program{Args: j.prepare, Output: output, Quote: true}).Exec(ctx); err != nil {
			return command.Run{}, fmt.Errorf("--prepare: %w", err)
		}
	}
	p := command.Program{Args: j.args, Output: output, Ignore: f.IgnoreFailure, Quote: !timed}
	if !f.NoCounters {
		p.Events = counted
	}
	if f.Input != "null" && f.Input != "" {
		in, err := os.Open(f.Input)
		if err != nil {
			return command.Run{}, fmt.Errorf("--input: %w", err)
		}
		defer in.Close()
		p.Input = in
	}
	switch j.output {
	case "", "null":
	case "inherit":
	case "pipe":
		p.Stdout = io.Discard // not a file, so that the command writes to a pipe
	default:
		out, err := os.Create(j.output)
		if err != nil {
			return command.Run{}, fmt.Errorf("--output: %w", err)
		}
		defer out.Close()
		p.Stdout = out
	}
	r, err := p.Exec(ctx)
	if concluded := j.end(ctx, output); err == nil {
		err = concluded
	}
	if broken := (*command.Failure)(nil); timed && output == nil && errors.As(err, &broken) && r.Exit != 0 {
		broken.Why += " (--show-output shows what it prints)"
	}
	return r, err
}

// end runs the command of --conclude, even after a failure or an interrupt: it may end a server that --prepare started.
func (j *job) end(ctx context.Context, output io.Writer) error {
	if j.conclude == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	if _, err := (&command.Program{Args: j.conclude, Output: output, Quote: true}).Exec(ctx); err != nil {
		return fmt.Errorf("--conclude: %w", err)
	}
	return nil
}

func (j *job) add(r command.Run) {
	j.runs = append(j.runs, r)
	j.mean.Add(int64(r.Wall))
	j.counts.Add(r.Counts)
}

// last returns the elapsed or the processor time of the latest run, in ns.
func (j *job) last(by string) float64 {
	r := j.runs[len(j.runs)-1]
	if by == "cpu" {
		return float64(r.User + r.System)
	}
	return float64(r.Wall)
}

// done reports whether this job needs no more runs, given how much of its budget is spent.
func (j *job) done(f *Flags, spent, budget time.Duration) bool {
	n := len(j.runs)
	switch {
	case f.Runs > 0:
		return n >= int(f.Runs)
	case f.MaxRuns > 0 && n >= int(f.MaxRuns):
		return true
	case n < int(f.MinRuns):
		return false
	case budget > 0 && spent >= budget:
		return true
	}
	iv := j.meanTime()
	return f.Precision > 0 && iv.Bounded() && iv.Half() <= float64(f.Precision)*iv.Center
}

// meanTime returns the mean elapsed time with its interval, which does not extend below 0.
func (j *job) meanTime() stat.Interval {
	iv := j.mean.Interval(0)
	if iv.Bounded() {
		iv.Lo = max(0, iv.Lo)
	}
	return iv
}

func (j *job) progress(f *Flags) string {
	if len(j.runs) == 0 {
		return j.name
	}
	return fmt.Sprintf("%d runs of %s: %s", len(j.runs), j.name, f.inTime(j.meanTime()))
}
