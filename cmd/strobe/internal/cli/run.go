// SPDX-License-Identifier: BSD-3-Clause

// Package cli runs a command made of verbs: it parses the arguments, runs the verb and returns the exit code.
package cli

import (
	"context"
	"io"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// Run runs the command with everything but the process around it, and returns the exit code. That is the verb's own, whether or
// not somebody reads the results. A reader that goes away early is no error.
func Run(ctx context.Context, verbs []Verb, args []string, in io.Reader, out, errw io.Writer) int {
	results := &session.Output{W: out}
	s := &session.Session{Ctx: ctx, In: in, Out: results, Err: errw, Width: session.Width(out)}
	err := dispatch(s, verbs, args, session.IsTerminal(out))
	code := session.CodeOf(err)
	if err != nil && !s.Interrupted() {
		s.Warn("%v", err)
	}
	if results.Err != nil && !session.IsClosedPipe(results.Err) {
		s.Warn("cannot write the results: %v", results.Err)
		if code == session.Done {
			code = session.Unwritten
		}
	}
	if session.LeadsNowhere(out) {
		s.Warn("standard output is closed or discarded: the results are lost; use >/dev/null if you want that")
	}
	if s.Interrupted() {
		return session.Interrupted
	}
	return code
}
