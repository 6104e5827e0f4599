// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"time"

	"github.com/strobe-go/strobe/profile"
)

// eachSample yields the stacks of s, innermost zone first, with their calls and self times, which are 0 where they are unknown: on a
// shared lane. The stack slice is reused.
func eachSample(s profile.Snapshot, yield func(lane string, stack []int, calls uint64, self time.Duration)) {
	var stack []int
	for _, l := range s.Lanes {
		for i, n := range l.Nodes {
			if n.Calls == 0 && n.Self == 0 {
				continue
			}
			stack = append(stack[:0], n.Zone)
			for at := i; int(l.Nodes[at].Parent) >= 0 && int(l.Nodes[at].Parent) < at; { // parents come first
				at = int(l.Nodes[at].Parent)
				stack = append(stack, int(l.Nodes[at].Zone))
			}
			yield(l.Name, stack, n.Calls, n.Self)
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
