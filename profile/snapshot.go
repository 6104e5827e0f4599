// SPDX-License-Identifier: BSD-3-Clause

package profile

import (
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/stat"
)

// A Snapshot is the state of all measurements at one instant.
type Snapshot struct {
	At      clock.Instant `json:"at_ns"`      // when it was begun; spans that end before it is complete may count
	Elapsed time.Duration `json:"elapsed_ns"` // time since the first span of the process, or since the snapshot that was subtracted

	Zones  []ZoneInfo   `json:"zones"`            // all zones; other fields refer to a zone by its index here
	Lanes  []LaneStats  `json:"lanes"`            // by ID, ascending
	Pooled []ZoneStats  `json:"pooled,omitempty"` // distributions by zone, for calls on lanes that do not keep their own
	Frames []FrameStats `json:"frames,omitempty"` // loops, in the order of their first iteration
	Plots  []PlotStats  `json:"plots,omitempty"`  // plots, in the order of their first value
	Units  []UnitStats  `json:"units,omitempty"`  // root zones, in the order of Zones
	Looks  *Looks       `json:"looks,omitempty"`  // what package capture saw goroutines do; nil if it has not run in this process

	NsPerTick   float64 `json:"ns_per_tick"`     // duration of a tick of the counter that spans read, from the latest calibration
	Cost        float64 `json:"cost_ns"`         // ns that a span costs its goroutine where spans follow each other, measured with the snapshot; with many lanes in use, on average over turns of ten spans, between which all others have theirs
	CostCold    float64 `json:"cost_cold_ns"`    // ns that a span costs whose zone's data other work has displaced from the caches: the median of the latest snapshots, at least 10 ms apart; Cost if that is more, and in the first ones
	CostSkipped float64 `json:"cost_skipped_ns"` // ns that a call of a sampled zone costs that is not timed, behind Zone.Due; that of a span where it cannot be measured
	Floor       float64 `json:"floor_ns"`        // measured duration of a span with an empty body, in ns

	Uncertainty time.Duration `json:"uncertainty_ns"` // systematic error of a measured duration, and so of a mean, for any number of calls

	Memory  int64  `json:"memory_bytes"` // memory that the profiler holds
	Budget  int64  `json:"budget_bytes"` // memory that the profiler may use
	Refused uint64 `json:"refused"`      // distributions, lanes, nodes and recordings that the budget did not allow

	EndedTwice     uint64 `json:"ended_twice"`     // misuse: calls of Exit for a span that had ended; they were ignored
	EndedElsewhere uint64 `json:"ended_elsewhere"` // misuse: calls of Exit on another goroutine; they were ignored, the spans stay open
	EndedEarly     uint64 `json:"ended_early"`     // spans that ended because an enclosing one did: Exit was forgotten, or skipped by a panic
	Abandoned      uint64 `json:"abandoned"`       // spans that were open when their goroutine ended

	Notes []string `json:"notes,omitempty"` // limits of the numbers, in words
}

// ZoneInfo describes a zone.
type ZoneInfo struct {
	Name  string `json:"name"`            // as given to NewZone; two zones may have the same
	Where string `json:"where,omitempty"` // file:line of the call of NewZone
	Wait  bool   `json:"wait,omitempty"`  // made by NewWaitZone: its time is spent blocked
	Root  bool   `json:"root,omitempty"`  // made by NewRootZone: its calls are units
	Every int    `json:"every"`           // one in this many calls is timed: 1 if all are, -1 if the zone is off
}

// LaneInfo describes a lane.
type LaneInfo struct {
	ID        int    `json:"id"`                  // constant for the life of the process
	Name      string `json:"name"`                // as given by the program; else g and the goroutine's number, with its thread if it was locked to one, and + with the number in Earlier unless that is 0
	Goroutine int64  `json:"goroutine,omitempty"` // the runtime's number of the latest goroutine; 0 for a lane made by NewLane
	Earlier   uint64 `json:"earlier,omitempty"`   // goroutines that had the lane before, one after the other, and have ended: what was measured on them is included; not known, and 0, where Goroutine is 0
	Thread    int    `json:"thread,omitempty"`    // the system's number of the thread that goroutine was locked to; 0 if none or unknown
	Shared    bool   `json:"shared,omitempty"`    // goroutines that have no lane share this one, which keeps calls and totals only
}

// LaneStats holds the measurements on one lane.
type LaneStats struct {
	LaneInfo
	Open  int         `json:"open,omitempty"`  // spans that have not ended
	Zones []ZoneStats `json:"zones,omitempty"` // zones that were entered, ascending by index
	Nodes Tree        `json:"nodes,omitempty"` // the call tree; a node keeps its index for the life of the process
}

// ZoneStats holds the measurements of one zone, on one lane or over all lanes. Open spans count in Total and Self up to the
// instant of the snapshot.
//
// The Total of a span is its Self plus the Totals of the spans directly inside it. Sampled zones are an exception: their
// times are estimates, and so are the Selfs of the spans around their calls.
type ZoneStats struct {
	Zone  int           `json:"zone"`             // index of the zone
	Calls uint64        `json:"calls"`            // calls that have ended; exact
	Timed uint64        `json:"timed"`            // calls that were timed; fewer than Calls if the zone is sampled, and without those that were timed only for the self time of their caller
	Open  int           `json:"open,omitempty"`   // spans that have not ended
	Total time.Duration `json:"total_ns"`         // time in the zone, including the spans inside; a zone inside itself counts once
	Self  time.Duration `json:"self_ns,omitzero"` // time in the zone, without the spans inside; 0 if SelfUnknown
	Sum   time.Duration `json:"sum_ns"`           // sum of the durations of all ended calls; more than the total if the zone is recursive

	SelfUnknown bool `json:"self_unknown,omitempty"` // the self time is not known: some calls were on a shared lane, which does not record which spans are inside which

	// These are for the calls in Histogram, which are all timed calls, unless there are too many lanes for each to keep
	// distributions: then Snapshot.Pooled has the rest, of all lanes. If the budget does not allow all of a zone's distribution,
	// it is missing everywhere.
	Min       time.Duration `json:"min_ns,omitempty"`   // shortest call; only where there is a histogram
	Max       time.Duration `json:"max_ns,omitempty"`   // longest call; only where there is a histogram
	Histogram Histogram     `json:"histogram,omitzero"` // distribution of the durations of single calls
}

// FrameStats holds the measurements of one loop by Frame. In a difference of snapshots, and so in a reading, they are those since the
// earlier one, except for Rate.
type FrameStats struct {
	Name  string        `json:"name"`             // as given to Frame
	Turns uint64        `json:"turns"`            // calls of Frame; the first of all has no frame time
	Rate  float64       `json:"rate_hz"`          // calls per second over the latest second; 0 when the loop has stopped
	Frame stat.Interval `json:"frame_ns"`         // mean frame time with its 95 % interval, by batch means
	Min   time.Duration `json:"min_ns,omitempty"` // shortest frame time; absent without a frame time, like the rest
	Max   time.Duration `json:"max_ns,omitempty"` // longest frame time
	P50   time.Duration `json:"p50_ns,omitempty"` // median frame time
	P99   time.Duration `json:"p99_ns,omitempty"` // 99th percentile of the frame times
	Sum   time.Duration `json:"sum_ns,omitempty"` // sum of all frame times

	Histogram Histogram `json:"histogram,omitzero"` // distribution of all frame times; its ticks are nanoseconds
}

// UnitStats holds the measurements of one root zone, over all lanes. A call of a root zone is a unit, unless it is inside another
// call of the same zone. In a difference of snapshots, and so in a reading, they are those since the earlier one.
//
// A quantile is known to within a histogram cell. Its 95 % interval is between two order statistics, and assumes that calls are
// independent of each other: in a program that is slow for a while, it is too narrow. The quantile is not known if there are too few
// calls for an interval, if the zone has no distribution, or if the distribution also has calls that are not units.
type UnitStats struct {
	Zone  int           `json:"zone"`             // index of the zone
	Calls uint64        `json:"calls"`            // units that have ended; of a sampled zone inside itself, also some calls that are not units
	Open  int           `json:"open,omitempty"`   // spans of the zone that have not ended
	Rate  float64       `json:"rate_hz"`          // Calls per second of Snapshot.Elapsed
	P50   stat.Interval `json:"p50_ns"`           // median duration
	P99   stat.Interval `json:"p99_ns"`           // 99th percentile of the durations
	P999  stat.Interval `json:"p999_ns"`          // 99.9th percentile of the durations
	Max   time.Duration `json:"max_ns,omitempty"` // longest duration; absent without a distribution of units alone
}

// PlotStats is the state of one plot.
type PlotStats struct {
	Name string  `json:"name"` // as given to Plot
	N    uint64  `json:"n"`    // values so far
	Last float64 `json:"last"` // latest value
	Min  float64 `json:"min"`  // smallest value
	Max  float64 `json:"max"`  // largest value
}

// Mean returns the mean duration of an ended call in ns. Recursive calls count like any other. ok is false if no call has been
// timed. The uncertainty of the mean is Snapshot.Uncertainty.
func (z ZoneStats) Mean() (ns float64, ok bool) {
	if z.Timed == 0 || z.Calls == 0 {
		return 0, false
	}
	return float64(z.Sum) / float64(z.Calls), true
}

// Quantile returns the q-quantile of the durations of calls, 0 <= q <= 1, within 3.2 %. ok is false if there is no
// distribution: on a shared lane, beyond the budget, or on a lane whose distributions are in Snapshot.Pooled.
func (z ZoneStats) Quantile(q float64) (d time.Duration, ok bool) {
	d, ok = z.Histogram.Quantile(q)
	if ok {
		d = max(z.Min, min(d, z.Max))
	}
	return d, ok
}

// Enabled reports whether any zone measures: measuring may be turned off while the program runs, and totals then do not
// change. It is true if there are no zones.
func (s Snapshot) Enabled() bool {
	return len(s.Zones) == 0 || slices.ContainsFunc(s.Zones, func(z ZoneInfo) bool { return z.Every > 0 })
}

// Zone returns the index of the first zone with that name in s.Zones. ok is false if there is none.
func (s Snapshot) Zone(name string) (i int, ok bool) {
	for i := range s.Zones {
		if s.Zones[i].Name == name {
			return i, true
		}
	}
	return 0, false
}

// Totals adds up each zone over all lanes. It has one entry per zone, in the order of Zones; a zone that was never entered
// has 0 calls. Entries for zones that are not in Zones are ignored.
func (s Snapshot) Totals() []ZoneStats { return s.totals(func(int) bool { return true }) }

// totals is Totals of some zones; the others have no calls.
func (s Snapshot) totals(of func(zone int) bool) []ZoneStats {
	all := make([]ZoneStats, len(s.Zones))
	for i := range all {
		all[i].Zone = i
	}
	for _, l := range s.Lanes {
		for i := range l.Zones {
			if z := &l.Zones[i]; z.Zone >= 0 && z.Zone < len(all) && of(z.Zone) {
				all[z.Zone].add(z)
			}
		}
	}
	for i := range s.Pooled {
		if z := &s.Pooled[i]; z.Zone >= 0 && z.Zone < len(all) && of(z.Zone) {
			all[z.Zone].addDistribution(z)
		}
	}
	return all
}

func (z *ZoneStats) add(o *ZoneStats) {
	z.Calls += o.Calls
	z.Timed += o.Timed
	z.Open += o.Open
	z.Total += o.Total
	if z.Self += o.Self; z.SelfUnknown || o.SelfUnknown {
		z.Self, z.SelfUnknown = 0, true
	}
	z.Sum += o.Sum
	z.addDistribution(o)
}

func (z *ZoneStats) addDistribution(o *ZoneStats) {
	switch {
	case o.Histogram.Empty():
		return
	case z.Histogram.Empty():
		z.Min, z.Max = o.Min, o.Max
	default:
		z.Min, z.Max = min(z.Min, o.Min), max(z.Max, o.Max)
	}
	z.Histogram.merge(o.Histogram)
}
