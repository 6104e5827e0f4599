// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument"
	"github.com/strobe-go/strobe/internal/tether"
	"github.com/strobe-go/strobe/profile"
)

// A report is what is said after the end of the program.
type report struct {
	target    string
	end       ending
	known     bool           // there is a reading
	reading   tether.Reading // the latest one
	missing   time.Duration  // between the latest reading and the end; 0 if the program made it at its end
	url       string
	slow      slowdown
	functions []function // by self time, the most first
	waits     []function // by total, the most first
	lanes     []goroutine
	idle      int // functions with zones that were not called

	slowUnits slowUnits

	tooCostly []instrument.Costly // zones that the next build of the program leaves out
}

// A function is what was measured of a zone, on all goroutines or on one.
type function struct {
	zone  profile.ZoneInfo
	stats profile.ZoneStats
	share float64 // of the self times of all functions that are no waits
	err   float64 // relative half-width of the 95 % interval of the times of a sampled zone; 0 if there is none
}

// A goroutine is what was measured on a lane.
type goroutine struct {
	lane      profile.LaneInfo
	self      time.Duration
	share     float64    // of the self times of all functions
	functions []function // by self time, the most first; shares are those of the goroutine
}

func newReport(target string, e ending, r tether.Reading, at time.Time, known bool) *report {
	x := &report{target: target, end: e, known: known, reading: r, slow: estimate(r, e)}
	if !known {
		return x
	}
	if !r.Last || r.Asleep && !x.deadlocked() {
		x.missing = max(e.at.Sub(at), time.Nanosecond)
	}
	s := r.Snapshot
	all := functionsOf(s, s.Totals())
	for _, f := range all {
		if f.zone.Wait {
			x.waits = append(x.waits, f)
		} else {
			x.functions = append(x.functions, f)
		}
	}
	x.idle = len(s.Zones) - len(all)
	self := divide(x.functions)
	slices.SortStableFunc(x.waits, func(a, b function) int { return cmp.Compare(b.stats.Total, a.stats.Total) })
	for _, l := range s.Lanes {
		g := goroutine{lane: l.LaneInfo, functions: functionsOf(s, l.Zones)}
		g.functions = slices.DeleteFunc(g.functions, func(f function) bool { return f.zone.Wait })
		g.self = divide(g.functions)
		g.share = float64(g.self) / float64(max(self, 1))
		if len(g.functions) > 0 {
			x.lanes = append(x.lanes, g)
		}
	}
	slices.SortStableFunc(x.lanes, func(a, b goroutine) int { return cmp.Compare(b.self, a.self) })
	return x
}

// deadlocked reports whether the runtime ended the program because all of its goroutines waited for each other.
func (x *report) deadlocked() bool { return x.reading.Asleep && x.end.code == 2 }

// functionsOf returns the zones that were called.
func functionsOf(s profile.Snapshot, stats []profile.ZoneStats) (all []function) {
	for _, z := range stats {
		if z.Zone >= 0 && z.Zone < len(s.Zones) && (z.Calls > 0 || z.Open > 0) {
			all = append(all, function{zone: s.Zones[z.Zone], stats: z, err: errorOf(z)})
		}
	}
	return all
}

// errorOf returns the relative half-width of the 95 % interval of the mean duration of a sampled zone, from the scatter of the calls
// that were timed; 0 if all were, or too few.
func errorOf(z profile.ZoneStats) float64 {
	mean, ok := z.Mean()
	sd, known := z.Histogram.StdDev()
	if z.Timed >= z.Calls || !ok || !known || mean <= 0 || z.Timed < leastTimed {
		return 0
	}
	return normal95 * sd / mean / math.Sqrt(float64(z.Timed)) * math.Sqrt(1-float64(z.Timed)/float64(z.Calls))
}

const (
	normal95   = 1.96
	leastTimed = 30
)

// divide sorts functions by self time, and gives each its share of the whole, which it returns.
func divide(all []function) (whole time.Duration) {
	for i := range all {
		whole += all[i].stats.Self
	}
	for i := range all {
		all[i].share = float64(all[i].stats.Self) / float64(max(whole, 1))
	}
	slices.SortStableFunc(all, func(a, b function) int { return cmp.Compare(b.stats.Self, a.stats.Self) })
	return whole
}

// A slowdown is by how much measuring slowed the program, as far as that can be estimated.
type slowdown struct {
	known     bool
	share     float64       // of the processor time that the program would have used without it, likely
	least     float64       // the same, at least
	most      float64       // the same, at most; infinite if that is nearly all of the time
	cost      time.Duration // processor time that the calls took longer, likely
	from, to  time.Duration // the same, at least and at most
	readings  time.Duration // processor time that the readings took, beside the goroutines of the program
	processor time.Duration // processor time of the process
	children  bool          // processor includes that of its children
	calls     uint64
}

// leastProcessor is the processor time below which nothing is estimated: the start of the process takes a part of it.
const leastProcessor = 100 * time.Millisecond

func estimate(r tether.Reading, e ending) slowdown {
	d := slowdown{cost: r.Spans, from: r.Least, to: r.Most, readings: r.Reading, processor: r.Processor}
	if d.processor == 0 && e.state != nil {
		d.processor, d.children = e.state.UserTime()+e.state.SystemTime(), true
	}
	for _, z := range r.Snapshot.Totals() {
		d.calls += z.Calls
	}
	d.share, d.least, d.most = d.by(d.cost), d.by(d.from), d.by(d.to)
	if d.most > mostTold {
		d.most = math.Inf(1)
	}
	d.known = d.processor >= leastProcessor && !math.IsInf(d.share, 1)
	return d
}

// mostTold is the largest bound that is given. Beyond it, a little more for each call would be all of the program's time.
const mostTold = 5

// by returns by how much measuring slowed the program if calls took that much longer.
func (d slowdown) by(took time.Duration) float64 {
	own := d.processor - d.readings - took
	if own <= 0 {
		return math.Inf(1)
	}
	return float64(took) / float64(own)
}
