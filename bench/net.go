// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"math"

	"github.com/strobe-go/strobe/stat"
)

// net turns an interval per batch into one per call, without the loop's share of a batch. half is the uncertainty of that
// share. The result is never below zero.
func net(gross stat.Interval, calls, loop, half float64) stat.Interval {
	iv := gross
	center := gross.Center - loop
	up, down := math.Hypot(gross.Hi-gross.Center, half), math.Hypot(gross.Center-gross.Lo, half)
	iv.Center = max(0, center) / calls
	if !gross.Bounded() {
		return iv
	}
	iv.Lo = max(0, center-down) / calls
	// If the loop alone costs more than the loop with the function, its cost is uncertain by that difference.
	iv.Hi = max(center+up, half, -center) / calls
	return iv
}

// netTime is net for times whose samples have the given median, known to within medianHalf. The loop's cost depends on the
// position of the code, and it is a median, whereas gross is a mean, which disturbances increase. This matters for a function
// that costs less than the loop: its interval extends down to the difference of the medians.
func netTime(gross stat.Interval, median, medianHalf, calls, loop, loopHalf float64) stat.Interval {
	half := loopHalf + placement*loop
	iv := net(gross, calls, loop, half)
	if gross.Center < 2*loop {
		iv.Lo = max(0, min(iv.Lo, (median-loop-math.Hypot(medianHalf, half))/calls))
	}
	return iv
}
