// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/gate"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
)

// A benchObject is the JSON of strobe bench.
type benchObject struct {
	Schema      int               `json:"schema"`                   // version of this format
	Started     string            `json:"started"`                  // when, as in RFC 3339
	Order       string            `json:"order"`                    // interleaved or sequential
	Seed        uint64            `json:"seed"`                     // of the order of runs
	Interrupted bool              `json:"interrupted"`              // the measurement was ended by a signal
	Failure     string            `json:"failure,omitempty"`        // why a command failed
	Shell       []string          `json:"shell,omitempty"`          // the shell that commands run in
	ShellStart  *float64          `json:"shell_start_ns,omitempty"` // median time to start it, subtracted from all times
	CoreShared  *stat.Interval    `json:"core_shared,omitempty"`    // share of the time between runs in which something else used the same physical core
	CoreCost    *float64          `json:"core_cost,omitempty"`      // up to how many times as long work took then; absent if that was not seen
	Commands    []benchCommand    `json:"commands"`                 // in the order given; parameters multiply them
	Comparisons []benchComparison `json:"comparisons"`              // each other command compared with the first
	Gate        *gate.Gate        `json:"gate,omitempty"`           // with --gate
}

type benchCommand struct {
	Command    string            `json:"command"`               // as given, parameters filled in
	Name       string            `json:"name,omitempty"`        // if it differs from the command
	Parameters map[string]string `json:"parameters,omitempty"`  // values by name
	Runs       int               `json:"runs"`                  // number of runs
	Mean       *float64          `json:"mean_ns,omitempty"`     // mean of the elapsed times
	Interval   *stat.Interval    `json:"interval,omitempty"`    // of the mean, in ns; absent without runs
	Median     *float64          `json:"median_ns,omitempty"`   // median of the elapsed times
	StdDev     *float64          `json:"stddev_ns,omitempty"`   // standard deviation of the elapsed times
	Min        *float64          `json:"min_ns,omitempty"`      // shortest elapsed time
	Max        *float64          `json:"max_ns,omitempty"`      // longest elapsed time
	CPU        *float64          `json:"cpu_ns,omitempty"`      // mean processor time, of child processes as well
	User       *float64          `json:"user_ns,omitempty"`     // part of cpu_ns in user mode; absent if the kernel did not separate the parts
	System     *float64          `json:"system_ns,omitempty"`   // part of cpu_ns in the kernel; absent likewise
	Peak       *int64            `json:"peak_bytes,omitempty"`  // largest resident memory of one process
	Preempted  *float64          `json:"preemptions,omitempty"` // preemptions per run
	Warmup     *int              `json:"warmup_runs,omitempty"` // runs that look like a warm-up, by MSER-5; they are part of the figures
	Failures   int               `json:"failures,omitempty"`    // runs that exited with a code other than 0, with --ignore-failure
	ExitCodes  []int             `json:"exit_codes,omitempty"`  // of every run, in their order; absent if all are 0
	Counters   []benchCounter    `json:"counters,omitempty"`    // performance counters
	Notes      []string          `json:"notes,omitempty"`       // limitations of the figures, a sentence each
	Times      []float64         `json:"times_ns,omitempty"`    // elapsed time of every run, in their order
}

// A benchCounter has either a mean or a reason.
type benchCounter struct {
	Name   string   `json:"name"`             // such as instructions
	Mean   *float64 `json:"mean,omitempty"`   // count per run
	Reason string   `json:"reason,omitempty"` // why it could not be counted
	Remedy string   `json:"remedy,omitempty"` // how to make it countable
}

type benchComparison struct {
	Base     string         `json:"base"`               // name of the first command
	Other    string         `json:"other"`              // name of the command compared with it
	By       string         `json:"by"`                 // what is compared: wall or cpu
	Ratio    *float64       `json:"ratio,omitempty"`    // time of the other over that of the base
	Lo       *float64       `json:"lo,omitempty"`       // lower bound of the ratio
	Hi       *float64       `json:"hi,omitempty"`       // upper bound of the ratio
	Level    *float64       `json:"level,omitempty"`    // probability that the bounds cover the true ratio
	Method   string         `json:"method,omitempty"`   // method of the interval; absent if none was tried
	Reason   string         `json:"reason,omitempty"`   // why there is no interval
	Rounds   uint64         `json:"rounds"`             // pairs of runs
	Verdict  decide.Verdict `json:"verdict"`            // faster, slower, same or inconclusive
	Within   float64        `json:"within"`             // the difference up to which the commands count as the same
	Warnings []string       `json:"warnings,omitempty"` // why the interval may be wrong
}

func (b *measurement) object(interrupted bool) benchObject {
	o := benchObject{Schema: session.Schema, Started: b.started.Format(time.RFC3339), Order: "interleaved", Seed: b.seed, Interrupted: interrupted,
		Commands: []benchCommand{}, Comparisons: []benchComparison{}, Gate: b.gate()}
	if b.flags.Sequential {
		o.Order = "sequential"
	}
	if b.failed != nil && !interrupted {
		o.Failure = b.failed.Error()
	}
	if b.shell != nil {
		start := float64(b.shell.wall)
		o.Shell, o.ShellStart = b.shell.words, &start
	}
	if core := b.core.Report(); core.Spins > 0 {
		o.CoreShared = &core.Share
		if core.Factor > 0 {
			o.CoreCost = &core.Factor
		}
	}
	for _, j := range b.jobs {
		o.Commands = append(o.Commands, j.object())
	}
	for _, c := range b.comparisons() {
		x := benchComparison{Base: c.Base, Other: c.Other, By: b.flags.By, Method: c.Ratio.Method, Reason: c.Ratio.Reason, Rounds: c.Ratio.N, Verdict: c.Verdict, Within: c.Within,
			Warnings: c.Ratio.Warnings}
		if b.flags.Sequential {
			x.Verdict = decide.Inconclusive
		}
		if iv := c.Ratio; iv.Bounded() {
			x.Ratio, x.Lo, x.Hi, x.Level = &iv.Center, &iv.Lo, &iv.Hi, &iv.Level
		}
		o.Comparisons = append(o.Comparisons, x)
	}
	return o
}

func (j *job) object() benchCommand {
	o := benchCommand{Command: j.text, Runs: len(j.runs)}
	if j.name != j.text {
		o.Name = j.name
	}
	for _, p := range j.params {
		if o.Parameters == nil {
			o.Parameters = map[string]string{}
		}
		o.Parameters[p.name] = p.value
	}
	if o.Runs == 0 {
		return o
	}
	f := j.figures()
	cpu := f.user + f.system
	o.Mean, o.Median, o.Min, o.Max, o.CPU = &f.mean.Center, &f.median, &f.min, &f.max, &cpu
	if f.split {
		o.User, o.System = &f.user, &f.system
	}
	o.Interval = &f.mean
	if f.runs > 1 {
		o.StdDev = &f.stddev
	}
	if f.peakKnown {
		o.Peak = &f.peak
	}
	if f.switchesKnown {
		o.Preempted = &f.preempted
	}
	if f.settled {
		o.Warmup = &f.warmup
	}
	if o.Failures = f.failures; o.Failures > 0 {
		for _, r := range j.runs {
			o.ExitCodes = append(o.ExitCodes, r.Exit)
		}
	}
	for _, e := range counted {
		switch sum := j.counts.Of(e); {
		case sum.N > 0:
			o.Counters = append(o.Counters, benchCounter{Name: string(e), Mean: &sum.Mean.Center})
		case sum.Missing > 0:
			o.Counters = append(o.Counters, benchCounter{Name: string(e), Reason: sum.Reason, Remedy: sum.Remedy})
		}
	}
	o.Notes, o.Times = f.notes, j.walls()
	return o
}
