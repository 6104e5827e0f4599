// SPDX-License-Identifier: BSD-3-Clause

package demo

import (
	"time"

	zones "github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/demo/sim"
	"github.com/strobe-go/strobe/stat"
)

// A demoObject is the JSON of strobe demo.
type demoObject struct {
	Schema      int             `json:"schema"`      // version of this format
	Config      demoConfig      `json:"config"`      // what was asked for
	Elapsed     float64         `json:"elapsed_s"`   // length of the run
	Interrupted bool            `json:"interrupted"` // the run was ended by a signal
	Operations  []demoOperation `json:"operations"`  // the operations of the simulation
	Zones       []demoZone      `json:"zones"`       // what the profiler measured, by lane and zone
	Pacer       demoPacer       `json:"pacer"`       // how well ticks started on time
	Overhead    demoOverhead    `json:"overhead"`    // what measuring took
	Flock       demoFlock       `json:"flock"`       // the simulation at the end
}

type demoConfig struct {
	Rate   float64 `json:"rate_hz"`         // ticks per second asked for
	For    float64 `json:"for_s,omitempty"` // length asked for; absent without an end
	Census float64 `json:"census_hz"`       // rate at which flocks are counted
	Boids  int     `json:"boids"`           // size of the flock
}

type demoOperation struct {
	Name     string        `json:"name"`                // tick, neighbours, steer, move or census
	Count    uint64        `json:"count"`               // how often it ran
	Rate     *float64      `json:"rate_hz,omitempty"`   // how often per second, from its first start to its last
	Mean     *float64      `json:"mean_ns,omitempty"`   // mean duration
	StdDev   *float64      `json:"stddev_ns,omitempty"` // standard deviation of the durations
	Min      *int64        `json:"min_ns,omitempty"`    // shortest duration
	P50      *int64        `json:"p50_ns,omitempty"`    // median duration
	P99      *int64        `json:"p99_ns,omitempty"`    // 99th percentile of the durations
	Max      *int64        `json:"max_ns,omitempty"`    // longest duration
	Share    float64       `json:"share"`               // fraction of the time that it was running
	Interval stat.Interval `json:"interval"`            // of the mean duration, in ns
}

// A demoZone is what the profiler knows of a zone on a lane.
type demoZone struct {
	Lane  string   `json:"lane"`              // the goroutine, or the worker's lane
	Zone  string   `json:"zone"`              // name of the zone
	Wait  bool     `json:"wait"`              // its time was spent blocked
	Calls uint64   `json:"calls"`             // times it was entered and left
	Total int64    `json:"total_ns"`          // time in it
	Self  *int64   `json:"self_ns,omitempty"` // time in it less that in zones entered from it
	Mean  *float64 `json:"mean_ns,omitempty"` // mean duration of a call
	P99   *int64   `json:"p99_ns,omitempty"`  // 99th percentile of the durations
	Share float64  `json:"share"`             // total time as a fraction of the run
}

type demoPacer struct {
	Rate         *float64      `json:"rate_hz,omitempty"`         // ticks started per second; missed deadlines do not count
	RateInterval stat.Interval `json:"rate_interval"`             // of that rate; n are the periods between the first tick and the last
	Waits        uint64        `json:"waits"`                     // deadlines that were met
	Missed       uint64        `json:"missed"`                    // deadlines that no tick started at
	P50          *int64        `json:"lateness_p50_ns,omitempty"` // median of how late ticks started
	P99          *int64        `json:"lateness_p99_ns,omitempty"` // 99th percentile of that
	Max          *int64        `json:"lateness_max_ns,omitempty"` // the most
	Spin         float64       `json:"cpu_share"`                 // fraction of one processor spent spinning
	Backend      string        `json:"backend,omitempty"`         // how the system is asked to sleep
	Advice       string        `json:"advice,omitempty"`          // what would make ticks more exact
}

type demoOverhead struct {
	PerOperation int64    `json:"per_operation_ns"`      // cost of measuring one operation
	PerSpan      *float64 `json:"per_span_ns,omitempty"` // cost of one span of the profiler
	Share        float64  `json:"share"`                 // cost of all of them, as a fraction of one processor
}

type demoFlock struct {
	Boids     int     `json:"boids"`     // size of the flock
	Flocks    int     `json:"flocks"`    // groups that fly together
	Largest   int     `json:"largest"`   // boids in the largest group
	Alignment float64 `json:"alignment"` // 1 when all of a group fly in one direction
}

func (d *demo) object(elapsed time.Duration, run zones.Snapshot, interrupted bool) demoObject {
	o := demoObject{
		Schema:      session.Schema,
		Config:      demoConfig{Rate: float64(d.flags.Rate), For: time.Duration(d.flags.For).Seconds(), Census: censusRate, Boids: int(d.flags.Boids)},
		Elapsed:     elapsed.Seconds(),
		Interrupted: interrupted,
		Zones:       zoneObjects(run),
		Overhead:    demoOverhead{PerOperation: int64(d.cost), Share: d.overhead(elapsed, run)},
		Flock:       demoFlock(d.world.Flocks()),
	}
	if run.Cost > 0 {
		o.Overhead.PerSpan = &run.Cost
	}
	for _, op := range sim.Ops() {
		o.Operations = append(o.Operations, d.gauges[op].object(op, elapsed))
	}
	p := d.pacer.Stats()
	o.Pacer = demoPacer{Waits: p.Waits, Missed: p.Missed, Spin: p.SpinShare, Backend: p.Backend, Advice: p.Advice()}
	p50, p99, most, ok := p.Late()
	if ok {
		o.Pacer.P50, o.Pacer.P99, o.Pacer.Max = ns(p50), ns(p99), ns(most)
	}
	rate := tickRate(p, p99, ok)
	if o.Pacer.RateInterval = rate; rate.Known() {
		o.Pacer.Rate = &rate.Center
	}
	return o
}

func zoneObjects(s zones.Snapshot) []demoZone {
	all := []demoZone{} // never null
	for _, z := range inUse(s) {
		o := demoZone{Lane: z.lane.Name, Zone: z.info.Name, Wait: z.info.Wait, Calls: z.stats.Calls, Total: int64(z.stats.Total), Share: z.share}
		if !z.stats.SelfUnknown {
			o.Self = ns(z.stats.Self)
		}
		if mean, ok := z.stats.Mean(); ok {
			o.Mean = &mean
		}
		if p99, ok := z.stats.Quantile(0.99); ok {
			o.P99 = ns(p99)
		}
		all = append(all, o)
	}
	return all
}

func (g *gauge) object(op sim.Op, elapsed time.Duration) demoOperation {
	t := g.run
	o := demoOperation{Name: string(op), Count: g.n, Share: t.busy.Seconds() / elapsed.Seconds(), Interval: t.meanTime()}
	if rate, ok := g.hertz(); ok {
		o.Rate = &rate
	}
	if g.n == 0 {
		return o
	}
	m := t.mean.Moments()
	mean, lo, hi, p50, p99 := m.Mean(), m.Min(), m.Max(), t.hist.Quantile(0.5), t.hist.Quantile(0.99)
	o.Mean, o.Min, o.Max, o.P50, o.P99 = &mean, &lo, &hi, &p50, &p99
	if g.n > 1 {
		sd := m.StdDev()
		o.StdDev = &sd
	}
	return o
}

func ns(d time.Duration) *int64 { return (*int64)(&d) }
