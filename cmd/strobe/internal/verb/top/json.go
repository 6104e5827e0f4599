// SPDX-License-Identifier: BSD-3-Clause

package top

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/program"
	"github.com/strobe-go/strobe/stat"
)

// A topObject is what the program does at one time.
type topObject struct {
	Schema    int    `json:"schema"`          // 1
	Connected bool   `json:"connected"`       // the program is connected; if not, the rest is older or absent
	Error     string `json:"error,omitempty"` // why there is no connection
	URL       string `json:"url,omitempty"`   // where the program serves package live

	Program string `json:"program,omitempty"` // name
	PID     int    `json:"pid,omitempty"`     // number of the process
	Run     string `json:"run,omitempty"`     // differs each time that the program starts
	At      int64  `json:"at_ns,omitempty"`   // when this was measured, since the zero of the program's clock
	Loop    string `json:"loop,omitempty"`    // loop of the frames; absent if the program has none

	// of the last 1000 frames; absent without a loop
	Rate   *float64  `json:"rate_hz,omitempty"`   // frames per second
	Low1   *float64  `json:"low1_hz,omitempty"`   // frames per second of the slowest hundredth
	P99    *float64  `json:"p99_ns,omitempty"`    // 99th percentile of frame times
	Budget *int64    `json:"budget_ns,omitempty"` // how long a frame may take; absent if not set
	Over   *int      `json:"over,omitempty"`      // frames that took longer
	Of     int       `json:"frames,omitempty"`    // number of frames among which over counts
	Worst  *topFrame `json:"slowest,omitempty"`   // the slowest of these frames

	UnitSpan int64     `json:"unit_span_ns,omitempty"` // time that the figures of units cover
	Units    []topUnit `json:"units,omitempty"`        // root zones, with the highest rate first
	Unseen   string    `json:"unseen,omitempty"`       // why it is not known what calls of root zones did
	Slowest  *topCall  `json:"slowest_unit,omitempty"` // the slowest call of the first root zone that ended in the latest minute; absent if there is a loop

	Why       string `json:"why,omitempty"`             // why the slowest frame or call of the latest minute on which package capture reported was slow; absent if there was none
	SlowUnits uint64 `json:"slow_units,omitempty"`      // slow frames or calls of its root until then
	Explained uint64 `json:"explained_units,omitempty"` // those of them that were explained

	Span    int64              `json:"span_ns,omitempty"` // time that the figures of zones cover
	Zones   []topZone          `json:"zones"`             // zones with the largest share first, without those that were not entered
	Runtime *topRuntime        `json:"runtime,omitempty"` // of Go
	Plots   map[string]float64 `json:"plots,omitempty"`   // latest value of each plot
	Lost    uint64             `json:"lost"`              // spans that were lost since the connection
	Notes   []string           `json:"notes,omitempty"`   // the program's notes on its own measurements
}

type topFrame struct {
	Number  int64  `json:"number"`               // number of the frame
	Start   int64  `json:"start_ns"`             // since the zero of the program's clock
	Took    int64  `json:"took_ns"`              // duration
	Zone    string `json:"zone,omitempty"`       // zone that made it longer than the mean frame, as docs/top.md says; absent if none accounts for half of the excess
	More    int64  `json:"more_ns,omitempty"`    // by how much the time in this zone, without inner zones, exceeds that in the mean frame
	Waited  string `json:"waited,omitempty"`     // zone that waited meanwhile
	Outside int64  `json:"outside_ns,omitempty"` // by how much the time outside any zone exceeds that in the mean frame, if that made it longer
}

type topUnit struct {
	Zone string        `json:"zone"`             // name of the root zone
	Rate float64       `json:"rate_hz"`          // calls that ended, per second
	Open int           `json:"open,omitempty"`   // calls that have not ended
	P50  stat.Interval `json:"p50_ns"`           // median duration
	P99  stat.Interval `json:"p99_ns"`           // 99th percentile of the durations
	P999 stat.Interval `json:"p999_ns"`          // 99.9th percentile of the durations
	Max  *int64        `json:"max_ns,omitempty"` // longest duration; absent if unknown

	Split   *topSplit   `json:"split,omitempty"`   // what calls did, in the time that package capture looked at, lately or else since it was started; absent if unseen
	Slowest *topSlowest `json:"slowest,omitempty"` // the slowest call that ended in the latest minute
}

type topSplit struct {
	Running int64 `json:"running_ns"`           // on a processor
	Ready   int64 `json:"ready_ns"`             // could have run, but had no processor
	Waiting int64 `json:"waiting_ns"`           // for something else
	Unknown int64 `json:"unknown_ns,omitempty"` // no source tells
}

type topSlowest struct {
	Start int64     `json:"start_ns"`        // since the zero of the program's clock
	Took  int64     `json:"took_ns"`         // duration
	Notes []topNote `json:"notes,omitempty"` // notes on the call
	Cause string    `json:"cause,omitempty"` // word of package capture; absent if it has not explained the call
	Why   string    `json:"why,omitempty"`   // its sentence
}

type topCall struct {
	Unit   string    `json:"unit"`              // name of the root zone
	Start  int64     `json:"start_ns"`          // since the zero of the program's clock
	Took   int64     `json:"took_ns"`           // duration
	Notes  []topNote `json:"notes,omitempty"`   // notes on the call
	Zone   string    `json:"zone,omitempty"`    // zone that made it longer than the mean of a random sample; absent if none accounts for half of the excess
	More   int64     `json:"more_ns,omitempty"` // by how much the time in this zone, without inner zones, exceeds that in the mean
	Waited string    `json:"waited,omitempty"`  // zone that waited meanwhile
}

type topNote struct {
	Key   string `json:"key"`   // what it says
	Value string `json:"value"` // value
}

type topZone struct {
	Zone     string   `json:"zone"`                   // name
	Wait     bool     `json:"wait,omitempty"`         // made by NewWaitZone: its time is spent waiting
	Calls    uint64   `json:"calls"`                  // since the program started
	Rate     float64  `json:"calls_hz"`               // calls per second
	Share    float64  `json:"share"`                  // share of the time, including inner zones; more than 1 if goroutines run in parallel
	Self     *float64 `json:"self_share,omitempty"`   // the same without inner zones; absent if unknown
	Mean     *int64   `json:"mean_ns,omitempty"`      // duration of a call; absent if none ended
	PerFrame *int64   `json:"per_frame_ns,omitempty"` // time in the zone per frame
}

type topRuntime struct {
	Span       int64    `json:"span_ns"`                // time that these figures cover
	GCs        float64  `json:"gc_cycles"`              // garbage collections
	Pause      float64  `json:"gc_pause_ns"`            // total pause of the collections
	Latency    *float64 `json:"sched_p99_ns,omitempty"` // 99th percentile of the time that goroutines waited for a processor, the worst in this period
	Heap       float64  `json:"heap_bytes"`             // live memory
	Goroutines float64  `json:"goroutines"`             // number
}

// object describes a program and the connection to it.
func object(p *program.Program, link feed.Link) topObject {
	h := p.Hello
	o := topObject{Schema: session.Schema, Connected: link.URL != "", URL: link.URL, Program: h.Program, PID: h.PID, Run: h.Run, At: p.At, Loop: h.Loop,
		Budget: h.Budget, Span: int64(p.Rated()), Zones: []topZone{}, Lost: p.Lost}
	if link.Err != nil {
		o.Error = link.Err.Error()
	}
	s, _ := p.State()
	if o.Notes = s.Notes; p.Looped() {
		o.Rate, o.Low1, o.P99 = s.Rate, s.Low1, s.P99
		o.frames(p)
	}
	o.units(p)
	o.call(p)
	if r, ok := p.Report(); ok {
		o.Why, o.SlowUnits, o.Explained = r.Text, r.Slow, r.Explained
	}
	for _, z := range p.Busy() {
		row := topZone{Zone: z.Name, Wait: z.Wait, Calls: z.Calls, Rate: z.PerSec, Share: z.Share, Self: z.Self}
		row.Mean, row.PerFrame = known(z.Mean), known(z.PerFrame)
		o.Zones = append(o.Zones, row)
	}
	if r, over, ok := p.Runtime(); ok {
		o.Runtime = &topRuntime{int64(over), r.Collections, r.Pause, r.Latency, r.Heap, r.Goroutines}
	}
	for _, v := range p.Plots() {
		if o.Plots == nil {
			o.Plots = map[string]float64{}
		}
		o.Plots[v.Name] = v.Value
	}
	return o
}

// frames describes the latest frames.
func (o *topObject) frames(p *program.Program) {
	budget, given := p.Budget()
	over, of := p.Over(budget)
	if o.Of = of; given && of > 0 {
		o.Over = &over
	}
	f, ok := program.Slowest(p.Recent())
	if !ok {
		return
	}
	o.Worst = &topFrame{Number: f.Number, Start: f.Start, Took: f.Took}
	if c, _ := p.Cause(f); c.Outside {
		o.Worst.Outside = int64(c.More)
	} else if c.Zone != "" {
		o.Worst.Zone, o.Worst.More, o.Worst.Waited = c.Zone, int64(c.More), c.Waited
	}
}

// units describes the units of the last seconds.
func (o *topObject) units(p *program.Program) {
	all, over, err := p.Units()
	if err != nil {
		o.Notes = append(slices.Clip(o.Notes), "units: "+err.Error())
	}
	o.UnitSpan = int64(over)
	for _, u := range all {
		row := topUnit{Zone: u.Name, Rate: u.Rate, Open: u.Open, P50: u.P50, P99: u.P99, P999: u.P999, Max: known(u.Max)}
		if d := u.Split; d != nil {
			row.Split = &topSplit{int64(d.Running), int64(d.Ready), int64(d.Waiting), int64(d.Unknown)}
		}
		if s := u.Slowest; s != nil {
			row.Slowest = &topSlowest{Start: s.Start, Took: s.Took, Cause: s.Cause, Why: s.Text}
			for _, n := range s.Notes {
				row.Slowest.Notes = append(row.Slowest.Notes, topNote(n))
			}
		}
		o.Units = append(o.Units, row)
	}
	if len(all) > 0 {
		o.Unseen = p.Unseen()
	}
}

// call describes the slowest call of the root zone that the stream is about.
func (o *topObject) call(p *program.Program) {
	if u, ok := p.SlowestUnit(); ok {
		o.Slowest = &topCall{Unit: p.Root(), Start: u.Start, Took: u.Took}
		for _, n := range u.Notes {
			o.Slowest.Notes = append(o.Slowest.Notes, topNote(n))
		}
		if c, _ := p.Cause(u.Frame); c.Zone != "" {
			o.Slowest.Zone, o.Slowest.More, o.Slowest.Waited = c.Zone, int64(c.More), c.Waited
		}
	}
}

// known returns nil for 0.
func known(d time.Duration) *int64 {
	if d == 0 {
		return nil
	}
	ns := int64(d)
	return &ns
}

// stream prints one object per second until the session ends or nothing reads them. It returns an error if there is no program at
// first, but waits for a program that goes away.
func stream(s *session.Session, source feed.Source) error {
	first, err := feed.Open(s.Ctx, source, "")
	if err != nil {
		return err
	}
	first.Close()
	heard, failed := make(chan said, 16), make(chan error, 1)
	go func() {
		failed <- feed.Watch(s.Ctx, source, func(l feed.Link, m feed.Message) {
			select {
			case heard <- said{1, l, m}:
			case <-s.Ctx.Done():
			}
		})
	}()
	second := time.NewTicker(time.Second)
	defer second.Stop()
	var link feed.Link
	p := new(program.Program)
	e := json.NewEncoder(s.Out)
	e.SetEscapeHTML(false)
	for {
		select {
		case <-s.Ctx.Done():
			return nil
		case err := <-failed:
			return err
		case h := <-heard:
			if (h.link != feed.Link{}) {
				link = h.link
			} else {
				p.Add(h.message)
			}
		case <-second.C:
			if err := e.Encode(object(p, link)); err != nil || s.Unread() {
				return err
			}
		}
	}
}
