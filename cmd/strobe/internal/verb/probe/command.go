// SPDX-License-Identifier: BSD-3-Clause

// Package probe is the verb that surveys a machine: the cost of its clocks, the lateness of its sleeps, its counters.
package probe

import (
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// Command has the flags of the verb: it has none.
type Command struct{}

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

It needs no privileges and changes nothing. What this machine or this user cannot read
or count is listed with the reason and, if one is known, a remedy; so is what a busy
machine leaves no time for. The exit code is 0 in these cases. After Ctrl-C it prints
what it has surveyed until then, and the exit code is 130.
`
}

// Run runs the verb.
func (Command) Run(s *session.Session) error {
	v := gather(s)
	if s.JSON {
		return session.WriteJSON(s.Out, v.object(s.Interrupted()))
	}
	return v.write(s)
}
