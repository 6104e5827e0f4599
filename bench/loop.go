// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"math"
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// repeat calls f n times. It is not inlined, so that all functions, including the empty one, run in the same loop.
//
//go:noinline
func repeat(f func(), n int) {
	for ; n > 0; n-- {
		f()
	}
}

// empty is called to measure the cost of the loop.
func empty() {}

// timed returns the duration of a batch of n calls in ns, including the loop and two readings of the clock.
func timed(f func(), n int) int64 {
	start := clock.NowOrdered()
	repeat(f, n)
	return int64(clock.NowOrdered() - start)
}

// largest is the largest batch. It is reached only if the clock does not advance.
const largest = 1 << 30

// batchFor returns a number of calls that takes at least as long as wanted, twice in a row: a single reading may include a
// preemption, and the resulting batch would be too small for the whole measurement.
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

// epoch is the duration of a batch: long enough that caches and branch predictors forget another function, and that the cost of
// reading the clock, which is subtracted, is small; and short enough that most batches are undisturbed on a busy machine, where
// programs run for a few ms at a time, and that some fit between two moments at which something else uses the same core, which may be
// a fifth of a ms apart.
const epoch = 60 * time.Microsecond

// fine is the minimum duration of a sample: also a thousand steps of the clock.
func fine() time.Duration {
	return max(epoch, time.Duration(1000*clock.Describe().Step))
}

// placement is the share by which the cost of a loop around almost nothing depends on the position of its code in memory.
const placement = 0.25

// least returns the shortest of several batches.
func least(f func(), n int) int64 {
	took := timed(f, n)
	for range 4 {
		took = min(took, timed(f, n))
	}
	return took
}

// loopBatches is how many batches of an empty function costOfLoop times.
const loopBatches = 21

// costOfLoop returns the duration of a batch of n calls of an empty function, in ns.
func costOfLoop(n int) (ns, half float64) {
	took := make([]int64, loopBatches)
	timed(empty, n)
	for i := range took {
		took[i] = timed(empty, n)
	}
	return median(took)
}

// median sorts the times and returns their median and half the width of its 95 % interval: the number of n independent
// samples below the median has a standard deviation of half the square root of n.
func median(took []int64) (ns, half float64) {
	slices.Sort(took)
	n := len(took)
	off := int(math.Ceil(math.Sqrt(float64(n))))
	low, high := max(0, n/2-off), min(n-1, (n-1)/2+off)
	return float64(took[(n-1)/2])/2 + float64(took[n/2])/2, float64(took[high]-took[low]) / 2
}
