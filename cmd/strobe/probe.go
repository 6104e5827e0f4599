// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/pace"
	"github.com/strobe-go/strobe/perf"
)

type probeCmd struct{}

// Help is the longer part of strobe probe --help.
func (probeCmd) Help() string {
	return `
Takes less than five seconds. Close busy programs first: what they take shows here.

  clocks      every clock: what a reading costs, by which steps it goes, whether it
              steps back, and how fast it runs against the system's clock
  sleeps      every way to wait: how late it ends, and what processor time it costs
  counters    which performance counters a program could have, or why not
  advice      what to use here, and what to change to get better`
}

// A survey is what has been found out so far.
type survey struct {
	now      clock.Info
	clocks   []clockFound
	sleeps   []sleepFound
	counters []perf.Value
}

type clockFound struct {
	clock.Granularity
	slow bool // measures something else than time
	err  error
}

type sleepFound struct {
	pace.Lateness
	err error
}

// patience is how long a survey may take: what it has not reached by then it leaves out, with that for a reason.
const patience = 4800 * time.Millisecond

var errPatience = errors.New("not reached in time: other programs keep the processors busy")

// Sleeps are measured for short waits and for a frame, few times enough to end soon.
var waits = [...]struct {
	period time.Duration
	n      int
}{{100 * time.Microsecond, 100}, {time.Millisecond, 100}, {time.Second / 60, 10}}

// few waits have no 99th percentile.
const few = 100

// Run is called by the parser.
func (probeCmd) Run(s *session) error {
	var v survey
	v.gather(s)
	if s.json {
		return writeJSON(s.out, v.object(s.ctx.Err() != nil))
	}
	return v.write(s)
}

// gather fills the survey until it is done or the session ends. Counters come first: they take no time.
func (v *survey) gather(s *session) {
	p := progress{w: s.err, on: isTerminal(s.err)}
	defer p.clear()
	p.show("counters")
	v.counters = perf.Probe()
	v.now = clock.Describe()
	ctx, cancel := context.WithTimeoutCause(s.ctx, patience, errPatience)
	defer cancel()
	sources := clock.Sources()
	for i, source := range sources {
		p.show("clock %d of %d: %s", i+1, len(sources), source.Name)
		g, err := clock.Probe(ctx, source)
		if s.ctx.Err() != nil {
			return
		}
		g.Name = source.Name
		v.clocks = append(v.clocks, clockFound{g, source.Slow, outOf(ctx, err)})
	}
	v.now = clock.Describe() // the longer it runs, the better the clock knows itself
	ways := pace.Ways()
	for _, wait := range waits {
		for i, way := range ways {
			p.show("sleep of %v, %d of %d: %s", wait.period, i+1, len(ways), way.Name)
			l, err := pace.Probe(ctx, way, wait.period, wait.n)
			if s.ctx.Err() != nil {
				return
			}
			v.sleeps = append(v.sleeps, sleepFound{l, outOf(ctx, err)})
		}
	}
}

// outOf returns why ctx ended if that is why err came about.
func outOf(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// machine names what was measured.
func machine() string {
	return fmt.Sprintf("%s/%s, %d processors, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
}
