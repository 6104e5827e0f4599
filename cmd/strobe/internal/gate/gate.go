// SPDX-License-Identifier: BSD-3-Clause

// Package gate gathers the outcomes of comparisons into one verdict with an exit code.
package gate

import (
	"fmt"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// A Gate is what --gate found. It is part of the JSON of the verbs that have that flag.
type Gate struct {
	Limit   float64       `json:"limit"`   // relative slowdown that still passes
	Outcome bench.Outcome `json:"outcome"` // the worst of all comparisons
	Reasons []string      `json:"reasons"` // a sentence for each comparison, its own outcome first
}

// New returns a gate that has passed so far.
func New(limit float64) *Gate { return &Gate{Limit: limit, Outcome: bench.Passed} }

// Add takes the outcome of one comparison. An empty reason is not listed.
func (g *Gate) Add(outcome bench.Outcome, reason string) {
	if outcome == bench.Failed || outcome == bench.Undecided && g.Outcome == bench.Passed {
		g.Outcome = outcome
	}
	if reason != "" {
		g.Reasons = append(g.Reasons, fmt.Sprintf("%s: %s", outcome, reason))
	}
}

// Err returns the error that decides the exit code, nil if the gate passed or is nil.
func (g *Gate) Err() error {
	switch {
	case g == nil || g.Outcome == bench.Passed:
		return nil
	case g.Outcome == bench.Failed:
		return session.Failure{Code: session.GateFailed, Err: fmt.Errorf("the gate of %g %% failed", 100*g.Limit)}
	}
	return session.Failure{Code: session.Inconclusive, Err: fmt.Errorf("the gate of %g %% is undecided", 100*g.Limit)}
}
