// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/stat"
)

// epoch is how long a batch of the faster function takes in a comparison: long enough for caches and predictors to forget the other,
// short enough for most to pass undisturbed on a busy machine, where programs are given some milliseconds each.
const epoch = 100 * time.Microsecond

// placement is the difference that where code happens to lie can make to a loop around nearly nothing.
const placement = 0.25

// Compare measures two functions in turn, as often each in a sample, and says which costs less. See [Run] for what they must be like and
// [Pairs] for the statistics. It takes Options.MaxTime, warm-up included, or less where the interval is narrow enough sooner; longer where
// Options.MinRepeat rounds do.
//
// The ratio is without the loop's own cost as long as both cost at least as much as the loop. Otherwise it is left in, which draws the
// ratio towards 1, a warning says so, and differences below a quarter, which where code happens to lie can make, give no verdict.
func Compare(base, other func(), o Options) Comparison {
	o = o.forPairs()
	if o.Seed == 0 {
		o.Seed = rand.Uint64()
	}
	start := clock.Now()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	runtime.GC()
	parts := [2]func(){base, other}
	one, two := batchFor(base, epoch), batchFor(other, epoch)
	batch := min(max(one, two), 40*min(one, two)) // where one is far dearer its samples shall not take seconds
	loop, loopHalf := costOfLoop(batch)
	order := NewOrder(2, o.Seed)
	least := [2]int64{math.MaxInt64, math.MaxInt64}
	for once := true; once || clock.Since(start) < o.MinTime; once = false {
		for _, i := range order.Next() {
			least[i] = min(least[i], timed(parts[i], batch))
		}
	}
	dear, off := true, loop // both; what to subtract
	if float64(min(least[0], least[1])) < 2*loop {
		dear, off = false, 0
	}

	var mean [2]stat.BatchMeans
	pairs := NewPairs("base", "other", o)
	budget := float64(o.MaxTime - clock.Since(start))
	order = NewOrder(2, o.Seed)
	for measuring := clock.Now(); ; {
		var t [2]int64
		for _, i := range order.Next() {
			t[i] = timed(parts[i], batch)
			mean[i].Add(t[i])
		}
		pairs.Add(float64(t[0])-off, float64(t[1])-off)
		spent := 2.0
		if budget > 0 {
			spent = float64(clock.Since(measuring)) / budget
		}
		if spent > 0.1 && pairs.Done(spent) { // a few ms that look good are not enough to believe in
			break
		}
	}
	c := pairs.Comparison()
	if !dear {
		undecided := func(r float64) bool { return r > 1/(1+placement) && r < 1+placement }
		if c.Verdict != Same && (undecided(c.Ratio.Lo) || undecided(c.Ratio.Hi)) {
			c.Verdict = Inconclusive
		}
		c.Ratio.Warnings = append(c.Ratio.Warnings, fmt.Sprintf(
			"the loop costs %.2g ns a call, more than a function in it: the ratio includes it, the true one is further from 1", loop/float64(batch)))
	}
	c.BaseTime = net(mean[0].Interval(0.95), float64(batch), loop, loopHalf)
	c.OtherTime = net(mean[1].Interval(0.95), float64(batch), loop, loopHalf)
	return c
}
