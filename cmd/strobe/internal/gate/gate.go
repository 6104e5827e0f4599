// SPDX-License-Identifier: BSD-3-Clause

// Package gate combines the outcomes of comparisons into one verdict with an exit code.
package gate

import (
	"fmt"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat/decide"
)

// A Gate is the result of --gate. It is part of the JSON of the verbs that have that flag.
type Gate struct {
	Limit   float64        `json:"limit"`   // relative slowdown that still passes
	Outcome decide.Outcome `json:"outcome"` // the worst of all comparisons
	Reasons []string       `json:"reasons"` // a sentence for each comparison, its own outcome first
}

// New returns a gate that has passed so far.
func New(limit float64) *Gate { return &Gate{Limit: limit, Outcome: decide.Passed} }

// Add adds the outcome of one comparison. An empty reason is not listed.
func (g *Gate) Add(outcome decide.Outcome, reason string) {
	g.Outcome = g.Outcome.And(outcome)
	if reason != "" {
		g.Reasons = append(g.Reasons, fmt.Sprintf("%s: %s", outcome, reason))
	}
}

// Judge applies the gate to n comparisons together, as [decide.Each] does, and adds those that fail, then those that are undecided.
// It returns how many pass.
func (g *Gate) Judge(n int, level float64, judge func(i int, error float64) (decide.Outcome, string)) (passed int) {
	all := decide.Each(n, level, judge)
	for _, outcome := range []decide.Outcome{decide.Failed, decide.Undecided} {
		for _, d := range all {
			if d.Outcome == outcome {
				g.Add(d.Outcome, d.Reason)
				n--
			}
		}
	}
	return n
}

// Err returns the error that decides the exit code, nil if the gate passed or is nil.
func (g *Gate) Err() error {
	if g == nil || g.Outcome == decide.Passed {
		return nil
	}
	text := "failed"
	if g.Outcome == decide.Undecided {
		text = "is undecided"
	}
	return session.Failure{Code: g.Outcome.ExitCode(), Err: fmt.Errorf("the gate of %g %% %s", 100*g.Limit, text)}
}
