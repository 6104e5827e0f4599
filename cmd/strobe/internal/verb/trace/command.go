// SPDX-License-Identifier: BSD-3-Clause

// Package trace is the verb that fetches a timeline or a profile from a running program.
package trace

import (
	"fmt"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// Command has the flags of the verb.
type Command struct{ Flags }

// Help is the longer part of strobe trace --help.
func (Command) Help() string {
	return `
Records for some seconds and writes a file, whose extension selects the format. The
program must serve package live, as for strobe top.

  .json           Chrome's trace: ui.perfetto.dev, chrome://tracing, speedscope
  .pftrace        Perfetto's trace, which is smaller: ui.perfetto.dev
  .pb.gz          a profile of zones: go tool pprof
  .timeline.json  the timeline as it is: for programs

strobe open shows each of them.

  strobe trace -o out.json               five seconds of a program here
  strobe trace :8080 --for 30s -o out.pftrace
  strobe trace --for 0 -o out.json       everything that the program has kept

The file is written only when it is complete. After Ctrl-C or a broken connection, which
is exit code 4, it contains what was received until then, if the format allows that.
`
}

// Run runs the verb.
func (c *Command) Run(s *session.Session) error {
	if err := session.CanWrite(string(c.Output)); err != nil {
		return err
	}
	d := &download{format: formatOf(string(c.Output)), file: string(c.Output), span: time.Duration(c.For)}
	progress := s.Progress()
	stop := d.tell(progress)
	err := d.fetch(s, c.Target)
	stop()
	if d.written && s.JSON {
		if failed := session.WriteJSON(s.Out, d.object(s.Interrupted())); err == nil {
			err = failed
		}
	} else if d.written {
		p := s.Printer()
		p.Wrap("", d.summary())
		s.Print(p)
	}
	return err
}

// summary describes the file.
func (d *download) summary() string {
	text := d.file + ": " + layout.Bytes(d.bytes.Load()) + ", " + d.format.what
	switch {
	case d.last > 0:
		text += fmt.Sprintf(" of the %v until the interrupt", d.last)
	case d.cut:
		text += ", cut off"
	case d.span == 0 && d.format.profile:
		text += " since the program started"
	case d.span == 0:
		text += " of what the program had kept"
	default:
		text += " of " + d.span.String()
	}
	return text + ". Open it with " + d.format.viewer + "."
}
