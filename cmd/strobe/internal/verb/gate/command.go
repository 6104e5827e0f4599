// SPDX-License-Identifier: BSD-3-Clause

// Package gate is the verb that compares the benchmarks of a checkout with those of an earlier revision.
package gate

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/strobe-go/strobe/cmd/strobe/internal/host"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// Command has the flags of the verb.
type Command struct{ Flags }

// Help is the longer part of strobe gate --help.
func (Command) Help() string {
	return `
Builds the test programs of the working tree and of its merge base with REV, finds the
benchmarks of both, and runs the two sides in rounds, in random order, until the verdict
on each benchmark is clear. The exit code is 1 if one is slower than --gate allows, 3 if
that is undecided or something was not compared, and 4 if one no longer builds or runs.

  strobe gate main
  strobe gate HEAD~1 ./codec --bench Decode --gate 3% --max-time 1m
  strobe gate main ./... -- -tags integration

  strobe gate main --exact --gate 0.5%
      compares instructions in an emulated machine; see strobe exact --help

Calls are measured in short blocks, the fastest of which counts, and in long runs, in
which every call counts. A benchmark fails if either is shown to be slower than --gate
allows. It passes if the blocks are shown to be within --gate, and the long runs within
10 percentage points more. With --by cpu only the processor time of long runs counts.
What failed is profiled, in at most a fifth of --max-time more, and the report names the
functions that cost more.

If nothing is slower than allowed, the probability that any benchmark fails is at most
1 - level (Holm's method). Each benchmark that passes does so at the full level. Packages
whose test program is the same on both sides are not measured.
`
}

// Run runs the verb.
func (c *Command) Run(s *session.Session) error {
	m, err := newMeasurement(&c.Flags)
	if err != nil {
		return err
	}
	if c.Markdown != "" {
		if err := session.CanWrite(c.Markdown); err != nil {
			return err
		}
	}
	if err := c.makeProfileDir(); err != nil {
		return err
	}
	defer m.clean(s.Ctx)
	if err := m.prepare(s); err != nil {
		return err
	}
	if len(m.all)+len(m.unchanged)+len(m.broken)+len(m.added)+len(m.vanished) == 0 {
		return fmt.Errorf("no benchmark matches --bench=%s in %q", c.Bench, m.patterns)
	}
	m.measure(s)
	err = m.explain(s)
	r := m.report()
	if m.emulator == nil && m.checkout != nil && !m.flags.Self {
		if folder, unkept := host.Cache("gate"); unkept == nil {
			if unkept = r.remember(filepath.Join(folder, "costs.json")); unkept != nil {
				m.notes = append(m.notes, fmt.Sprintf("the cost of the base is not kept for later runs: %v", unkept))
			}
		}
	}
	err = errors.Join(err, r.writePages())
	return errors.Join(r.finish(s), err)
}

// finish prints the report and decides the exit code.
func (r *report) finish(s *session.Session) error {
	var err error
	if s.JSON {
		err = session.WriteJSON(s.Out, r.object(s.Interrupted()))
	} else {
		err = r.write(s)
	}
	if r.m.flags.Annotate {
		fmt.Fprint(s.Err, r.annotations())
	}
	return errors.Join(r.err(), err, r.writeMarkdown())
}
