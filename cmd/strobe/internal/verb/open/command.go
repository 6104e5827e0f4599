// SPDX-License-Identifier: BSD-3-Clause

// Package open is the verb that shows a file of strobe in a browser.
package open

import (
	"fmt"
	"io"

	"github.com/strobe-go/strobe/cmd/strobe/internal/browser"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/plain"
)

// Command has the flags of the verb.
type Command struct {
	File      string `arg:"" name:"FILE" help:"File to show; - for standard input."`
	NoBrowser bool   `help:"Print the address only."`

	// Frames writes the report on a frame-time capture as a page.
	Frames func(s *session.Session, file string, in io.Reader, w io.Writer) error `kong:"-"`
}

// Help is the longer part of strobe open --help.
func (Command) Help() string {
	return `
Shows a file in the browser. What it is, its content says:

  a capture of a slow frame or request   its page
  a timeline, of strobe trace or Chrome  lanes and zones over time
  snapshot.json of a running program     units, loops, zones and the call tree
  a report of another verb, in HTML      the page itself, which may load nothing
  a profile of Go, as for pprof          a flame graph, and a table of functions
  a capture of frame times               the report of strobe frames

It may be compressed by gzip.

A server on this machine's loopback interface serves the page until Ctrl-C, which is
exit code 130. It answers this machine only, and only for the file. The address is
printed, and the browser is opened if there is a screen.

Other programs' traces for Perfetto are for ui.perfetto.dev, Go's execution traces for
go tool trace.
`
}

// An openObject is the JSON of strobe open, printed before the file is served.
type openObject struct {
	Schema int    `json:"schema"` // version of this format
	File   string `json:"file"`   // name of the file
	Kind   string `json:"kind"`   // what it is: "capture", "timeline", "snapshot", "report", "profile" or "frame times"
	URL    string `json:"url"`    // where the page is
}

// Run runs the verb.
func (c *Command) Run(s *session.Session) error {
	shown, err := c.read(s)
	if err != nil {
		return err
	}
	server, err := serve(shown)
	if err != nil {
		return fmt.Errorf("cannot serve the page: %w", err)
	}
	defer server.close()
	if s.JSON {
		err = session.WriteJSON(s.Out, openObject{session.Schema, shown.file, shown.kind, server.url})
	} else {
		_, err = fmt.Fprintf(s.Out, "%s is a %s\n%s shows it until Ctrl-C\n", plain.Text(shown.file), shown.kind, server.url)
	}
	if err != nil {
		return err
	}
	if !c.NoBrowser && browser.Screen() {
		if err := browser.Open(server.url); err != nil {
			s.Warn("cannot open the browser: %v; open %s yourself", err, server.url)
		}
	}
	<-s.Ctx.Done()
	return nil
}
