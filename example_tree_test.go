// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe_test

import (
	"fmt"
	"strings"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/profile"
)

// The call tree of a stretch of time, on one lane. Snapshot.Tree merges those of all lanes.
func ExampleTakeSnapshot_tree() {
	frame, physics, collide := strobe.NewZone("frame"), strobe.NewZone("physics"), strobe.NewZone("collide")
	lane := strobe.NewLane("simulation")
	before := strobe.TakeSnapshot()
	for range 60 {
		f := lane.Enter(frame)
		p := lane.Enter(physics)
		lane.Enter(collide).Exit()
		lane.Enter(collide).Exit()
		p.Exit()
		f.Exit()
	}
	s := strobe.TakeSnapshot().Sub(before)
	var tree profile.Tree
	for _, l := range s.Lanes {
		if l.Name == "simulation" {
			tree = profile.Merge(l.Nodes)
		}
	}
	depth := make([]int, len(tree))
	for i, n := range tree { // a parent comes before its children
		if n.Parent >= 0 {
			depth[i] = depth[n.Parent] + 1
		}
		fmt.Printf("%s%s %d\n", strings.Repeat("  ", depth[i]), s.Zones[n.Zone].Name, n.Calls)
	}
	zone, _ := s.Zone("collide")
	for _, c := range tree.Callers(zone) {
		name := "nothing"
		if c.Zone != profile.Other {
			name = s.Zones[c.Zone].Name
		}
		fmt.Printf("collide was called by %s %d times\n", name, c.Calls)
	}
	// Output:
	// frame 60
	//   physics 60
	//     collide 120
	// collide was called by physics 120 times
}
