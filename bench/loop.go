// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"math"
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/callsite"
)

// A caller calls a function from a place of its own.
type caller struct{ site callsite.Site }

func newCaller(f func()) caller { return caller{callsite.New(f)} }

// bare calls an empty function, to measure the cost of the loop.
var bare = caller{callsite.Empty}

// timed returns the duration of a batch of n calls in ns, including the loop and two readings of the clock.
func (c caller) timed(n int) int64 {
	start := clock.NowOrdered()
	c.site.Call(n)
	return int64(clock.NowOrdered() - start)
}

// largest is the largest batch. It is reached only if the clock does not advance.
const largest = 1 << 30

// batch returns a number of calls that takes at least as long as wanted, twice in a row: a single reading may include a
// preemption, and the resulting batch would be too small for the whole measurement.
func (c caller) batch(want time.Duration) int {
	n := 1
	for {
		took := min(c.timed(n), c.timed(n))
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

// epoch is the duration of a batch: long enough that caches forget another function, and that the cost of
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
func (c caller) least(n int) int64 {
	took := c.timed(n)
	for range 4 {
		took = min(took, c.timed(n))
	}
	return took
}

// loopBatches is how many batches of an empty function costOfLoop times.
const loopBatches = 21

// costOfLoop returns the duration of a batch of n calls of an empty function, in ns.
func costOfLoop(n int) (ns, half float64) {
	took := make([]int64, loopBatches)
	bare.timed(n)
	for i := range took {
		took[i] = bare.timed(n)
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
