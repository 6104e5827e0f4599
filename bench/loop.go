// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"math"
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// repeat calls f n times. It is not inlined, so that every function, and the empty one, runs in the same code.
//
//go:noinline
func repeat(f func(), n int) {
	for ; n > 0; n-- {
		f()
	}
}

// empty is called to measure the cost of the loop.
func empty() {}

// timed returns how many ns a batch of n calls takes, including the loop and two readings of the clock.
func timed(f func(), n int) int64 {
	start := clock.NowOrdered()
	repeat(f, n)
	return int64(clock.NowOrdered() - start)
}

// largest is the largest batch. Only where the clock stands still does a function reach it.
const largest = 1 << 30

// batchFor returns how many calls take at least as long as wanted, twice in a row: one reading may include a preemption, and
// a batch that is too small because of that would spoil everything that follows.
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

// fine is how long a batch must be: a thousand steps of the clock, and long enough for the cost of reading the clock, which is
// subtracted, to be small.
func fine() time.Duration {
	return max(100*time.Microsecond, time.Duration(1000*clock.Describe().Step))
}

// placement is how far, as a share, the cost of a loop around nearly nothing depends on where its code lies in memory.
const placement = 0.25

// least returns the shortest of several batches.
func least(f func(), n int) int64 {
	took := timed(f, n)
	for range 4 {
		took = min(took, timed(f, n))
	}
	return took
}

// costOfLoop returns what a batch of n calls of an empty function takes, in ns.
func costOfLoop(n int) (ns, half float64) {
	took := make([]int64, 21)
	timed(empty, n)
	for i := range took {
		took[i] = timed(empty, n)
	}
	return median(took)
}

// median sorts the times and returns their median and half the width of its interval, which covers it in 95 of 100 cases: how
// many of n independent samples lie below their median has a standard deviation of half the root of n.
func median(took []int64) (ns, half float64) {
	slices.Sort(took)
	n := len(took)
	off := int(math.Ceil(math.Sqrt(float64(n))))
	low, high := max(0, n/2-off), min(n-1, (n-1)/2+off)
	return float64(took[(n-1)/2])/2 + float64(took[n/2])/2, float64(took[high]-took[low]) / 2
}
