// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/profile"
)

// WriteProfile writes the call trees of s as a gzipped pprof profile. Each node is a sample: its path of zones is the stack,
// "calls" is the number of ended calls, and "self" is its time without the spans inside. For "self", pprof's flat value is
// therefore the self time of a zone and cum its total, each exact to the nanosecond; a zone inside itself counts once in cum.
// Open spans count in "self", but not in "calls".
//
// The lane is the label "lane"; zones made by NewWaitZone have the label "kind" with the value "wait". Spans whose path did
// not fit into a tree have the zone "(paths beyond the limits)". A lane that goroutines share has no call tree: each of its
// zones is a separate stack, with its calls and no self time, which is unknown. A comment of the profile says so, and others
// contain the notes (go tool pprof -comments). Names longer than 128 characters are cut in the middle, and characters that a
// terminal would obey become "?".
//
// The calls and self times of a sampled zone are those of all its calls, of which the times are estimates. What was called by those
// that were not timed seems to be called by the enclosing zone, and a comment says how many they were. The only error is that of w.
func WriteProfile(w io.Writer, s profile.Snapshot) error {
	b := newBuilder(s.Zones)
	b.comments(s.Notes)
	eachSample(s, func(lane string, stack []int, calls uint64, self time.Duration) {
		b.sample(lane, stack, int64(min(calls, math.MaxInt64)), int64(self))
	})
	for _, l := range s.Lanes {
		if l.Shared && len(l.Zones) > 0 {
			b.comment("the lane " + plain.Name(l.Name, plain.Longest) + " is shared and has no call tree: the self times of its zones are unknown, and only their calls are in this profile")
		}
	}
	for _, z := range s.Totals() {
		if z.Timed < z.Calls {
			b.comment(fmt.Sprintf("the zone %s is sampled: %d of its %d calls were timed, and what the others called seems to be called by their callers",
				plain.Name(zoneAt(s.Zones, z.Zone).Name, plain.Longest), z.Timed, z.Calls))
		}
	}
	return b.write(w, int64(max(s.Elapsed, 0)))
}

// eachSample yields the stacks of s, innermost zone first, with their calls and self times, which are 0 where they are unknown: on a
// shared lane. The stack slice is reused.
func eachSample(s profile.Snapshot, yield func(lane string, stack []int, calls uint64, self time.Duration)) {
	var stack []int
	for _, l := range s.Lanes {
		for i, n := range l.Nodes {
			if n.Calls+n.Untimed == 0 && n.Self == 0 {
				continue
			}
			stack = append(stack[:0], n.Zone)
			for at := i; int(l.Nodes[at].Parent) >= 0 && int(l.Nodes[at].Parent) < at; { // parents come first
				at = int(l.Nodes[at].Parent)
				stack = append(stack, int(l.Nodes[at].Zone))
			}
			yield(l.Name, stack, n.Calls+n.Untimed, n.Self)
		}
		if len(l.Nodes) > 0 {
			continue
		}
		for _, z := range l.Zones {
			if z.Calls > 0 || z.Self > 0 {
				yield(l.Name, append(stack[:0], z.Zone), z.Calls, z.Self)
			}
		}
	}
}
