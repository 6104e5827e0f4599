// SPDX-License-Identifier: BSD-3-Clause

package demo

import (
	"context"
	"sync"
	"time"

	zones "github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/demo/sim"
	"github.com/strobe-go/strobe/pace"
)

// censusRate is how often the flocks are counted, in Hz. It is unrelated to the rate of the ticks.
const censusRate = 10

// A demo is a simulation and its measurements.
type demo struct {
	flags  Flags
	world  *sim.World
	gauges map[sim.Op]*gauge // complete before anything runs, then unchanged
	pacer  *pace.Limiter
	cost   time.Duration // of one observation
	start  clock.Instant
	before zones.Snapshot // taken at the beginning
	last   zones.Snapshot // taken when the latest lines were written
}

// newDemo returns a demonstration that is ready to start. Close its pacer when it is done.
func newDemo(f Flags) *demo {
	d := &demo{flags: f, gauges: map[sim.Op]*gauge{}, cost: costOfObserving()}
	for _, op := range sim.Ops() {
		d.gauges[op] = newGauge()
	}
	d.world = sim.New(sim.Options{Boids: int(f.Boids)}, func(op sim.Op, start, end clock.Instant) {
		d.gauges[op].observe(start, end)
	})
	d.pacer = pace.NewLimiter(pace.Options{Rate: float64(f.Rate)})
	return d
}

// fly runs the simulation until ctx ends: one goroutine ticks, and another counts the flocks. Meanwhile it calls watch, which
// must not return before ctx ends.
func (d *demo) fly(ctx context.Context, watch func()) (elapsed time.Duration, run zones.Snapshot) {
	census := pace.NewLimiter(pace.Options{Rate: censusRate})
	defer census.Close()
	d.before = zones.TakeSnapshot()
	d.start, d.last = clock.Now(), d.before
	var all sync.WaitGroup
	begun := make(chan struct{}) // the ticker must be the first loop, since viewers show that one first
	begin := sync.OnceFunc(func() { close(begun) })
	all.Add(1)
	go func() {
		defer all.Done()
		defer begin()
		repeat(ctx, "ticker", d.pacer, func() {
			begin()
			d.world.Tick()
		})
	}()
	all.Add(1)
	go func() {
		defer all.Done()
		<-begun
		repeat(ctx, "census", census, func() { d.world.Census() })
	}()
	watch()
	all.Wait()
	return clock.Since(d.start), zones.TakeSnapshot().Sub(d.before)
}

// repeat calls f at the limiter's pace until ctx ends, as a loop and a lane with this name. It plots its lateness.
func repeat(ctx context.Context, name string, pacer *pace.Limiter, f func()) {
	zones.NameLane(name)
	lateness := name + " lateness µs"
	for deadline := range pacer.Turns(ctx) {
		late := clock.Since(deadline)
		zones.Frame(name)
		zones.Plot(lateness, float64(late)/1e3)
		f()
	}
}

// overhead returns the share of one processor that measuring took.
func (d *demo) overhead(elapsed time.Duration, run zones.Snapshot) float64 {
	n := 0.0
	for _, g := range d.gauges {
		n += float64(g.n)
	}
	took := n * d.cost.Seconds()
	for _, z := range run.Totals() {
		took += float64(z.Timed) * run.Cost / 1e9
	}
	return took / elapsed.Seconds()
}
