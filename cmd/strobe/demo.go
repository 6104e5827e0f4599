// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"sync"
	"time"

	zones "github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/cmd/strobe/internal/sim"
	"github.com/strobe-go/strobe/pace"
)

// censusRate is how often the flocks are counted, in Hz: another rhythm than that of the ticks.
const censusRate = 10

type demoCmd struct {
	Rate  hertz `default:"60" placeholder:"60" help:"Ticks per second, from 0.1 to 100000."`
	For   span  `default:"10s" placeholder:"10s" help:"How long; 0 goes on until Ctrl-C."`
	Boids size  `default:"1200" placeholder:"1200" help:"Size of the flock, from 1 to 100000: more make a tick dearer."`
}

// Help is the longer part of strobe demo --help.
func (demoCmd) Help() string {
	return `
A flock of boids flies at a fixed rate on four goroutines, while another counts the
flocks at a rate of its own. Every second shows one line an operation:

  ops/s       events per second over the last second
  mean ± ms   mean duration; the ± is a 95 % interval that knows that ticks
              resemble their neighbours
  sd, p99     standard deviation, and what 99 of 100 stayed below
  share       part of the time that it was under way

how late the pacer let ticks begin, and one line for each goroutine and zone of the
profiler: calls, ms in the zone, ms in the zone itself. The run is summed up at the end.
`
}

// A demo is a running demonstration.
type demo struct {
	cmd    *demoCmd
	world  *sim.World
	gauges map[sim.Op]*gauge // all there before anything runs, and never changed
	pacer  *pace.Limiter
	cost   time.Duration // of one observation
	start  clock.Instant
	before zones.Snapshot // when it began
	last   zones.Snapshot // when the latest lines were written
}

// Run is called by the parser.
func (c *demoCmd) Run(s *session) error {
	d := &demo{
		cmd:    c,
		gauges: map[sim.Op]*gauge{},
		cost:   costOfObserving(),
	}
	for _, op := range sim.Ops() {
		d.gauges[op] = newGauge()
	}
	d.world = sim.New(sim.Options{Boids: int(c.Boids)}, func(op sim.Op, start, end clock.Instant) {
		d.gauges[op].observe(start, end)
	})
	ctx := s.ctx
	if c.For > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(c.For))
		defer cancel()
	}
	d.pacer = pace.NewLimiter(pace.Options{Rate: float64(c.Rate)})
	defer d.pacer.Close()
	census := pace.NewLimiter(pace.Options{Rate: censusRate})
	defer census.Close()

	d.before = zones.TakeSnapshot()
	d.start, d.last = clock.Now(), d.before
	var all sync.WaitGroup
	all.Go(func() { repeat(ctx, "ticker", d.pacer, d.world.Tick) })
	all.Go(func() { repeat(ctx, "census", census, func() { d.world.Census() }) })
	d.report(ctx, s)
	all.Wait()
	elapsed := clock.Since(d.start)
	run := zones.TakeSnapshot().Sub(d.before)

	if s.json {
		return writeJSON(s.out, d.object(elapsed, run, s.ctx.Err() != nil))
	}
	return d.sum(s, elapsed, run)
}

// repeat calls f at the limiter's pace until ctx ends, as a loop and a lane of this name.
func repeat(ctx context.Context, name string, pacer *pace.Limiter, f func()) {
	zones.NameLane(name)
	for pacer.Wait(ctx) == nil {
		zones.Frame(name)
		f()
	}
}

// report writes a block of lines each second until ctx ends: results, or mere progress where the result is JSON.
func (d *demo) report(ctx context.Context, s *session) {
	w := s.out
	if s.json {
		if w = s.err; !isTerminal(w) {
			<-ctx.Done()
			return
		}
	}
	// Between two ticks, so that no tick waits for the report and none is half inside the second.
	time.Sleep(min(10*time.Millisecond, time.Duration(0.5e9/float64(d.cmd.Rate))))
	second := time.NewTicker(time.Second)
	defer second.Stop()
	last := d.start
	for {
		select {
		case <-ctx.Done():
		case <-second.C:
		}
		now := clock.Now()
		if now.Sub(last) >= time.Second/2 { // the last second may be cut short
			d.block(w, s.color, now, now.Sub(last))
		}
		if last = now; ctx.Err() != nil {
			return
		}
	}
}
