// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"

	"github.com/strobe-go/strobe/perf"
	"github.com/strobe-go/strobe/stat"
)

// counted are the events that Run asks for.
var counted = [...]perf.Event{perf.Cycles, perf.Instructions, perf.Branches, perf.BranchMisses, perf.PageFaults}

// A Counter is what was counted while the function was measured. Reason is empty where there is a number.
type Counter struct {
	Event   perf.Event
	PerCall stat.Interval // count a call, mean, without what the loop counts around nothing
	Scaled  bool          // an estimate: the event shared a counter
	Reason  string        // why there is no number, with the remedy where one is known
}

// counting counts beside the samples. The zero value counts nothing.
type counting struct {
	group *perf.Group
	sum   perf.Aggregate
	batch int
	loop  map[perf.Event]float64 // count of a batch of nothing
}

// count opens the counters and learns what the loop itself counts. The reason says why nothing can be counted.
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
	var empty perf.Aggregate
	for range 5 {
		m := group.Start()
		timed(nothing, batch)
		empty.Add(m.Stop())
	}
	for _, e := range counted {
		c.loop[e] = float64(empty.Of(e).Min)
	}
	return c, ""
}

// timed measures a batch, and counts around the clock's readings, so that the time holds none of it.
func (c *counting) timed(f func()) int64 {
	if c.group == nil {
		return timed(f, c.batch)
	}
	m := c.group.Start()
	t := timed(f, c.batch)
	c.sum.Add(m.Stop())
	return t
}

// results returns the counts and gives the counters back.
func (c *counting) results() (all []Counter) {
	if c.group == nil {
		return nil
	}
	c.group.Close()
	for _, e := range counted {
		s := c.sum.Of(e)
		r := Counter{Event: e, Scaled: s.Scaled > 0}
		switch {
		case s.N > 0 && s.Mean.Level > 0:
			r.PerCall = net(s.Mean, float64(c.batch), c.loop[e], 0)
		case s.Remedy != "":
			r.Reason = s.Reason + "; " + s.Remedy
		default:
			r.Reason = s.Reason
		}
		all = append(all, r)
	}
	return all
}
