// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe_test

import (
	"fmt"

	"github.com/strobe-go/strobe"
)

// All calls of a zone that is entered millions of times a second are counted; one in 64 is timed.
func ExampleZone_SetSampling() {
	zone := strobe.NewZone("hash")
	zone.SetSampling(64)
	lane := strobe.NewLane("hashing")
	before := strobe.TakeSnapshot()
	for range 100_000 {
		lane.Enter(zone).Exit()
	}
	s := strobe.TakeSnapshot().Sub(before)
	i, _ := s.Zone("hash")
	z := s.Totals()[i]
	fmt.Println(z.Calls, "calls; about one in 64 was timed:", z.Timed > 100_000/128 && z.Timed < 100_000/32)
	// Output: 100000 calls; about one in 64 was timed: true
}
