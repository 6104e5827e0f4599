// SPDX-License-Identifier: BSD-3-Clause

// Package stat is the verb that summarises a file of numbers.
package stat

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/stat/series"
	"github.com/strobe-go/strobe/internal/units"
)

// Command has the flags of the verb.
type Command struct{ Flags }

// Help is the longer part of strobe stat --help.
func (Command) Help() string {
	return `
A number is decimal or scientific, with or without a unit: 12, 1.2e-3, 12.3ms, 1m3s.
The first number sets the unit; ns, us, ms and s are converted to it. The order of
the lines is taken as the order in time.

Empty lines and lines that start with # are skipped, and so are empty cells and NA in
a column. Other lines without a number are skipped, counted and reported. If there are
more of them than --max-damaged allows, the exit code is 2; the result is still printed.

Methods for the interval of the mean:
  batch-means   the default; allows for correlation; any number of lines
  plain         batch means as published by Schmeiser, 1982: without warnings
  geyer         allows for correlation, by autocovariances; up to 1048576 lines
  bootstrap     allows for correlation, by block resampling; up to 1048576 lines
  student-t     for independent samples only, such as the means of separate runs
  normal        for many independent samples

Quantiles are exact up to 1048576 lines and within 0.05 % above that, in constant
memory.
`
}

// Run runs the verb.
func (c *Command) Run(s *session.Session) error {
	in, name, size, err := c.open(s)
	if err != nil {
		return err
	}
	defer in.Close()
	stored := c.WarmUp || c.Method.Stored()
	all, err := series.Read(s.Ctx, in, series.Options{
		Column: c.Column, Quantiles: c.found(), Stored: stored, Progress: c.progress(s, size),
	})
	s.Progress().Clear()
	if errors.Is(err, series.ErrTooMany) {
		return fmt.Errorf("%s has more than %d numbers, and %s needs them all in memory; use --method batch-means",
			name, series.Keep, c.wish())
	}
	if all.Damaged > 0 {
		s.Warn("%s: %s", name, damaged(all))
	}
	if all.N() == 0 {
		switch {
		case err != nil:
			err = fmt.Errorf("%s: %w", name, err)
		case s.Ctx.Err() != nil:
			return nil
		default:
			err = fmt.Errorf("%s contains no number", name)
		}
		return err
	}
	numbers := all.N()
	r := c.summarize(all)
	if s.JSON {
		err = errors.Join(session.WriteJSON(s.Out, r.object(s.Ctx.Err() != nil)), err)
	} else {
		err = errors.Join(r.text(s, c.Explain), err)
	}
	if err == nil && c.tooDamaged(numbers, all.Damaged) {
		return fmt.Errorf("%s: %s hold no number; the result is from the others (see --max-damaged)", name, share(all.Damaged, numbers+all.Damaged))
	}
	if err != nil {
		return fmt.Errorf("%s: %w; the result is from the lines before", name, err)
	}
	return nil
}

// damaged describes the first damaged line, and says how many more there are.
func damaged(all *series.Series) string {
	text := all.First.String()
	if all.Damaged > 1 {
		text += fmt.Sprintf("; and %s", layout.Plural(all.Damaged-1, "more line"))
	}
	if all.N() > 0 {
		text += "; skipped"
	} else if strings.ContainsAny(all.First.Text, ",;") {
		text += "; choose a column with --column NAME"
	}
	return text
}

// open returns the input, its name for messages, and its size; 0 if unknown.
func (f *Flags) open(s *session.Session) (in io.ReadCloser, name string, size int64, err error) {
	if f.File == "" && session.IsTerminal(s.In) {
		s.Warn("reading numbers from the terminal, one per line; end with Ctrl-D")
	}
	return s.Open(cmp.Or(f.File, "-"))
}

// progress returns a function that shows how much has been read; nil if that should not be shown.
func (f *Flags) progress(s *session.Session, size int64) func(uint64, int64) {
	p := s.Progress()
	if !p.On || (f.File == "" || f.File == "-") && session.IsTerminal(s.In) {
		return nil // the user is typing the numbers
	}
	next := time.Now().Add(500 * time.Millisecond)
	return func(lines uint64, bytes int64) {
		if now := time.Now(); now.After(next) {
			next = now.Add(200 * time.Millisecond)
			of := ""
			if size > 0 {
				of = fmt.Sprintf(", %.0f %%", 100*min(1, float64(bytes)/float64(size)))
			}
			p.Show("%s lines%s", units.Count(lines), of)
		}
	}
}
