// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// repeat calls f n times. Out of line, so that it is the same code for every function and for the empty one.
//
//go:noinline
func repeat(f func(), n int) {
	for ; n > 0; n-- {
		f()
	}
}

// nothing is what the loop costs.
func nothing() {}

// timed returns how many ns a batch of n calls takes, the loop and the clock's two readings included.
func timed(f func(), n int) int64 {
	start := clock.NowOrdered()
	repeat(f, n)
	return int64(clock.NowOrdered() - start)
}

// largest is the largest batch: a function that costs nothing reaches it only where the clock stands still.
const largest = 1 << 30

// batchFor returns how many calls take at least as long as wanted, twice in a row: one reading may hold a preemption, and a
// batch that is ten times too small because of it spoils everything that follows.
func batchFor(f func(), want time.Duration) int {
	n := 1
	for {
		took := min(timed(f, n), timed(f, n))
		if took >= int64(want) || n >= largest {
			return n
		}
		grow := 10.0
		if took > 0 {
			grow = min(10, max(1.5, 1.2*float64(want)/float64(took)))
		}
		n = min(largest, int(float64(n)*grow)+1)
	}
}

// fine is how long a batch must be for the clock's step to be a thousandth of it, and what its readings cost, which is subtracted, to be
// no more than a few.
func fine() time.Duration {
	return max(100*time.Microsecond, time.Duration(1000*clock.Describe().Step))
}

// costOfLoop returns what a batch of n calls of nothing takes, in ns: the median of several, and half the width of its interval.
func costOfLoop(n int) (ns, half float64) {
	const times = 21
	var took [times]int64
	timed(nothing, n)
	for i := range took {
		took[i] = timed(nothing, n)
	}
	slices.Sort(took[:])
	// Order statistics 6 and 16 of 21 hold the median in 97 of 100 cases.
	return float64(took[times/2]), float64(took[15]-took[5]) / 2
}
