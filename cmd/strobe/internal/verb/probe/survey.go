// SPDX-License-Identifier: BSD-3-Clause

package probe

import (
	"context"
	"errors"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/pace"
	"github.com/strobe-go/strobe/perf"
)

// A survey is what has been found out so far.
type survey struct {
	machine  probeMachine
	now      clock.Info
	clocks   []clockFound
	sleeps   []sleepFound
	counters []perf.Value
}

type clockFound struct {
	clock.Granularity
	slow bool // measures something other than time
	call bool // a reading is a system call
	err  error
}

type sleepFound struct {
	pace.Lateness
	err error
}

// patience is how long a survey may take. What it has not reached by then is left out, with errPatience as the reason.
const patience = 4800 * time.Millisecond

var errPatience = errors.New("not measured: the survey ran out of time")

// waits are how long sleeps are asked to last, and how often each is measured.
var waits = [...]struct {
	period time.Duration
	n      int
}{{100 * time.Microsecond, 100}, {time.Millisecond, 100}, {time.Second / 60, 10}}

// fewer waits than this have no 99th percentile.
const few = 100

// gather surveys the machine until it is done or the session is interrupted. Counters come first: they take no time.
func gather(s *session.Session) *survey {
	v := &survey{machine: describeMachine("/")}
	p := s.Progress()
	defer p.Clear()
	p.Show("counters")
	v.counters = perf.Check()
	v.now = clock.Describe()
	ctx, cancel := context.WithTimeoutCause(s.Ctx, patience, errPatience)
	defer cancel()
	sources := clock.Sources()
	for i, source := range sources {
		p.Show("clock %d of %d: %s", i+1, len(sources), source.Name)
		g, err := clock.Probe(ctx, source)
		if s.Interrupted() {
			return v
		}
		g.Name = source.Name
		v.clocks = append(v.clocks, clockFound{g, source.Slow, source.Call, outOf(ctx, err)})
	}
	v.now = clock.Describe() // its rate is known better by now
	ways := pace.Ways()
	for _, wait := range waits {
		for i, way := range ways {
			p.Show("sleep of %v, %d of %d: %s", wait.period, i+1, len(ways), way.Name)
			way.Period, way.N = wait.period, wait.n
			l, err := pace.Probe(ctx, way)
			if s.Interrupted() {
				return v
			}
			v.sleeps = append(v.sleeps, sleepFound{l, outOf(ctx, err)})
		}
	}
	return v
}

// outOf returns why ctx ended, if err is due to that.
func outOf(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
