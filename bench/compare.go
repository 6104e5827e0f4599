// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
)

// epoch is the duration of a batch of the faster function in a comparison: long enough that caches and branch predictors
// forget the other function, and short enough that most batches are undisturbed on a busy machine, where programs run for a
// few ms at a time.
const epoch = 100 * time.Microsecond

// Compare measures two functions in interleaved rounds, each with the same number of calls, and says which costs less. See
// [Run] for the requirements on the functions and [Pairs] for the statistics. It takes CompareOptions.MaxTime including the
// warm-up, or less if the interval is narrow enough earlier, or more if MinRounds rounds take longer.
//
// Compare varies the depth of the stack from round to round; in each round it is the same for both functions. The position of
// the stack can change the cost of a function by several percent, and by different amounts for two identical functions, which
// is not a property of the code. The ratio is therefore the average over many depths, and may differ from the ratio at any
// single depth.
//
// The ratio excludes the loop's own cost as long as both functions cost at least as much as the loop. Otherwise it includes
// the loop, which moves the ratio towards 1; a warning says so, and there is no verdict on differences below a quarter,
// which the placement of code in memory can cause.
func Compare(base, other func(), o CompareOptions) Comparison {
	c, _ := CompareContext(context.Background(), base, other, o) // which never ends
	return c
}

// CompareContext is [Compare] that ends when ctx does. The error is then the cause of that, and the comparison is of the rounds so
// far, at least one; with few of them it has no verdict. A call of a function is not interrupted, nor are those of a batch.
func CompareContext(ctx context.Context, base, other func(), o CompareOptions) (Comparison, error) {
	o, warnings := o.filled()
	if o.Seed == 0 {
		o.Seed = rand.Uint64()
	}
	start := clock.Now()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	runtime.GC()
	parts := [2]func(){base, other}
	one, two := batchFor(base, epoch), batchFor(other, epoch)
	batch := min(max(one, two), 40*min(one, two)) // so that samples of a far more expensive function do not take seconds
	loop, loopHalf := costOfLoop(batch)
	order := NewOrder(2, o.Seed)
	rng := rand.New(rand.NewPCG(o.Seed, 1))
	timedAt(depths, empty, 1) // so that the stack does not grow later
	for once := true; once || clock.Since(start) < o.WarmUp && ctx.Err() == nil; once = false {
		depth := rng.IntN(depths)
		for _, i := range order.Next() {
			timedAt(depth, parts[i], batch)
		}
	}
	dear, off := true, loop // whether both cost more than the loop, and what to subtract
	if min(least(base, batch), least(other, batch)) < 2*least(empty, batch) {
		dear, off = false, 0
	}

	var mean [2]stat.BatchMeans
	pairs := NewPairs("base", "other", o)
	budget := float64(o.MaxTime - clock.Since(start))
	order = NewOrder(2, o.Seed)
	for measuring := clock.Now(); ; {
		var t [2]int64
		depth := rng.IntN(depths)
		for _, i := range order.Next() {
			t[i] = timedAt(depth, parts[i], batch)
			mean[i].Add(t[i])
		}
		pairs.Add(float64(t[0])-off, float64(t[1])-off, order.Before(0, 1))
		spent := 2.0
		if budget > 0 {
			spent = float64(clock.Since(measuring)) / budget
		}
		if ctx.Err() != nil || spent > 0.1 && pairs.Done(spent) { // a few ms are not enough, even if the result looks good
			break
		}
	}
	c := pairs.Comparison()
	c.Ratio.Warnings = append(c.Ratio.Warnings, warnings...)
	if !dear {
		c.blur(loop / float64(batch))
	}
	c.BaseTime = net(mean[0].Interval(0.95), float64(batch), loop, loopHalf+placement*loop)
	c.OtherTime = net(mean[1].Interval(0.95), float64(batch), loop, loopHalf+placement*loop)
	return c, context.Cause(ctx)
}

// blur withdraws a verdict that the placement of the code could have caused, in a comparison whose ratio includes the loop.
func (c *Comparison) blur(loop float64) {
	placed := func(r float64) bool { return r > 1/(1+placement) && r < 1+placement }
	if c.Verdict != decide.Same && (placed(c.Ratio.Lo) || placed(c.Ratio.Hi)) {
		c.Verdict = decide.Inconclusive
	}
	c.Ratio.Warnings = append(c.Ratio.Warnings, fmt.Sprintf(
		"the loop costs %.2g ns per call, more than one of the functions: the ratio includes it, and the true ratio is further from 1", loop))
}
