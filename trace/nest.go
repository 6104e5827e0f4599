// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"slices"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// A span is a span of a lane, shortened so that it lies within the enclosing one.
type span struct {
	zone       int
	level      int // number of enclosing spans in this timeline
	start, end clock.Instant
	open       bool // it had not ended
	depth      int  // number of enclosing spans, also of those not in this timeline
}

// A nester sorts the spans of a lane by their beginnings. Its memory is proportional to the longest lane.
type nester struct {
	spans []span
	sizes []int32
	open  []place
}

// A place is the index in nester.spans of a span with some depth.
type place struct{ at, depth int }

// far bounds instants and durations, so that their sums and differences do not overflow: 73 years.
const far = 1 << 61

// lanes passes the spans of each lane, outermost first, in the order in which they began.
func (n *nester) lanes(events []profile.Event, yield func(lane int, spans []span)) {
	for i := 0; i < len(events); {
		first := i
		for i < len(events) && events[i].Kind == profile.SpanEvent && events[i].Lane == events[first].Lane {
			i++
		}
		if i == first {
			i++ // a mark
			continue
		}
		yield(events[first].Lane, n.nest(events[first:i]))
	}
}

// nest rebuilds the tree of one lane's spans. They come in the order in which they ended, so a span is inside the next one
// with a smaller depth. The depth is exact, whereas times are rounded from ticks.
func (n *nester) nest(events []profile.Event) []span {
	n.measure(events)
	n.spans = slices.Grow(n.spans[:0], len(events))[:len(events)] // all elements are set below
	n.open = n.open[:0]
	// Backwards, every span comes before those inside it, and siblings from the last to the first.
	for i := len(events) - 1; i >= 0; i-- {
		e := events[i]
		from, to := clock.Instant(-far), clock.Instant(far)
		last := -1
		for len(n.open) > 0 && n.open[len(n.open)-1].depth >= e.Depth {
			last = n.open[len(n.open)-1].at
			n.open = n.open[:len(n.open)-1]
		}
		level := len(n.open)
		if level > 0 {
			around := n.spans[n.open[level-1].at]
			from, to = around.start, around.end
		}
		if last >= 0 {
			to = n.spans[last].start
		}
		at := i + level - int(n.sizes[i]) + 1 // its index if the outermost come first
		start := min(max(e.Start, from), to)
		n.spans[at] = span{zone: e.Zone, level: level, depth: e.Depth, start: start, end: min(start.Add(min(max(e.Took, 0), far)), to), open: e.Open}
		n.open = append(n.open, place{at, e.Depth})
	}
	return n.spans
}

// measure counts the spans in each span, including itself.
func (n *nester) measure(events []profile.Event) {
	n.sizes, n.open = n.sizes[:0], n.open[:0]
	for i, e := range events {
		size := int32(1)
		for len(n.open) > 0 && n.open[len(n.open)-1].depth > e.Depth {
			size += n.sizes[n.open[len(n.open)-1].at]
			n.open = n.open[:len(n.open)-1]
		}
		n.sizes = append(n.sizes, size)
		n.open = append(n.open, place{i, e.Depth})
	}
}
