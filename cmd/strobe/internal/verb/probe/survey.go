// SPDX-License-Identifier: BSD-3-Clause

package probe

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/cmd/strobe/internal/host"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/neighbour"
	"github.com/strobe-go/strobe/pace"
	"github.com/strobe-go/strobe/perf"
)

// A survey has the results so far.
type survey struct {
	machine  host.Machine
	now      clock.Info
	clocks   []clockFound
	sleeps   []sleepFound
	counters []perf.Value
	core     neighbour.Report
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

// patience limits the duration of a survey. What it has not measured by then is left out, with errPatience as the reason.
const patience = 4800 * time.Millisecond

var errPatience = errors.New("not measured: the survey ran out of time")

// waits are the requested durations of sleeps, and how often each is measured.
var waits = [...]struct {
	period time.Duration
	n      int
}{{100 * time.Microsecond, 100}, {time.Millisecond, 100}, {time.Second / 60, 10}}

// few is the number of waits below which there is no 99th percentile.
const few = 100

// gather surveys the machine until it is done or the session is interrupted. Counters come first: they take no time.
func gather(s *session.Session) *survey {
	v := &survey{machine: host.Describe("/", session.Version())}
	p := s.Progress()
	defer p.Clear()
	p.Show("counters")
	v.counters = perf.Check()
	p.Show("core")
	v.core = watchCore(s.Ctx)
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
	v.now = clock.Describe() // the rate is more exact by now
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

// watching is how long the survey watches its core: many times as long as the core is usually alone, or shared.
const watching = 300 * time.Millisecond

// watchCore looks whether something else uses the physical core of this thread.
func watchCore(ctx context.Context) neighbour.Report {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var w neighbour.Watch
	for start := clock.Now(); clock.Since(start) < watching && ctx.Err() == nil; {
		w.Look()
	}
	return w.Report()
}

// outOf returns why ctx ended, if that caused err.
func outOf(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// answerOf describes whether an event can be counted, or why not.
func answerOf(v perf.Value) string {
	why := v.Reason
	if v.Remedy != "" {
		why += "; " + v.Remedy
	}
	switch {
	case !v.Known():
		return "no, " + why
	case v.UserOnly:
		return "in user mode only; " + why
	case v.Count == 0:
		return "yes, but none were counted in the trial"
	case v.Source == "rusage" || v.Source == "clock":
		return "yes, from getrusage and the thread's clock"
	}
	return "yes"
}
