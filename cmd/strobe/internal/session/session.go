// SPDX-License-Identifier: BSD-3-Clause

// Package session provides what every verb of the command needs: streams, exit codes, interrupts, progress and JSON.
package session

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/internal/plain"
)

// A Session is one run of a verb.
type Session struct {
	Ctx   context.Context // done on an interrupt
	In    io.Reader       // standard input
	Out   io.Writer       // results
	Err   io.Writer       // progress and warnings
	Verb  string          // its name; empty before it is known
	JSON  bool            // print one JSON object on Out and nothing else
	Color bool            // Out is a terminal that wants colours
	Width int             // columns of that terminal; 0 means any number
}

// Warn writes one line to standard error. Characters that a terminal would obey, which may come from a file or an argument, become blanks.
func (s *Session) Warn(format string, args ...any) {
	name := "strobe"
	if s.Verb != "" {
		name += " " + s.Verb
	}
	text := strings.Map(func(r rune) rune {
		if !plain.Is(r) {
			return ' '
		}
		return r
	}, fmt.Sprintf(format, args...))
	fmt.Fprintf(s.Err, "%s: %s\n", name, text)
}

// Interrupted reports whether the verb was told to stop before it was done.
func (s *Session) Interrupted() bool { return s.Ctx.Err() != nil }

// Unread reports whether results are lost because nothing reads them or they cannot be written. A verb that would print
// forever then stops.
func (s *Session) Unread() bool {
	o, ok := s.Out.(*Output)
	return ok && o.Err != nil
}

// Printer returns a printer for results. Print its text when it is complete.
func (s *Session) Printer() *layout.Printer { return &layout.Printer{Color: s.Color, Width: s.Width} }

// Print writes the text of a printer to the results.
func (s *Session) Print(p *layout.Printer) error {
	_, err := s.Out.Write(p.Bytes())
	return err
}

// Progress returns the progress line of s. It shows nothing unless standard error is a terminal.
func (s *Session) Progress() Progress { return Progress{s.Err, Width(s.Err), IsTerminal(s.Err)} }
