// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"time"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/stat"
)

// A benchObject is the JSON of strobe bench. What is not known is absent.
type benchObject struct {
	Schema      int               `json:"schema"`
	Started     string            `json:"started"`
	Order       string            `json:"order"` // interleaved or sequential
	Seed        uint64            `json:"seed"`
	Interrupted bool              `json:"interrupted"`
	Failure     string            `json:"failure,omitempty"`
	Commands    []benchCommand    `json:"commands"`
	Comparisons []benchComparison `json:"comparisons"`
	Gate        *gateObject       `json:"gate,omitempty"`

	Results []hyperfineResult `json:"results,omitempty"` // of exports: what hyperfine calls its results
}

type benchCommand struct {
	Command    string            `json:"command"`
	Name       string            `json:"name,omitempty"`
	Parameters map[string]string `json:"parameters,omitempty"`
	Runs       int               `json:"runs"`
	Mean       *float64          `json:"mean_ns,omitempty"`
	Interval   *stat.Interval    `json:"interval,omitempty"`
	Median     *float64          `json:"median_ns,omitempty"`
	StdDev     *float64          `json:"stddev_ns,omitempty"`
	Min        *float64          `json:"min_ns,omitempty"`
	Max        *float64          `json:"max_ns,omitempty"`
	User       *float64          `json:"user_ns,omitempty"`
	System     *float64          `json:"system_ns,omitempty"`
	Peak       *int64            `json:"peak_bytes,omitempty"`
	Preempted  *float64          `json:"preemptions,omitempty"` // a run
	Warmup     *int              `json:"warmup_runs,omitempty"` // that the data shows, by MSER-5
	Counters   []benchCounter    `json:"counters,omitempty"`
	Notes      []string          `json:"notes,omitempty"`
	Times      []float64         `json:"times_ns,omitempty"`
}

// A benchCounter has either a mean or a reason.
type benchCounter struct {
	Name   string   `json:"name"`
	Mean   *float64 `json:"mean,omitempty"` // a run
	Reason string   `json:"reason,omitempty"`
	Remedy string   `json:"remedy,omitempty"`
}

type benchComparison struct {
	Base     string        `json:"base"`
	Other    string        `json:"other"`
	By       string        `json:"by"` // wall or cpu: whose ratio it is
	Ratio    *float64      `json:"ratio,omitempty"`
	Lo       *float64      `json:"lo,omitempty"`
	Hi       *float64      `json:"hi,omitempty"`
	Level    *float64      `json:"level,omitempty"`
	Method   string        `json:"method"`
	Rounds   uint64        `json:"rounds"`
	Verdict  bench.Verdict `json:"verdict"`
	Within   float64       `json:"within"`
	Warnings []string      `json:"warnings,omitempty"`
}

func (b *benchRun) object(interrupted bool) benchObject {
	o := benchObject{Schema: schema, Started: b.started.Format(time.RFC3339), Order: "interleaved", Seed: b.seed, Interrupted: interrupted,
		Commands: []benchCommand{}, Comparisons: []benchComparison{}, Gate: b.gate()}
	if b.cmd.Sequential {
		o.Order = "sequential"
	}
	if b.failed != nil && !interrupted {
		o.Failure = b.failed.Error()
	}
	for _, j := range b.jobs {
		o.Commands = append(o.Commands, j.object())
	}
	for _, c := range b.comparisons() {
		x := benchComparison{Base: c.Base, Other: c.Other, By: b.cmd.By, Method: c.Ratio.Method, Rounds: c.Ratio.N, Verdict: c.Verdict, Within: c.Within,
			Warnings: c.Ratio.Warnings}
		if b.cmd.Sequential {
			x.Verdict = bench.Inconclusive
		}
		if iv := c.Ratio; iv.Level > 0 {
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
	o.Mean, o.Median, o.Min, o.Max, o.User, o.System = &f.mean.Center, &f.median, &f.min, &f.max, &f.user, &f.system
	if f.mean.Level > 0 {
		o.Interval = &f.mean
	}
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
