// SPDX-License-Identifier: BSD-3-Clause

package profile_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/strobe-go/strobe/profile"
)

// In a program this would be strobe.TakeSnapshot(); here it is made up, so that it is always the same.
var snapshot = profile.Snapshot{
	Elapsed: time.Second,
	Zones:   []profile.ZoneInfo{{Name: "frame", Every: 1}, {Name: "physics", Every: 1}, {Name: "collide", Every: 1}},
	Lanes: []profile.LaneStats{{LaneInfo: profile.LaneInfo{Name: "main"},
		Zones: []profile.ZoneStats{
			{Zone: 0, Calls: 60, Timed: 60, Total: 900 * time.Millisecond, Self: 100 * time.Millisecond, Sum: 900 * time.Millisecond},
			{Zone: 1, Calls: 60, Timed: 60, Total: 800 * time.Millisecond, Self: 500 * time.Millisecond, Sum: 800 * time.Millisecond},
			{Zone: 2, Calls: 120, Timed: 120, Total: 300 * time.Millisecond, Self: 300 * time.Millisecond, Sum: 300 * time.Millisecond}},
		Nodes: profile.Tree{
			{Parent: -1, Zone: 0, Calls: 60, Total: 900 * time.Millisecond, Self: 100 * time.Millisecond},
			{Parent: 0, Zone: 1, Calls: 60, Total: 800 * time.Millisecond, Self: 500 * time.Millisecond},
			{Parent: 1, Zone: 2, Calls: 120, Total: 300 * time.Millisecond, Self: 300 * time.Millisecond}}}},
}

func ExampleSnapshot_String() {
	fmt.Print(snapshot)
	// Output:
	// zone           calls       total        self        mean         p99
	// physics           60      800 ms      500 ms    13.33 ms           -
	// collide          120      300 ms      300 ms      2.5 ms           -
	// frame             60      900 ms      100 ms       15 ms           -
}

func ExampleTree_Callees() {
	for _, c := range snapshot.Tree().Callees(1) {
		fmt.Println("physics called", snapshot.Zones[c.Zone].Name, c.Calls, "times for", c.Total)
	}
	// Output: physics called collide 120 times for 300ms
}

// A snapshot that was converted to JSON and back is the same.
func ExampleSnapshot_json() {
	text, err := json.Marshal(snapshot)
	if err != nil {
		fmt.Println(err)
	}
	var back profile.Snapshot
	if err := json.Unmarshal(text, &back); err != nil {
		fmt.Println(err)
	}
	i, _ := back.Zone("collide")
	fmt.Println(back.Totals()[i].Mean())
	// Output: 2.5e+06 true
}
