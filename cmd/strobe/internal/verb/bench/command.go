// SPDX-License-Identifier: BSD-3-Clause

// Package bench is the verb that measures commands and compares them.
package bench

import (
	"errors"
	"fmt"
	"io"

	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// Command has the flags of the verb.
type Command struct{ Flags }

// Help is the longer part of strobe bench --help.
func (Command) Help() string {
	return `
Commands run in rounds, each in random order, so that a machine that slows down slows
all of them alike. The first is the base. For each of the others strobe prints the ratio
to the base with a confidence interval, and a verdict: faster, slower, same or
inconclusive.

With --gate, the exit code is 1 if a command is slower than the base by more than the
limit, and 3 if that is undecided. It is 4 if a command fails, unless -i is given.

Commands are split into words and started without a shell, unless one of them has a
pipe or other shell syntax: then all run in the shell, and the time that the shell takes
to start is subtracted. Times and memory include the child processes that a command
waited for.

Exports: json has the keys of hyperfine's JSON as well as those of --json; gobench is
Go benchmark text for strobe compare and benchstat; csv has a row for each run; md,
asciidoc and org are tables; html is a page with plots. hyperfine's own flags, such as
--export-json, are accepted too; --export-csv has hyperfine's columns.
`
}

// Run runs the verb.
func (c *Command) Run(s *session.Session) error {
	b, err := newMeasurement(&c.Flags, s.Err)
	if err != nil {
		return err
	}
	exports, err := c.exports()
	if err != nil {
		return err
	}
	c.paint(s)
	b.failed = b.measure(s)
	b.clean(s)
	return b.finish(s, exports)
}

// finish prints and exports the results, and decides the exit code: that of the measurement, even if an export failed.
func (b *measurement) finish(s *session.Session, exports []export) error {
	var err error
	switch {
	case s.JSON:
		err = session.WriteJSON(s.Out, b.object(s.Interrupted()))
	case b.flags.Style != "none":
		err = b.write(s)
	}
	verdict := b.verdict()
	for _, e := range exports {
		failed := session.WriteFile(e.file, func(w io.Writer) error { return e.format(w, b, s.Interrupted()) })
		if failed != nil && (verdict != nil || err != nil) {
			s.Warn("--export: %v", failed)
		} else if failed != nil {
			err = fmt.Errorf("--export: %w", failed)
		}
	}
	return errors.Join(verdict, err)
}

// verdict returns the error that decides the exit code: that of a command that failed, or of the gate.
func (b *measurement) verdict() error {
	var broken *command.Failure
	switch {
	case b.failed == nil:
		return b.gate().Err()
	case errors.As(b.failed, &broken):
		return session.Failure{Code: session.CommandFailed, Err: b.failed}
	}
	return b.failed
}
