// SPDX-License-Identifier: BSD-3-Clause

// Package top is the verb that shows what a running program does.
package top

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/flags"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
)

// Flags are the flags of the verb.
type Flags struct {
	Target flags.Target `arg:"" optional:"" name:"URL" help:"Where the program serves package live: a URL, HOST:PORT or :PORT; 127.0.0.1:6061 or one of the next ports if not given."`
	Loop   string       `placeholder:"NAME" help:"The loop whose frames are shown, the first one if not given."`
	Once   bool         `help:"Print one table, which covers about two seconds, and exit."`
	All    bool         `help:"With --once: print all zones, not only those with the largest shares."`
}

// Command has the flags of the verb.
type Command struct{ Flags }

// Help is the longer part of strobe top --help.
func (Command) Help() string {
	return `
A graph shows the time of each frame, lines show how long the calls of root zones take,
such as requests, and a table shows the zones in which the time is spent. The program
must serve package live, which takes one line of code, or a blank import of live/auto
and an environment variable. strobe top reconnects when the program is restarted; with
--once, it exits with 2 if nothing listens at the URL.

  strobe top                      a program on this machine
  strobe top :8080                at another port
  strobe top --once               one table, for a script or without a terminal

Press ? for the keys. A terminal of 80 columns and 24 lines is enough.

With --json it prints one object per second, each on its own line, until Ctrl-C.
`
}

// Rates of messages from the program, in Hz.
const (
	screenRate = 10
	tableRate  = 2
)

// Run runs the verb.
func (c *Command) Run(s *session.Session) error {
	if strings.HasPrefix(c.Loop, "--") { // values may begin with a hyphen, so the parser accepts this
		return fmt.Errorf("--loop: %s is a flag, not the name of a loop", c.Loop)
	}
	source := feed.Source{URLs: c.Target.URLs(), Name: c.Target.String(), Loop: c.Loop, Rate: tableRate}
	switch {
	case c.All && !c.Once:
		return errors.New("--all is for --once; on the screen, a shows all zones")
	case c.Once:
		return once(s, source, c.All)
	case s.JSON:
		return stream(s, source)
	case !s.Screen():
		why := "standard output is not a terminal"
		if os.Getenv("TERM") == "dumb" {
			why = "this terminal cannot place text (TERM=dumb)"
		}
		return errors.New(why + "; use --once for a table or --json for lines")
	}
	source.Rate = screenRate
	return show(s.Ctx, s, source)
}

// Watch shows the program at a mount point until ctx ends or the user leaves. A Ctrl-C ends s's context.
func Watch(ctx context.Context, s *session.Session, mount string) error {
	return show(ctx, s, feed.Source{URLs: []string{mount}, Name: mount, Rate: screenRate})
}
