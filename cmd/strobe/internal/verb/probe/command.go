// SPDX-License-Identifier: BSD-3-Clause

// Package probe is the verb that surveys a machine: the cost of its clocks, the lateness of its sleeps, its counters.
package probe

import (
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// Command has the flags of the verb.
type Command struct {
	Bundle string `placeholder:"FILE" help:"Also write the survey, and what explains it, to FILE, for whoever helps you."`
}

// Help is the longer part of strobe probe --help.
func (Command) Help() string {
	return `
The survey takes less than five seconds. Close busy programs first: the load they
cause shows in the figures.

  clocks      for every clock: the cost of a reading, its step, whether it steps
              back, and its rate against the system's clock
  sleeps      for every way to wait: how late it ends and what it costs
  counters    which performance counters a program can use, or why it cannot
  advice      what to use on this machine, what to change, and whether another
              machine or program shares the core of the processor

--bundle writes one file of JSON, which any editor shows: the survey as text and as
JSON, the answers of the system about clocks, processor and kernel, how strobe was built.
It has no names of users or hosts, no folders, addresses or serial numbers. Nothing is
sent. docs/bundle.md says where a bundle is welcome.

  strobe probe --bundle machine.json

It needs no privileges and changes nothing else. What this machine or this user cannot read
or count is listed with the reason and, if one is known, a remedy; so is what a busy
machine leaves no time for. The exit code is 0 in these cases. After Ctrl-C it prints
what it has surveyed until then, and the exit code is 130.
`
}

// Run runs the verb.
func (c Command) Run(s *session.Session) error {
	if c.Bundle != "" {
		if err := session.CanWrite(c.Bundle); err != nil {
			return err
		}
	}
	v := gather(s)
	if s.JSON {
		if err := session.WriteJSON(s.Out, v.object(s.Interrupted())); err != nil {
			return err
		}
	} else if err := v.write(s); err != nil {
		return err
	}
	if c.Bundle == "" {
		return nil
	}
	return v.bundle(s.Interrupted(), time.Now()).keep(s, c.Bundle, here())
}
