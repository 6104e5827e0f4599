// SPDX-License-Identifier: BSD-3-Clause

package strobe

import (
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/stat"
)

// A Snapshot is what had been measured at one instant, as plain data: producers fill it, viewers read it, neither knows
// the other. It belongs to whoever took it.
type Snapshot struct {
	At     clock.Instant
	Span   time.Duration // what it covers: since the first span of the process, or since the snapshot that was subtracted
	Zones  []ZoneInfo    // ZoneStats.Zone is the index
	Lanes  []LaneStats
	Frames []FrameStats
	Plots  []PlotStats

	Cost time.Duration // what a span costs its goroutine here, measured; already part of what encloses it
	Bias time.Duration // what a span reads too long (or, below 0, too short) here, measured; ZoneStats.Mean is without it

	Memory  int64  // bytes that the package holds
	Budget  int64  // bytes that it may hold
	Refused uint64 // distributions and timelines that were refused for the budget's sake

	EndedTwice     uint64 // misuse: Exit of a span that had ended. It was ignored
	EndedElsewhere uint64 // misuse: Exit on another goroutine. It was ignored, the span stays open
	EndedEarly     uint64 // spans that the Exit of an enclosing one had to end: forgotten, or passed by in a panic

	Notes []string // what limits the numbers, in words
}

// ZoneInfo says what a zone is.
type ZoneInfo struct {
	Name  string
	Where string // file:line of NewZone
	Wait  bool   // its time is spent blocked
	Every int    // one in how many calls is timed; 1 if all are, -1 if the zone is off
}

// LaneStats is what was measured on one lane.
type LaneStats struct {
	ID        int
	Name      string // as it was named; else the goroutine's number after a g, and its thread if it was locked to one
	Goroutine int64  // the runtime's number of the goroutine that it was made or named for; 0 of one made by hand
	Thread    int    // the system's number of the thread which that goroutine was locked to; 0 if it was not, or unknown
	Shared    bool   // goroutines without a lane of their own meet here, where only calls and totals are kept
	Open      int    // spans that had not ended
	Zones     []ZoneStats
}

// ZoneStats is what one lane knows of one zone. Spans that have not ended are included up to the instant of the
// snapshot, in Total and Self. The Total of a span is its Self and the Totals of the spans directly inside, but for
// sampled zones, whose durations are estimates.
type ZoneStats struct {
	Zone  int
	Calls uint64        // that have ended, exactly
	Timed uint64        // those of them that the durations rest on: fewer than Calls if sampled
	Open  int           // spans that have not ended; those beyond the 31st level of nesting are not seen
	Total time.Duration // with the spans inside; a zone inside itself counts once
	Self  time.Duration // without the spans inside; 0 on a shared lane, which does not know it
	Mean  time.Duration // of a call that has ended, less the bias, hence 0 if too short to be measured; only if Timed > 0
	Min   time.Duration // of a call that has ended; only if Timed > 0 and not of a shared lane
	Max   time.Duration

	ended  time.Duration // Total of the calls that have ended
	spread distribution
}

// distribution counts durations of calls in the cells of cellOf.
type distribution struct {
	first  uint64
	counts []uint64
	rate   float64 // ns per tick
}

// FrameStats is what Frame has measured of one loop.
type FrameStats struct {
	Name     string
	Turns    uint64        // calls of Frame; there is one frame time fewer
	Rate     float64       // turns per second over the freshest second; 0 when it has stood still for long
	Frame    stat.Interval // of the mean frame time in ns, at the level 0.95, by batch means; see its Warnings
	Min, Max time.Duration
	P50, P99 time.Duration
}

// PlotStats is the latest value of one plot.
type PlotStats struct {
	Name     string
	N        uint64 // values so far
	Last     float64
	Min, Max float64
}

// average returns the mean of the calls that have ended, less the bias.
func (z ZoneStats) average(bias time.Duration) time.Duration {
	if z.Calls == 0 {
		return 0
	}
	return max(0, time.Duration(float64(z.ended)/float64(z.Calls))-bias)
}

// Quantile returns the duration that the share q of the calls did not exceed, 0 <= q <= 1, within 3.2 %, uncorrected. ok
// is false if no distribution was kept, as on a shared lane and beyond the budget.
func (z ZoneStats) Quantile(q float64) (d time.Duration, ok bool) {
	n := uint64(0)
	for _, c := range z.spread.counts {
		n += c
	}
	if n == 0 || !(q >= 0 && q <= 1) {
		return 0, false
	}
	rank := max(1, uint64(q*float64(n)+0.9999999))
	for i, c := range z.spread.counts {
		if rank <= c {
			lo, hi := cellRange(z.spread.first + uint64(i))
			d = time.Duration(float64(lo+(hi-lo)/2) * z.spread.rate)
			return max(z.Min, min(d, z.Max)), true
		}
		rank -= c
	}
	return z.Max, true
}

// Totals adds up each zone over all lanes, in the order of Zones. A zone that nobody has entered has no calls.
func (s Snapshot) Totals() []ZoneStats {
	all := make([]ZoneStats, len(s.Zones))
	for i := range all {
		all[i].Zone = i
	}
	for _, l := range s.Lanes {
		for _, z := range l.Zones {
			all[z.Zone].merge(z)
		}
	}
	for i := range all {
		all[i].Mean = all[i].average(s.Bias)
	}
	return all
}

func (z *ZoneStats) merge(o ZoneStats) {
	if o.Timed > 0 && o.Max > 0 {
		if z.Max == 0 {
			z.Min = o.Min
		}
		z.Min, z.Max = min(z.Min, o.Min), max(z.Max, o.Max)
	}
	z.Calls += o.Calls
	z.Timed += o.Timed
	z.Open += o.Open
	z.Total += o.Total
	z.ended += o.ended
	z.Self += o.Self
	z.spread.merge(o.spread)
}

func (d *distribution) merge(o distribution) {
	switch {
	case len(o.counts) == 0:
		return
	case len(d.counts) == 0:
		*d = distribution{first: o.first, counts: append([]uint64(nil), o.counts...), rate: o.rate}
		return
	}
	first := min(d.first, o.first)
	end := max(d.first+uint64(len(d.counts)), o.first+uint64(len(o.counts)))
	if end-first > uint64(len(d.counts)) {
		counts := make([]uint64, end-first)
		copy(counts[d.first-first:], d.counts)
		d.first, d.counts = first, counts
	}
	for i, c := range o.counts {
		d.counts[o.first-d.first+uint64(i)] += c
	}
}

// Sub returns what happened since earlier, an older snapshot of the same process: calls, times and distributions are
// differences, extremes are those of the difference to within a cell. Frames, plots and the rest stay as they are in s.
func (s Snapshot) Sub(earlier Snapshot) Snapshot {
	s.Span = s.At.Sub(earlier.At)
	s.EndedTwice -= earlier.EndedTwice
	s.EndedElsewhere -= earlier.EndedElsewhere
	s.EndedEarly -= earlier.EndedEarly
	s.Lanes = append([]LaneStats(nil), s.Lanes...)
	var d differ
	for i := range min(len(s.Lanes), len(earlier.Lanes)) { // lanes are only ever added
		l := &s.Lanes[i]
		l.Zones = d.zones(l.Zones, earlier.Lanes[i].Zones, s.Bias)
	}
	return s
}

// A differ takes differences. It allocates in large pieces.
type differ struct {
	stats  []ZoneStats
	counts []uint64
}

func (d *differ) zones(now, before []ZoneStats, bias time.Duration) []ZoneStats {
	if len(now) > len(d.stats) {
		d.stats = make([]ZoneStats, max(len(now), 1024))
	}
	out := d.stats[:copy(d.stats, now):len(now)]
	d.stats = d.stats[len(now):]
	for i := range out {
		z := &out[i]
		for len(before) > 0 && before[0].Zone < z.Zone {
			before = before[1:]
		}
		if len(before) > 0 && before[0].Zone == z.Zone {
			d.sub(z, before[0])
			z.Mean = z.average(bias)
		}
	}
	return out
}

func (d *differ) sub(z *ZoneStats, o ZoneStats) {
	z.Calls -= o.Calls
	z.Timed -= o.Timed
	z.Total = max(0, z.Total-o.Total)
	z.Self = max(0, z.Self-o.Self)
	z.ended -= o.ended
	if z.Timed == 0 {
		z.Min, z.Max, z.spread.counts = 0, 0, nil
	}
	n := len(z.spread.counts)
	if n == 0 || len(o.spread.counts) == 0 {
		return
	}
	if n > len(d.counts) {
		d.counts = make([]uint64, max(n, 1<<14))
	}
	counts := d.counts[:copy(d.counts, z.spread.counts):n]
	d.counts = d.counts[n:]
	z.spread.counts = counts
	for i, c := range o.spread.counts {
		if j := o.spread.first + uint64(i) - z.spread.first; j < uint64(n) {
			counts[j] -= min(c, counts[j])
		}
	}
	lowest, highest := 0, n-1
	for lowest < n && counts[lowest] == 0 {
		lowest++
	}
	for highest > lowest && counts[highest] == 0 {
		highest--
	}
	if lowest == n {
		z.Min, z.Max = 0, 0
		return
	}
	lo, _ := cellRange(z.spread.first + uint64(lowest))
	_, hi := cellRange(z.spread.first + uint64(highest))
	z.Min = max(z.Min, time.Duration(float64(lo)*z.spread.rate))
	z.Max = min(z.Max, time.Duration(float64(hi)*z.spread.rate+1))
}
