// SPDX-License-Identifier: BSD-3-Clause

// Package bisect is the verb that finds the commit that made a benchmark slower.
package bisect

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/sides"
	"github.com/strobe-go/strobe/cmd/strobe/internal/worktree"
)

// Command has the flags of the verb.
type Command struct {
	Flags
	Compare sides.Compare `kong:"-"` // measures
}

// Help is the longer part of strobe bisect --help.
func (Command) Help() string {
	return `
Compares a benchmark at BAD with that at GOOD, as strobe gate does. If it is proven
slower, it measures commits between them, always those that tell most, until the
measurements point at one. That commit is then compared with its parent, by new
measurements, and only if it is proven slower than that is it named. The probability
of naming a wrong commit is at most 1 - level.

  strobe bisect v1.2.0..HEAD ./codec --bench 'Decode$'
  strobe bisect v1.2.0..v1.3.0 --exact
      compares instructions in an emulated machine; see strobe exact --help

It exits with 0 if every rise that counts is named, and with 3 if the ends are not
proven different or the commit is not confirmed. It then lists the commits that may be
it, with their probabilities. Commits that do not build, or lack the benchmark, are
skipped and stay in the answer. After an interrupt, or when the time is up, the same
command continues. The working tree is not touched.
`
}

// Run runs the verb.
func (c *Command) Run(s *session.Session) error {
	if err := c.check(); err != nil {
		return err
	}
	r, err := c.find(s)
	if err != nil {
		return err
	}
	if s.JSON {
		err = session.WriteJSON(s.Out, r.object(s.Interrupted()))
	} else {
		err = r.write(s)
	}
	return errors.Join(r.err(), err)
}

// find searches the range, and with --all what a merge has brought.
func (c *Command) find(s *session.Session) (*report, error) {
	began := clock.Now()
	r := &report{flags: &c.Flags, started: time.Now()}
	defer func() { r.spent = clock.Since(began) }()
	good, bad, err := c.ends()
	if err != nil {
		return nil, err
	}
	worktree.Sweep()
	in, err := worktree.Open(s.Ctx)
	if err != nil {
		return nil, err
	}
	h, err := openHistory(s.Ctx, in, good, bad)
	if err != nil {
		return nil, err
	}
	o := c.options()
	for {
		x := c.newSearch(h, func() time.Duration { return clock.Since(began) })
		defer x.close(s.Ctx)
		if err := x.run(s, c, o); err != nil {
			return nil, err
		}
		r.searches = append(r.searches, x)
		worst := x.worst()
		if !c.All || worst == nil || len(worst.parents) != 2 || s.Interrupted() {
			break
		}
		if h, err = h.merged(s.Ctx, worst.commit); err != nil {
			r.notes = append(r.notes, fmt.Sprintf("what %s has merged cannot be searched: %v", worst.short(), err))
			break
		}
		o.Packages, o.Bench = []string{x.chosenResult().Package}, x.chosenResult().Pattern
	}
	if in.Status != "" && strings.HasPrefix(bad, "HEAD") {
		r.notes = append(r.notes, "changes that are not committed are not part of "+bad)
	}
	if files := in.Touched(s.Ctx); files != "" && !s.Interrupted() {
		r.notes = append(r.notes, "the benchmarks changed files of the working tree: "+files)
	}
	return r, nil
}
