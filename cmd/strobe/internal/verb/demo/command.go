// SPDX-License-Identifier: BSD-3-Clause

// Package demo is the verb that measures a small simulation, as an example of what strobe shows.
package demo

import (
	"context"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// Command has the flags of the verb.
type Command struct {
	Flags

	// View shows the program that serves at a mount point on the terminal until ctx ends or the user leaves. If it is nil, or
	// there is no terminal, lines are printed.
	View func(ctx context.Context, s *session.Session, mount string) error `kong:"-"`
}

// Help is the longer part of strobe demo --help.
func (Command) Help() string {
	return `
Simulates a flock of boids at a fixed rate on four goroutines, while another goroutine
counts the flocks at its own rate. The page at the address printed first shows
its frames and zones live. A terminal shows the view of strobe top; elsewhere, and
with --plain, every second prints:

  a row for each operation
    ops/s       operations per second
    mean ± ms   mean duration with its 95 % confidence interval, which allows
                for the correlation of successive ticks
    sd, p99     standard deviation and 99th percentile of the durations
    share       fraction of the time that the operation was running
  a row for the pacer: how late ticks started after their deadlines
  a row for each goroutine and zone of the profiler
    calls       how often the zone was entered
    in ms       time in the zone; "self ms" leaves out the zones entered from it

At the end the same rows sum up the whole run. Ctrl-C ends it early; the exit code is
then 130.

If nothing can listen at the address of --http, because the port is taken or this user
may not open it, a warning says so and the simulation runs without a page. If no browser
can be started, a warning names the address to open. The exit code is 0 in both cases.
`
}

// Run runs the verb.
func (c *Command) Run(s *session.Session) error {
	d := newDemo(c.Flags)
	defer d.pacer.Close()
	mount, stop := d.serve(s)
	defer stop()
	ctx, cancel := context.WithCancel(s.Ctx)
	if c.For > 0 {
		ctx, cancel = context.WithTimeout(s.Ctx, time.Duration(c.For))
	}
	defer cancel()
	elapsed, run := d.fly(ctx, func() {
		defer cancel()
		if c.View != nil && mount != "" && !c.Plain && !s.JSON && s.Screen() {
			err := c.View(ctx, s, mount)
			if err == nil {
				return
			}
			s.Warn("%v", err)
		}
		d.watch(ctx, s)
	})
	stop()
	if s.JSON {
		return session.WriteJSON(s.Out, d.object(elapsed, run, s.Interrupted()))
	}
	return d.sum(s, elapsed, run)
}
