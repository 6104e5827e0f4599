// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"runtime"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/perf"
)

// A probeObject is the JSON of strobe probe. What is not known is absent; times are in ns, shares of one processor.
type probeObject struct {
	Schema      int            `json:"schema"`
	Interrupted bool           `json:"interrupted"`
	Machine     probeMachine   `json:"machine"`
	Clock       probeNow       `json:"clock"`
	Clocks      []probeClock   `json:"clocks"`
	Sleeps      []probeSleep   `json:"sleeps"`
	Counters    []probeCounter `json:"counters"`
	Advice      []string       `json:"advice"`
}

type probeMachine struct {
	OS   string `json:"os"`
	Arch string `json:"arch"`
	CPUs int    `json:"cpus"`
	Go   string `json:"go"`
}

type probeNow struct {
	Source    string  `json:"source"`
	Reference string  `json:"reference"`
	Reason    string  `json:"reason,omitempty"`
	Hz        float64 `json:"hz,omitempty"`
	Overhead  float64 `json:"overhead_ns"`
	Ordered   float64 `json:"overhead_ordered_ns"`
	Step      float64 `json:"step_ns,omitempty"`
	Error     int64   `json:"error_ns"`
	Steps     int     `json:"steps"`
	Strikes   int     `json:"strikes"`
}

type probeClock struct {
	Name       string   `json:"name"`
	Available  bool     `json:"available"`
	Reason     string   `json:"reason,omitempty"`
	Hz         float64  `json:"hz,omitempty"`
	Overhead   *float64 `json:"overhead_ns,omitempty"`
	Step       float64  `json:"step_ns,omitempty"`
	Same       *float64 `json:"same_share,omitempty"`
	Back       *uint64  `json:"steps_back,omitempty"`
	BackAcross *uint64  `json:"steps_back_across,omitempty"`
	Across     uint64   `json:"across,omitempty"`
	PPM        *float64 `json:"ppm,omitempty"`
	PPMError   *float64 `json:"ppm_error,omitempty"`
}

type probeSleep struct {
	Name      string   `json:"name"`
	Period    int64    `json:"period_ns"`
	Available bool     `json:"available"`
	N         int      `json:"n,omitempty"`
	P50       *int64   `json:"lateness_p50_ns,omitempty"`
	P99       *int64   `json:"lateness_p99_ns,omitempty"` // absent for few waits
	Max       *int64   `json:"lateness_max_ns,omitempty"`
	CPU       *float64 `json:"cpu_share,omitempty"`
	Reason    string   `json:"reason,omitempty"`
}

type probeCounter struct {
	Name      string  `json:"name"`
	Available bool    `json:"available"`
	State     string  `json:"state"`
	Counted   *uint64 `json:"counted,omitempty"` // in the trial; 0 is of one that opens but counts nothing
	UserOnly  bool    `json:"user_only,omitempty"`
	Source    string  `json:"source,omitempty"`
	Reason    string  `json:"reason,omitempty"`
	Remedy    string  `json:"remedy,omitempty"`
}

func (v *survey) object(interrupted bool) probeObject {
	o := probeObject{
		Schema:      schema,
		Interrupted: interrupted,
		Machine:     probeMachine{runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version()},
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

func describe(i clock.Info) probeNow {
	return probeNow{i.Source, i.Reference, i.Reason, i.Hz, i.Overhead, i.OverheadOrdered, i.Step, int64(i.Error), i.Steps, i.Strikes}
}

func (c clockFound) object() probeClock {
	o := probeClock{Name: c.Name, Available: c.err == nil}
	if c.err != nil {
		o.Reason = c.err.Error()
		return o
	}
	o.Hz, o.Overhead, o.Step, o.Same, o.Back = c.Hz, &c.Overhead, c.Step, &c.Same, &c.Back
	if c.Across > 0 {
		o.Across, o.BackAcross = c.Across, &c.BackAcross
	}
	if c.Rated {
		o.PPM, o.PPMError = &c.PPM, &c.PPMError
	}
	return o
}

func (l sleepFound) object() probeSleep {
	o := probeSleep{Name: l.Name, Period: int64(l.Period), Available: l.err == nil, Reason: l.Reason}
	if l.err != nil {
		o.Reason = l.err.Error()
		return o
	}
	o.N, o.P50, o.Max = l.N, ns(l.P50), ns(l.Max)
	if l.N >= few {
		o.P99 = ns(l.P99)
	}
	if l.CPUKnown {
		o.CPU = &l.CPU
	}
	return o
}

func counterObject(v perf.Value) probeCounter {
	o := probeCounter{Name: string(v.Event), Available: v.Known(), State: string(v.State), UserOnly: v.UserOnly, Source: v.Source, Reason: v.Reason, Remedy: v.Remedy}
	if v.Known() {
		o.Counted = &v.Count
	}
	return o
}
