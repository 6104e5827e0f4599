// SPDX-License-Identifier: BSD-3-Clause

// Package mcp is the verb that offers verbs of the command to programs as tools of the Model Context Protocol.
package mcp

import (
	"context"
	"fmt"
	"os"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// Command has no flags.
type Command struct{}

// Help is the longer part of strobe mcp --help.
func (Command) Help() string {
	return `
Serves the Model Context Protocol on standard input and output, for coding assistants. A
client starts it and ends it; nothing listens on the network. Each tool runs the verb of
the same name, as a process of its own, and returns what the verb prints:

  guide    what to do next, by situation
  run      where the time of a program goes, without a change of its code
  top      where a running program spends its time
  capture  why slow frames and requests were slow
  gate     whether benchmarks became slower or faster
  bisect   which commit made a benchmark slower

Configure a client to start "strobe mcp". Results are limited to 24 KiB, and say what was
left out and which command prints all. What takes long reports progress if the client
asks for it; if the client cancels a call, its process ends and removes what it made. A
gate that fails or is undecided is a result; wrong usage is an error of the tool, in one
line.

With --json it prints the tools and exits.
`
}

// Run runs the verb.
func (Command) Run(s *session.Session) error {
	if s.JSON {
		return session.WriteJSON(s.Out, object())
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("the tools run strobe, but its own file is not known: %v", err)
	}
	if session.IsTerminal(s.In) {
		s.Warn("a client of the Model Context Protocol is expected on standard input; Ctrl-C ends this")
	}
	ctx, cancel := context.WithCancel(s.Ctx)
	r := &runner{ctx: ctx, self: self}
	err = server(r).Run(ctx, &sdk.IOTransport{Reader: &messages{r: s.In}, Writer: results{s.Out}})
	cancel() // a client that is gone needs no results
	r.running.Wait()
	if err != nil && s.Ctx.Err() == nil {
		return session.Failure{Code: session.CommandFailed, Err: fmt.Errorf("the connection broke off: %v", err)}
	}
	return nil
}
