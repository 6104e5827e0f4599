// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/stat/decide"
)

// Compare measures two functions in interleaved rounds, each with the same number of calls, and says which costs less. See
// [Run] for the requirements on the functions and [Pairs] for the statistics. It takes CompareOptions.MaxTime including the
// warm-up, or less if the intervals are narrow enough earlier, or more if MinRounds rounds take longer.
//
// Rounds are short, for precision: most are undisturbed, and a few that are not do not count for much. What happens once in many
// calls does not count for much either, so Compare spends half of the time on long stretches of calls, the two functions in turn, and
// compares their means: see [Long]. If the two ratios contradict each other, the cost depends on the number of calls, and verdict
// and [Gate] are about the long stretches.
//
// Before and after each batch Compare looks whether something else uses the same physical core, by a spin of a few microseconds. Where
// at least 20 rounds ran undisturbed, the others do not count. The rule does not look at the functions or their times.
//
// Compare varies the depth of the stack from round to round; in each round it is the same for both functions. The position of
// the stack can change the cost of a function by several percent, and by different amounts for two identical functions, which
// is not a property of the code. The ratio is therefore the average over many depths, and may differ from the ratio at any
// single depth.
//
// Each function is called from a copy of the loop of its own. If both are called from the same place, a processor may predict the calls
// of one of them better for as long as the comparison takes, so that short functions that do the same differ by a fifth or a half.
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
	f := &functions{parts: [2]caller{newCaller(base), newCaller(other)}, start: start}
	one, two := f.parts[0].batch(epoch), f.parts[1].batch(epoch)
	batch := min(max(one, two), 40*min(one, two)) // so that samples of a far more expensive function do not take seconds
	f.batch = batch
	loop, loopHalf := costOfLoop(batch)
	loop = min(loop, float64(bare.least(batch))) // a busy machine makes it longer
	c := newContest(f, o, batch, loop)
	bare.timedAt(depths, 1) // so that the stack does not grow later
	c.warmUp(ctx)
	dear := min(f.parts[0].least(batch), f.parts[1].least(batch)) >= 2*bare.least(batch) // both cost more than the loop
	if !dear {
		c.off = 0
	}
	w := watch()
	c.measureRounds(ctx)
	noise := w.since()
	noise.look(f.watch.Report())
	c.measureStretches(ctx)
	r := c.comparison(loopHalf + placement*loop)
	r.Noise = noise
	r.Ratio.Warnings = append(r.Ratio.Warnings, warnings...)
	if !dear {
		r.blur(loop / float64(batch))
	}
	return r, context.Cause(ctx)
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
