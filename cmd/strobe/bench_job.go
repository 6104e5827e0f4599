// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"fmt"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
	"github.com/strobe-go/strobe/perf"
	"github.com/strobe-go/strobe/stat"
)

// counted are the events of a command: software ones that are to be had nearly everywhere, and the processor's.
var counted = []perf.Event{perf.Cycles, perf.Instructions, perf.Branches, perf.BranchMisses, perf.PageFaults, perf.ContextSwitches}

// A job is one command with its parameters filled in, and what came of its runs.
type job struct {
	name             string
	text             string // the command as given, parameters filled in
	params           []param
	args             []string
	prepare, cleanup []string
	runs             []command.Run
	mean             stat.BatchMeans // of wall time, ns
	counts           perf.Aggregate
	touched          bool // it was started: there may be something to clean up
}

// A param is a name and the value that stands for it.
type param struct{ name, value string }

// run prepares and runs the job once.
func (j *job) run(ctx context.Context, b *benchRun) (command.Run, error) {
	j.touched = true
	if j.prepare != nil {
		if _, err := (&command.Program{Args: j.prepare, Output: b.out}).Exec(ctx); err != nil {
			return command.Run{}, fmt.Errorf("--prepare: %w", err)
		}
	}
	p := command.Program{Args: j.args, Output: b.out, Ignore: b.cmd.IgnoreFailure}
	if !b.cmd.NoCounters {
		p.Events = counted
	}
	return p.Exec(ctx)
}

func (j *job) add(r command.Run) {
	j.runs = append(j.runs, r)
	j.mean.Add(int64(r.Wall))
	j.counts.Add(r.Counts)
}

// last returns what the latest run took, in ns of elapsed or of processor time.
func (j *job) last(by string) float64 {
	r := j.runs[len(j.runs)-1]
	if by == "cpu" {
		return float64(r.User + r.System)
	}
	return float64(r.Wall)
}

// done reports whether enough is known of this one alone, having spent so much of a budget.
func (j *job) done(c *benchCmd, spent, budget time.Duration) bool {
	n := len(j.runs)
	switch {
	case c.Runs > 0:
		return n >= int(c.Runs)
	case n < int(c.MinRuns):
		return false
	case budget > 0 && spent >= budget:
		return true
	}
	iv := j.mean.Interval(0)
	return c.Precision > 0 && iv.Level > 0 && iv.Half() <= float64(c.Precision)*iv.Center
}

func (j *job) progress() string {
	if len(j.runs) == 0 {
		return j.name
	}
	return fmt.Sprintf("%d runs of %s: %s", len(j.runs), j.name, inTime(j.mean.Interval(0)))
}

// clean runs the cleanup of every job that was started, even when the rest was cut short.
func (b *benchRun) clean(s *session) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), time.Minute)
	defer cancel()
	for _, j := range b.jobs {
		if j.cleanup == nil || !j.touched {
			continue
		}
		if _, err := (&command.Program{Args: j.cleanup, Output: b.out}).Exec(ctx); err != nil {
			s.warn("--cleanup: %v", err)
		}
	}
}
