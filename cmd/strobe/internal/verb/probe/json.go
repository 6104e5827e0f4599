// SPDX-License-Identifier: BSD-3-Clause

package probe

import (
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/cmd/strobe/internal/host"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/neighbour"
	"github.com/strobe-go/strobe/perf"
	"github.com/strobe-go/strobe/stat"
)

// A probeObject is the JSON of strobe probe.
type probeObject struct {
	Schema      int            `json:"schema"`      // version of this format
	Interrupted bool           `json:"interrupted"` // the survey was ended by a signal
	Machine     host.Machine   `json:"machine"`     // what was surveyed
	Core        probeCore      `json:"core"`        // whether something else used the processor's core
	Clock       probeNow       `json:"clock"`       // the clock that clock.Now uses
	Clocks      []probeClock   `json:"clocks"`      // every clock
	Sleeps      []probeSleep   `json:"sleeps"`      // every way to wait, for several periods
	Counters    []probeCounter `json:"counters"`    // performance counters
	Advice      []string       `json:"advice"`      // what follows from it, a sentence or two each
}

type probeCore struct {
	Shared stat.Interval  `json:"shared"`           // share of the time in which something else used the same physical core
	Cost   *float64       `json:"cost,omitempty"`   // up to how many times as long work took then; absent if that was not seen
	Away   *float64       `json:"away,omitempty"`   // share of looks at the core during which the thread lost its processor
	Others *stat.Interval `json:"others,omitempty"` // share of the time of all processors of this machine that other programs used
}

type probeNow struct {
	Source    string  `json:"source"`              // what it reads, such as tsc
	Reference string  `json:"reference"`           // the system's clock that it is compared with
	Reason    string  `json:"reason,omitempty"`    // why the processor's counter is not used
	Hz        float64 `json:"hz,omitempty"`        // rate of the counter
	Overhead  float64 `json:"overhead_ns"`         // cost of clock.Now
	Ordered   float64 `json:"overhead_ordered_ns"` // cost of clock.NowOrdered
	Step      float64 `json:"step_ns,omitempty"`   // smallest step seen
	Error     int64   `json:"error_ns"`            // error found by the latest comparison, its own uncertainty included
	Steps     int     `json:"steps"`               // disagreements with the system's clock so far
	Strikes   int     `json:"strikes"`             // those not forgiven yet
}

type probeClock struct {
	Name       string         `json:"name"`                        // such as time.Now
	Available  bool           `json:"available"`                   // it could be read
	Reason     string         `json:"reason,omitempty"`            // why it could not
	Hz         float64        `json:"hz,omitempty"`                // its rate
	Overhead   *float64       `json:"overhead_ns,omitempty"`       // cost of a reading
	Step       float64        `json:"step_ns,omitempty"`           // smallest step seen
	Call       bool           `json:"system_call,omitempty"`       // a reading is a system call
	Same       *float64       `json:"same_share,omitempty"`        // fraction of readings that equal the one before
	Back       *uint64        `json:"steps_back,omitempty"`        // steps back on one processor
	BackAcross *uint64        `json:"steps_back_across,omitempty"` // readings earlier than a preceding one on another processor
	Across     uint64         `json:"across,omitempty"`            // pairs of readings on two processors
	PPM        *stat.Interval `json:"ppm,omitempty"`               // rate error against the system's clock, in millionths, with its bounds
}

type probeSleep struct {
	Name      string         `json:"name"`                      // such as time.Sleep
	Period    int64          `json:"period_ns"`                 // duration that was requested
	Available bool           `json:"available"`                 // it was measured
	N         int            `json:"n,omitempty"`               // number of waits
	P50       *int64         `json:"lateness_p50_ns,omitempty"` // median lateness, as the caller sees it
	P99       *int64         `json:"lateness_p99_ns,omitempty"` // 99th percentile of that; absent for less than 100 waits
	Max       *int64         `json:"lateness_max_ns,omitempty"` // largest lateness
	CPU       *stat.Interval `json:"cpu_share,omitempty"`       // processor time as a fraction of the time waited, with its bounds
	Reason    string         `json:"reason,omitempty"`          // why it was not measured, or why it is not better
}

type probeCounter struct {
	Name      string  `json:"name"`                // such as instructions
	Available bool    `json:"available"`           // it can be counted
	State     string  `json:"state"`               // exact, scaled, unsupported, denied and so on
	Counted   *uint64 `json:"counted,omitempty"`   // in a trial; 0 for a counter that opens and counts nothing
	UserOnly  bool    `json:"user_only,omitempty"` // only user mode can be counted
	Source    string  `json:"source,omitempty"`    // what counts, if not the processor's counters
	Reason    string  `json:"reason,omitempty"`    // why it cannot be counted, or not fully
	Remedy    string  `json:"remedy,omitempty"`    // what to do about that
}

func (v *survey) object(interrupted bool) probeObject {
	o := probeObject{
		Schema:      session.Schema,
		Interrupted: interrupted,
		Machine:     v.machine,
		Core:        coreObject(v.core),
		Clock:       describe(v.now),
		Clocks:      []probeClock{},
		Sleeps:      []probeSleep{},
		Counters:    []probeCounter{},
		Advice:      v.advice(),
	}
	for _, c := range v.clocks {
		o.Clocks = append(o.Clocks, c.object())
	}
	for _, l := range v.sleeps {
		o.Sleeps = append(o.Sleeps, l.object())
	}
	for _, e := range v.counters {
		o.Counters = append(o.Counters, counterObject(e))
	}
	return o
}

func coreObject(r neighbour.Report) probeCore {
	o := probeCore{Shared: r.Share}
	if r.Spins > 0 {
		o.Away, o.Others = &r.Away, &r.Busy
	}
	if r.Factor > 0 {
		o.Cost = &r.Factor
	}
	return o
}

func describe(i clock.Info) probeNow {
	return probeNow{i.Source, i.Reference, i.Reason, i.Hz, i.Overhead, i.OverheadOrdered, i.Step, int64(i.Error), i.Steps, i.Strikes}
}

func (c clockFound) object() probeClock {
	o := probeClock{Name: c.Name, Available: c.err == nil}
	if c.err != nil {
		o.Reason = c.err.Error()
		return o
	}
	o.Hz, o.Overhead, o.Step, o.Call, o.Same, o.Back = c.Hz, &c.Overhead, c.Step, c.call, &c.Same, &c.Back
	if c.Across > 0 {
		o.Across, o.BackAcross = c.Across, &c.BackAcross
	}
	ppm := c.rate()
	o.PPM = &ppm
	return o
}

// rate returns the rate error of the clock with its bounds, or why it has none.
func (c clockFound) rate() stat.Interval {
	switch {
	case c.slow:
		return stat.Unknown("it does not measure the time that passes")
	case !c.Rated:
		return stat.Unknown("the rate that it should have is not known")
	}
	return stat.Interval{Center: c.PPM, Lo: c.PPM - c.PPMError, Hi: c.PPM + c.PPMError, Level: 1, Method: "readings between those of the system's clock", N: 1}
}

func (l sleepFound) object() probeSleep {
	o := probeSleep{Name: l.Name, Period: int64(l.Period), Available: l.err == nil, Reason: l.Reason}
	if l.err != nil {
		o.Reason = l.err.Error()
		return o
	}
	o.N, o.P50, o.Max, o.CPU = l.N, ns(l.P50), ns(l.Max), &l.CPU
	if l.N >= few {
		o.P99 = ns(l.P99)
	}
	return o
}

func counterObject(v perf.Value) probeCounter {
	o := probeCounter{Name: string(v.Event), Available: v.Known(), State: v.State.String(), UserOnly: v.UserOnly, Source: v.Source, Reason: v.Reason, Remedy: v.Remedy}
	if v.Known() {
		o.Counted = &v.Count
	}
	return o
}

func ns(d time.Duration) *int64 { return (*int64)(&d) }
