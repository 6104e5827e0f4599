// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"time"

	zones "github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/cmd/strobe/internal/sim"
	"github.com/strobe-go/strobe/stat"
)

// A demoObject is the JSON of strobe demo. What is not known is absent.
type demoObject struct {
	Schema      int             `json:"schema"`
	Config      demoConfig      `json:"config"`
	Elapsed     float64         `json:"elapsed_s"`
	Interrupted bool            `json:"interrupted"`
	Operations  []demoOperation `json:"operations"`
	Zones       []demoZone      `json:"zones"`
	Pacer       demoPacer       `json:"pacer"`
	Overhead    demoOverhead    `json:"overhead"`
	Flock       demoFlock       `json:"flock"`
}

type demoConfig struct {
	Rate   float64 `json:"rate_hz"`
	For    float64 `json:"for_s,omitempty"` // absent: no end
	Census float64 `json:"census_hz"`
	Boids  int     `json:"boids"`
}

type demoOperation struct {
	Name     string         `json:"name"`
	Count    uint64         `json:"count"`
	Rate     *float64       `json:"rate_hz,omitempty"`
	Mean     *float64       `json:"mean_ns,omitempty"`
	StdDev   *float64       `json:"stddev_ns,omitempty"`
	Min      *int64         `json:"min_ns,omitempty"`
	P50      *int64         `json:"p50_ns,omitempty"`
	P99      *int64         `json:"p99_ns,omitempty"`
	Max      *int64         `json:"max_ns,omitempty"`
	Share    float64        `json:"share"` // of the time that it was under way
	Interval *stat.Interval `json:"interval,omitempty"`
}

// A demoZone is what the profiler knows of a zone on a lane.
type demoZone struct {
	Lane  string  `json:"lane"`
	Zone  string  `json:"zone"`
	Wait  bool    `json:"wait"` // its time was spent blocked
	Calls uint64  `json:"calls"`
	Total int64   `json:"total_ns"`
	Self  *int64  `json:"self_ns,omitempty"`
	Mean  *int64  `json:"mean_ns,omitempty"`
	P99   *int64  `json:"p99_ns,omitempty"`
	Share float64 `json:"share"` // of the time
}

type demoPacer struct {
	Rate         *float64  `json:"rate_hz,omitempty"`
	RateInterval *interval `json:"rate_interval,omitempty"`
	Waits        uint64    `json:"waits"`
	Missed       uint64    `json:"missed"`
	P50          *int64    `json:"lateness_p50_ns,omitempty"`
	P99          *int64    `json:"lateness_p99_ns,omitempty"`
	Max          *int64    `json:"lateness_max_ns,omitempty"`
	Spin         float64   `json:"cpu_share"` // of one processor, spent spinning
	Backend      string    `json:"backend,omitempty"`
	Advice       string    `json:"advice,omitempty"`
}

// An interval is a stat.Interval that knows no number of independent samples.
type interval struct {
	Center float64 `json:"center"`
	Lo     float64 `json:"lo"`
	Hi     float64 `json:"hi"`
	Level  float64 `json:"level"`
	Method string  `json:"method"`
	N      uint64  `json:"n"`
}

type demoOverhead struct {
	PerOperation int64   `json:"per_operation_ns"`
	PerSpan      *int64  `json:"per_span_ns,omitempty"`
	Share        float64 `json:"share"` // of one processor
}

type demoFlock struct {
	Boids     int     `json:"boids"`
	Flocks    int     `json:"flocks"`
	Largest   int     `json:"largest"`
	Alignment float64 `json:"alignment"`
}

func (d *demo) object(elapsed time.Duration, run zones.Snapshot, interrupted bool) demoObject {
	o := demoObject{
		Schema:      schema,
		Config:      demoConfig{Rate: float64(d.cmd.Rate), For: time.Duration(d.cmd.For).Seconds(), Census: censusRate, Boids: int(d.cmd.Boids)},
		Elapsed:     elapsed.Seconds(),
		Interrupted: interrupted,
		Zones:       zoneObjects(run),
		Overhead:    demoOverhead{PerOperation: int64(d.cost), Share: d.overhead(elapsed, run)},
		Flock:       demoFlock(d.world.Flocks()),
	}
	if run.Cost > 0 {
		o.Overhead.PerSpan = ns(run.Cost)
	}
	for _, op := range sim.Ops() {
		o.Operations = append(o.Operations, d.gauges[op].object(op, elapsed))
	}
	p := d.pacer.Stats()
	o.Pacer = demoPacer{Waits: p.Waits, Missed: p.Missed, Spin: p.SpinShare, Backend: p.Backend, Advice: p.Advice()}
	if p.Slept > 0 {
		o.Pacer.P50, o.Pacer.P99, o.Pacer.Max = ns(p.LatenessP50), ns(p.LatenessP99), ns(p.LatenessMax)
	}
	if iv, ok := d.rate(); ok {
		o.Pacer.Rate = &iv.Center
		o.Pacer.RateInterval = &interval{iv.Center, iv.Lo, iv.Hi, iv.Level, iv.Method, iv.N}
	}
	return o
}

func zoneObjects(s zones.Snapshot) []demoZone {
	all := []demoZone{} // never null
	for _, z := range inUse(s) {
		o := demoZone{Lane: z.lane.Name, Zone: z.info.Name, Wait: z.info.Wait, Calls: z.stats.Calls, Total: int64(z.stats.Total), Share: z.share}
		if !z.lane.Shared {
			o.Self = ns(z.stats.Self)
		}
		if z.stats.Timed > 0 {
			o.Mean = ns(z.stats.Mean)
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
	o := demoOperation{Name: string(op), Count: g.n, Share: t.busy.Seconds() / elapsed.Seconds()}
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
	if iv := t.mean.Interval(0); iv.Level > 0 {
		o.Interval = &iv
	}
	return o
}

func ns(d time.Duration) *int64 { return (*int64)(&d) }
