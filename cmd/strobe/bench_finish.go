// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
	"github.com/strobe-go/strobe/stat"
)

// comparisons returns those of the jobs but the first with the first.
func (b *benchRun) comparisons() (all []bench.Comparison) {
	for i, pair := range b.pairs {
		c := pair.Comparison()
		if b.cmd.Sequential {
			c.Ratio = stat.Interval{Lo: -math.MaxFloat64, Hi: math.MaxFloat64, Method: "none", N: uint64(len(b.jobs[i+1].runs)),
				Warnings: []string{"run one after the other: drift cannot be told from a difference"}}
		}
		all = append(all, c)
	}
	return all
}

// A gateObject is what --gate came to.
type gateObject struct {
	Limit   float64  `json:"limit"`
	Outcome string   `json:"outcome"` // the worst: failed, undecided, passed
	Reasons []string `json:"reasons"` // one for each comparison, each with its own outcome
}

// gate returns nil if none was asked for.
func (b *benchRun) gate() *gateObject {
	if b.cmd.Gate == nil {
		return nil
	}
	limit := float64(*b.cmd.Gate)
	g := &gateObject{Limit: limit, Outcome: string(bench.Passed)}
	for _, c := range b.comparisons() {
		outcome, reason := bench.Gate(c, limit)
		g.Outcome = worse(g.Outcome, string(outcome))
		g.Reasons = append(g.Reasons, fmt.Sprintf("%s: %s", outcome, reason))
	}
	return g
}

func worse(a, b string) string {
	for _, o := range []bench.Outcome{bench.Failed, bench.Undecided} {
		if a == string(o) || b == string(o) {
			return string(o)
		}
	}
	return a
}

// finish prints and exports what was gathered, and decides the exit code.
func (b *benchRun) finish(s *session) error {
	var err error
	if s.json {
		err = writeJSON(s.out, b.object(s.ctx.Err() != nil))
	} else {
		err = b.write(s)
	}
	if err != nil {
		return err
	}
	for _, e := range b.exports {
		if err := e.write(b, s.ctx.Err() != nil); err != nil {
			return fmt.Errorf("--export: %w", err)
		}
	}
	switch {
	case b.failed == nil:
		return b.gate().verdict()
	case errors.Is(b.failed, context.Canceled):
		return b.failed // the session knows
	}
	var broken *command.Failure
	if errors.As(b.failed, &broken) {
		return failure{exitCommand, b.failed}
	}
	return b.failed
}

// verdict returns the error that decides the exit code.
func (g *gateObject) verdict() error {
	switch {
	case g == nil || g.Outcome == string(bench.Passed):
		return nil
	case g.Outcome == string(bench.Failed):
		return failure{exitGate, fmt.Errorf("the gate of %g %% failed", 100*g.Limit)}
	}
	return failure{exitInconclusive, fmt.Errorf("the gate of %g %% is undecided", 100*g.Limit)}
}
