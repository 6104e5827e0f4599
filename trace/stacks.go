// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"io"
	"math"
	"strconv"
	"time"

	"github.com/strobe-go/strobe/profile"
)

// WriteStacks writes the spans of t, a window of time, as a gzipped pprof profile like that of WriteProfile. It covers only
// the spans in the timeline. Calls that sampling skipped are missing; open spans count in "self" up to Timeline.At, but not
// in "calls".
//
// If spans of a lane were lost, the profile of that lane begins with the first span that is left; earlier time is not
// attributed to any zone. A span that began before Record was called and has ended is included in full, and its self time
// includes spans inside it that ended before. The only error is that of w.
func WriteStacks(w io.Writer, t profile.Timeline) error {
	b := newBuilder(t.Zones)
	b.comments(t.Notes)
	if t.Lost > 0 {
		b.comment(strconv.FormatUint(t.Lost, 10) + " events were lost")
	}
	var n nester
	var first, last int64 = math.MaxInt64, math.MinInt64
	n.lanes(t.Events, func(lane int, spans []span) {
		if i := laneAt(t.Lanes, lane); i < 0 && t.Lost > 0 || i >= 0 && t.Lanes[i].Lost > 0 {
			clip(spans)
		}
		for _, s := range spans {
			first, last = min(first, int64(s.start)), max(last, int64(s.end))
		}
		b.stacks(laneName(t.Lanes, lane), spans)
	})
	if first > last { // no span
		return b.write(w, 0)
	}
	return b.write(w, max(last-first, 0)) // times out of range may overflow
}

// clip cuts off everything before the span that ended first.
func clip(spans []span) {
	oldest := 0 // outermost first: the first that has none inside
	for oldest+1 < len(spans) && spans[oldest+1].level > spans[oldest].level {
		oldest++
	}
	for i := range spans[:oldest] {
		spans[i].start = spans[oldest].start
	}
}

// stacks adds up the spans of a lane by their paths.
func (b *builder) stacks(lane string, spans []span) {
	type edge struct{ parent, zone int }
	type node struct {
		edge
		calls int64
		self  time.Duration
	}
	ids := make(map[edge]int)
	var all []node
	var path []int // nodes of the enclosing spans
	for _, s := range spans {
		path = path[:s.level]
		e := edge{parent: -1, zone: s.zone}
		took := s.end.Sub(s.start)
		if s.level > 0 {
			e.parent = path[s.level-1]
			all[e.parent].self -= took
		}
		id, ok := ids[e]
		if !ok {
			id = len(all)
			ids[e] = id
			all = append(all, node{edge: e})
		}
		if !s.open {
			all[id].calls++
		}
		all[id].self += took
		path = append(path, id)
	}
	var stack []int
	for id := range all {
		stack = stack[:0]
		for i := id; i >= 0; i = all[i].parent {
			stack = append(stack, all[i].zone)
		}
		b.sample(lane, stack, all[id].calls, int64(all[id].self))
	}
}
