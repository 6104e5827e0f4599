// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"math"

	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// A runObject is the JSON of strobe run.
type runObject struct {
	Schema    int               `json:"schema"`                   // 1
	Package   string            `json:"package"`                  // what was run
	Exit      int               `json:"exit_code"`                // of the program; for a signal, 128 and its number
	Signal    string            `json:"signal,omitempty"`         // the signal that ended it, such as SIGTERM
	Starved   bool              `json:"out_of_memory,omitempty"`  // while the program ran, the kernel killed a process of its control group for want of memory
	Limit     int64             `json:"memory_limit,omitempty"`   // bytes that its control group may have, if it had reached that limit
	Elapsed   int64             `json:"elapsed_ns"`               // from the start of the program to its end
	Known     bool              `json:"known"`                    // something is known of what the program did; if not, most other keys are absent
	Missing   int64             `json:"missing_ns,omitempty"`     // time before the end that is not covered; absent if the program ended by os.Exit or a return of main
	Deadlock  bool              `json:"deadlock,omitempty"`       // the runtime ended the program because all of its goroutines waited for each other
	URL       string            `json:"url,omitempty"`            // where the live page was
	Zones     int               `json:"zones"`                    // functions with a zone
	Without   int               `json:"without_zone"`             // functions of the same packages without
	Called    int               `json:"called"`                   // functions with a zone that were called
	Functions []functionObject  `json:"functions,omitempty"`      // by self time; as many as --rows says
	Waits     []functionObject  `json:"waits,omitempty"`          // wait zones, by total; likewise
	Lanes     []goroutineObject `json:"goroutines,omitempty"`     // by self time; likewise
	Slow      []slowObject      `json:"slow,omitempty"`           // slow units that were explained, by root and cause, those that cost most time first; likewise
	SlowUnits uint64            `json:"slow_units,omitempty"`     // units that were slow, explained or not; absent if none was explained
	Degrees   []string          `json:"degrees,omitempty"`        // sources that explanations of slow units had to do without
	Watching  float64           `json:"watching_share,omitempty"` // what looking for slow units and explaining them took, as a share of one processor, without the recording of calls; absent if they are not explained
	Sampled   []sampledObject   `json:"sampled,omitempty"`        // functions that were sampled because of their cost
	LeftOut   []costlyObject    `json:"left_out,omitempty"`       // functions and waits without a zone, since measuring them slowed an earlier run
	TooCostly []costlyObject    `json:"too_costly,omitempty"`     // those that the next run leaves out, since they slowed this one
	Processor int64             `json:"processor_ns,omitempty"`   // processor time of the program; absent if unknown
	Cost      int64             `json:"measuring_ns,omitempty"`   // estimated processor time of it by which zones made calls longer
	Readings  int64             `json:"readings_ns,omitempty"`    // processor time of it that the readings took, beside the program's goroutines
	Slower    *float64          `json:"slower_share,omitempty"`   // measuring_ns as a share of the rest, without readings_ns; absent if unknown
	Least     *float64          `json:"slower_least,omitempty"`   // the same, if calls cost the least that was seen in programs; absent if unknown
	Most      *float64          `json:"slower_most,omitempty"`    // the same, if they cost the most; absent if unknown, or not less than all of the time
	Off       int64             `json:"uncertainty_ns,omitzero"`  // a mean may be off by so much, whatever the number of calls
	Notes     []string          `json:"notes,omitempty"`          // limits of the figures, in words
}

// A functionObject is what was measured of a function.
type functionObject struct {
	Name     string   `json:"name"`                   // as pprof shows it
	Where    string   `json:"where,omitempty"`        // FILE:LINE
	Unit     bool     `json:"unit,omitempty"`         // its calls are units
	Calls    uint64   `json:"calls"`                  // that ended; exact
	Timed    uint64   `json:"timed"`                  // of these, those that were timed
	Open     int      `json:"open,omitempty"`         // calls that had not ended
	Self     *int64   `json:"self_ns,omitempty"`      // time in it, without the functions with a zone that it called
	Total    int64    `json:"total_ns"`               // time in it
	Share    *float64 `json:"share,omitempty"`        // of the self time of all functions; absent if its own is not known
	Error    float64  `json:"relative_half,omitzero"` // relative half-width of the 95 % interval of the times; absent if all calls were timed
	Mean     *float64 `json:"mean_ns,omitempty"`      // mean of a call
	Quantile *int64   `json:"p99_ns,omitempty"`       // 99 of 100 calls took no longer; it is the middle of a cell of the histogram
}

// A goroutineObject is what was measured on a goroutine.
type goroutineObject struct {
	Name      string           `json:"name"`              // that of its lane
	ID        int              `json:"id"`                // of its lane; -1 stands for all that are not told apart
	Earlier   uint64           `json:"earlier,omitempty"` // goroutines that had the lane before, and are included
	Self      int64            `json:"self_ns"`           // in functions with a zone
	Share     float64          `json:"share"`             // of the self time of all
	Functions []functionObject `json:"functions"`         // by self time; at most three, or all with --rows -1. share is that of the goroutine
}

// A slowObject is the units of one root that were slow for the same cause.
type slowObject struct {
	Root      string `json:"root"`               // name of the loop or of the function
	Cause     string `json:"cause"`              // as in strobe capture --json
	Explained int    `json:"explained"`          // units
	Lost      int64  `json:"lost_ns,omitempty"`  // what they took longer than usual together; absent if unknown
	Longest   int64  `json:"longest_ns"`         // what the longest of them took
	Usual     int64  `json:"usual_ns,omitempty"` // median of the units before it; absent if unknown
	Sentence  string `json:"sentence"`           // why it was slow
	Next      string `json:"next,omitempty"`     // what to do next
}

// A sampledObject is a function that was sampled because of its cost.
type sampledObject struct {
	Name  string  `json:"name"`  // of the function
	Every int     `json:"every"` // one call in so many is timed
	Share float64 `json:"share"` // what measuring it took before
	Of    string  `json:"of"`    // of whose time: the name of a goroutine, or "the process"
}

// A costlyObject is a zone that slowed a run.
type costlyObject struct {
	Name  string  `json:"name"`                // of the function, or of the wait
	Share float64 `json:"share"`               // what measuring it took, as a share of the processor time that the program would have used without
	Self  float64 `json:"self_share,omitzero"` // its share of the self times of all functions then
}

func costlyObjects(all []instrument.Costly) (list []costlyObject) {
	for _, c := range all {
		list = append(list, costlyObject{c.Name, c.Share, c.Self})
	}
	return list
}

func (x *report) object(p *instrument.Plan, rows int) runObject {
	o := runObject{Schema: session.Schema, Package: x.target, Exit: x.end.code, Signal: x.end.signal, Starved: x.end.starved, Limit: x.end.limit.Bytes, Elapsed: int64(x.end.took), Known: x.known,
		URL: x.url, Zones: len(p.Zones), Without: len(p.LeftOut), Called: len(x.functions) + len(x.waits)}
	o.LeftOut, o.TooCostly = costlyObjects(p.Costly), costlyObjects(x.tooCostly)
	if !x.known {
		return o
	}
	s := x.reading.Snapshot
	o.Missing, o.Processor, o.Cost, o.Readings = int64(x.missing), int64(x.slow.processor), int64(x.slow.cost), int64(x.slow.readings)
	o.Deadlock = x.deadlocked()
	o.Off, o.Notes = int64(s.Uncertainty), s.Notes
	if x.slow.known {
		o.Slower, o.Least = &x.slow.share, &x.slow.least
		if !math.IsInf(x.slow.most, 1) {
			o.Most = &x.slow.most
		}
	}
	o.Functions, o.Waits = objects(limit(x.functions, rows)), objects(limit(x.waits, rows))
	for _, g := range limit(x.lanes, rows) {
		functions := g.functions
		if rows >= 0 {
			functions = limit(functions, mostFunctions)
		}
		o.Lanes = append(o.Lanes, goroutineObject{g.lane.Name, g.lane.ID, g.lane.Earlier, int64(g.self), g.share, objects(functions)})
	}
	o.SlowUnits, o.Degrees, o.Watching = x.slowUnits.all, x.slowUnits.degrees, x.slowUnits.watching
	for _, k := range limit(x.slowUnits.kinds, rows) {
		o.Slow = append(o.Slow, slowObject{k.root, k.cause, k.explained, int64(k.lost), int64(k.longest.Took), int64(k.longest.Usual), k.longest.Sentence, k.longest.Next})
	}
	for _, z := range x.reading.Sampled {
		if z.Zone >= 0 && z.Zone < len(s.Zones) {
			o.Sampled = append(o.Sampled, sampledObject{s.Zones[z.Zone].Name, z.Every, z.Share, z.Of})
		}
	}
	return o
}

func objects(all []function) (list []functionObject) {
	for _, f := range all {
		z := f.stats
		o := functionObject{Name: f.zone.Name, Where: f.zone.Where, Unit: f.zone.Root, Calls: z.Calls, Timed: z.Timed, Open: z.Open,
			Total: int64(z.Total), Error: f.err}
		if !z.SelfUnknown {
			self := int64(z.Self)
			o.Self, o.Share = &self, &f.share
		}
		if mean, ok := z.Mean(); ok {
			o.Mean = &mean
		}
		if d, ok := z.Quantile(0.99); ok {
			p99 := int64(d)
			o.Quantile = &p99
		}
		list = append(list, o)
	}
	return list
}
