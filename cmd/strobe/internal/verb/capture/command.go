// SPDX-License-Identifier: BSD-3-Clause

// Package capture is the verb that says what is in captures of slow frames and requests.
package capture

import (
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// Command has the flags of the verb.
type Command struct {
	Files []string `arg:"" name:"FILE" help:"Captures, or folders with captures; - for standard input."`
}

// Help is the longer part of strobe capture --help.
func (Command) Help() string {
	return `
A program that calls capture.Start with a folder keeps a file for each slow frame or
request that it could explain. Of one file, strobe capture prints the sentence, where
the time went beside what is usual, what that rests on, and what to do next:

  strobe capture strobe-20260102T030405.678901Z-request-x7k2pq.html

Of several files, or of a folder, it prints which causes they have, how often and how
much time each took, by root and place, the largest first:

  strobe capture /var/lib/server/captures

The files are pages: a browser shows them, with a timeline, and so does strobe open.
The exit code is 2 if a file is no capture; the others are printed.
`
}

// Run runs the verb.
func (c *Command) Run(s *session.Session) error {
	all, single, err := read(s, c.Files)
	if len(all) == 0 {
		return err // nil when interrupted
	}
	if single {
		err = firstOf(err, show(s, all[0]))
	} else {
		err = firstOf(err, summarize(s, all))
	}
	return err
}

// firstOf returns the first error that is one.
func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
