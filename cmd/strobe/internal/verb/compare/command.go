// SPDX-License-Identifier: BSD-3-Clause

// Package compare is the verb that compares benchmark results.
package compare

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/strobe-go/strobe/cmd/strobe/internal/gate"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// Command has the flags of the verb.
type Command struct{ Flags }

// Help is the longer part of strobe compare --help.
func (Command) Help() string {
	return `
A file is the output of go test -bench, or what strobe bench wrote with --json or
--export json. Every other file is compared with the first.

For each benchmark it prints the medians with their intervals, the change of the median
and the p-value of the Mann-Whitney test, as benchstat does, and the Hodges-Lehmann
ratio with its interval. "~" means that the change is not significant, or that the
correlation of successive runs explains it. --filter, --row, --col, --table and
--ignore take the expressions that benchstat takes.

The gate judges times, bytes, allocations, and units for which a line such as
"Unit hits/op better=higher" says which direction is better. It fails if a benchmark is
shown to be worse by more than the limit, and passes if each is shown not to be. It
needs about 10 runs of each benchmark (-count=10), or one if counts are exact. Results
from different machines or days differ for reasons other than the code: run both
versions on the same machine, in turn if possible.
`
}

// An outcome is all that is printed.
type outcome struct {
	columns  []string
	lines    []line
	alone    []absence
	skipped  []string
	failures []string
	notes    []string
	gate     *gate.Gate
}

// Run runs the verb.
func (c *Command) Run(s *session.Session) error {
	if len(c.Files) < 2 && c.Col == ".file" {
		return errors.New("a single file cannot be compared: give NEW too, or --col with a key that differs within the file")
	}
	if c.Gate != nil {
		if err := c.Level.ForGate(); err != nil {
			return err
		}
	}
	files, err := readAll(s, c.Files)
	if err != nil {
		return err
	}
	r := &outcome{}
	var results []*benchfmt.Result
	for _, m := range files {
		results = append(results, m.results...)
		r.skipped, r.failures = append(r.skipped, m.skipped...), append(r.failures, m.failures...)
	}
	if c.Strict && len(r.skipped) > 0 {
		return fmt.Errorf("%s (leave out --strict to compare the rest)", r.skipped[0])
	}
	v, err := c.project(results)
	if err != nil {
		return err
	}
	r.columns, r.notes = v.columns, append(v.notes, processors(results)...)
	r.lines, r.alone = v.lines(unitsOf(files), float64(c.Level))
	if len(r.lines) == 0 {
		return c.nothing(r)
	}
	for _, l := range r.lines {
		if l.exact && !l.fixed() {
			r.notes = append(r.notes, fmt.Sprintf("%s is declared exact, but varies in %s", l.unit, l.name))
			break
		}
	}
	base := files[:1] // failures of the base leave nothing to compare with
	if c.Col != ".file" {
		base = nil
	}
	var failed, before []string
	for _, m := range files {
		if slices.Contains(base, m) {
			before = m.failures
		} else {
			failed = append(failed, m.failures...)
		}
	}
	r.gate = c.gate(r.lines, r.alone, before)
	if err := c.print(s, r); err != nil {
		return err
	}
	if r.gate != nil && len(failed) > 0 {
		return session.Failure{Code: session.CommandFailed, Err: fmt.Errorf("%s: the results are incomplete, so the gate cannot pass", failed[0])}
	}
	return r.gate.Err()
}

func (c *Command) print(s *session.Session, r *outcome) error {
	switch {
	case s.JSON:
		return session.WriteJSON(s.Out, c.object(r))
	case c.Format == "csv":
		for _, note := range r.notes { // CSV has no place for notes
			s.Warn("%s", note)
		}
		return c.writeCSV(s.Out, r.lines)
	}
	return c.write(s, r)
}

// nothing says why there is nothing to compare.
func (c *Command) nothing(r *outcome) error {
	text := fmt.Sprintf("%s have no benchmark in common", strings.Join(r.columns, " and "))
	switch {
	case len(r.columns) == 0:
		text = "no result matches the filter"
	case len(r.columns) == 1:
		text = fmt.Sprintf("there is only one column, %s", r.columns[0])
	}
	if len(c.Unit) > 0 {
		text += fmt.Sprintf(" in %q", c.Unit)
	}
	if len(r.notes) > 0 {
		text += "; " + r.notes[len(r.notes)-1]
	}
	return errors.New(text)
}
