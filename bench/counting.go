// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"

	"github.com/strobe-go/strobe/perf"
	"github.com/strobe-go/strobe/stat"
)

// counted are the events that Run counts.
var counted = [...]perf.Event{perf.Cycles, perf.Instructions, perf.Branches, perf.BranchMisses, perf.PageFaults}

// A Counter is the count of one event while the function was measured. If it could not be counted, PerCall is not known, and its
// reason includes the remedy.
type Counter struct {
	Event   perf.Event
	PerCall stat.Interval // per call, mean, without the counts of the loop itself
	Total   uint64        // in all samples, including the loop
	Fastest stat.Interval // per call, in the fastest sample; not known if it was not counted then
	Slowest stat.Interval // per call, in the slowest sample; not known if it was not counted then
	Scaled  bool          // an estimate: there were too few counters, and the event was counted for part of the time
}

// counting counts events during the samples. The zero value counts nothing.
type counting struct {
	group *perf.Group
	sum   perf.Aggregate
	batch int
	loop  map[perf.Event]float64 // count for a batch of calls of an empty function
}

// count opens the counters and measures the counts of the loop itself. The reason says why nothing can be counted.
func count(o Options, batch int) (c *counting, reason string) {
	c = &counting{batch: batch, loop: map[perf.Event]float64{}}
	if o.NoCounters {
		return c, ""
	}
	group, err := perf.Open(perf.Thread, counted[:]...)
	if err != nil {
		return c, fmt.Sprintf("no counters: %v", err)
	}
	c.group = group
	var loop perf.Aggregate
	for range 5 {
		m := group.Start()
		bare.timed(batch)
		loop.Add(m.Stop())
	}
	for _, e := range counted {
		c.loop[e] = float64(loop.Of(e).Min)
	}
	return c, ""
}

// timed measures a batch. The counters are read outside the clock readings, so that the time does not include the counting.
func (c *counting) timed(f caller) int64 {
	if c.group == nil {
		return f.timed(c.batch)
	}
	m := c.group.Start()
	t := f.timed(c.batch)
	c.sum.Add(m.Stop())
	return t
}

// results closes the counters and returns the counts.
func (c *counting) results() (all []Counter) {
	if c.group == nil {
		return nil
	}
	c.group.Close()
	for _, e := range counted {
		all = append(all, c.result(e))
	}
	return all
}

func (c *counting) result(e perf.Event) Counter {
	s := c.sum.Of(e)
	r := Counter{Event: e, Total: s.Total, Scaled: s.Scaled > 0}
	if s.N == 0 {
		reason := s.Reason
		if s.Remedy != "" {
			reason += "; " + s.Remedy
		}
		r.PerCall = stat.Unknown(reason)
		r.Fastest, r.Slowest = r.PerCall, r.PerCall
		return r
	}
	r.PerCall = net(s.Mean, float64(c.batch), c.loop[e], 0)
	r.Fastest = c.perCall(e, s.OfFastest, s.OfFastestKnown)
	r.Slowest = c.perCall(e, s.OfSlowest, s.OfSlowestKnown)
	return r
}

// perCall returns the count of one sample per call, without the loop.
func (c *counting) perCall(e perf.Event, count uint64, known bool) stat.Interval {
	if !known {
		return stat.Unknown("not counted in this sample")
	}
	return stat.Point(max(0, float64(count)-c.loop[e])/float64(c.batch), 1, "count of one sample", "one sample")
}
