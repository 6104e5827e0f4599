// SPDX-License-Identifier: BSD-3-Clause

package cumulative_test

import (
	"fmt"
	"time"

	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/profile/cumulative"
)

// When an exporter is asked for metrics, it adds what strobe.Reader.Read returns. This reading is made up, so that it is always
// the same.
func ExampleState() {
	reading := profile.Snapshot{
		Elapsed: time.Second,
		Zones:   []profile.ZoneInfo{{Name: "request", Every: 1}},
		Lanes: []profile.LaneStats{{Zones: []profile.ZoneStats{
			{Zone: 0, Calls: 2, Timed: 2, Total: 30 * time.Millisecond, Self: 30 * time.Millisecond, Sum: 30 * time.Millisecond},
		}}},
	}
	state, now := cumulative.New(cumulative.Limits{}), time.Unix(1_700_000_000, 0)
	for range 3 {
		state.Add(reading, now)
		now = now.Add(reading.Elapsed)
	}
	for _, s := range state.Series() {
		fmt.Println(s.Name, s.Calls, s.Total)
	}
	// Output: request 6 90ms
}
