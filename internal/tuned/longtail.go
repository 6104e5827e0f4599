// SPDX-License-Identifier: BSD-3-Clause

package tuned

import (
	"fmt"
	"math"
	"slices"

	"github.com/strobe-go/strobe/internal/series"
)

// A longTail describes the right tail of samples, or the left one of samples that are negated.
type longTail struct {
	n, seen uint64    // samples, and those whose largest are known
	x       []float64 // samples at equal distances in time, in ascending order
	top     []float64 // the largest quarter of those seen, up to 63, after the one below them

	gini       float64 // coefficient of x
	inequality float64 // gini plus that of the largest

	large, larger string // what the samples in the tail are
}

// newLongTail returns the tail of n samples. x are samples at equal distances, top the largest of as many as are seen, or more; both
// are in ascending order.
func newLongTail(n, seen uint64, x, top []float64, large, larger string) *longTail {
	t := &longTail{n: n, seen: seen, x: x, top: top[len(top)-1-int(min(uint64(len(top)-1), seen/4, 63)):], large: large, larger: larger}
	t.gini = series.Gini(x)
	// Either alone errs: the first about long tails that are light, the second about few samples. An exponential tail has 1.
	t.inequality = t.gini + series.Gini(t.top)
	return t
}

// index estimates the exponent of the tail: below 2 the variance is infinite, and below 1 there is no mean. It is large when there
// is no tail. It counts on the k largest samples.
//
// Source: B. M. Hill, "A simple general approach to inference about the tail of a distribution", Annals of Statistics 3 (1975).
func (t *longTail) index() (index, k float64) {
	logs, start := 0.0, t.top[0]-t.x[0]
	for _, v := range t.top {
		logs += math.Log((v - t.x[0]) / start)
	}
	k = float64(len(t.top) - 1)
	if !(start > 0) || !(logs > 0) { // most values are the least, or the largest
		return math.MaxFloat64, k
	}
	return k / logs, k
}

// weight returns how far an interval must allow for a lognormal tail, if the samples are worth free independent ones: fully at 1,
// not at all at 0 or below.
func (c *Constants) weight(t *longTail, free float64) float64 {
	n := float64(t.n)
	// As in a queue, where the longest busy periods may be missing.
	queue := min(c.QueueMost, 2-free/c.QueueFree, n/free/c.QueueCorrelated-1, c.QueueSkew+(t.gini-0.5)*math.Sqrt(12*free))
	if uint64(len(t.x)) == t.n { // more samples tell a lognormal tail from an exponential one better
		return max(queue, min(1, tail(t.gini, t.n)+c.TailFew/n-n/c.TailMany))
	}
	if t.x[len(t.x)/2] == t.x[0] { // as in counts of what is rare: their logarithms are no measure
		return 0
	}
	heavy := min(1, c.HeavySlope*(t.inequality-c.Heavy), 2-n/c.HeavyMany)
	return max(heavy, queue)
}

// beyond returns how much farther than reach above the mean the interval of the mean extends, if the samples are worth free
// independent ones. quantile is that of Student's distribution.
func (c *Constants) beyond(t *longTail, free, quantile, reach float64) float64 {
	weight := c.weight(t, free)
	if !(weight > 0) {
		return 0
	}
	// Within bounds: where many values equal the least, their logarithms are no measure.
	far := min((c.Farthest+c.FarthestFew/float64(t.n))*reach, fitLognormal(t.x).reach(quantile, max(1, float64(len(t.x))/free)))
	return weight * max(0, far-reach)
}

// spikes returns how many of the samples are so much larger than all others that they belong to another process: at least
// SpikeFar times as far above the median. At most one sample in SpikeRare is a spike, or one if there are fewer.
//
// alone reports whether the others have no heavy tail: the largest is at most SpikeAlone times as far above the median as the upper
// quartile.
func (c *Constants) spikes(t *longTail) (found int, alone bool) {
	median, quartile := t.x[len(t.x)/2], t.x[len(t.x)*3/4]
	for i := 1; i < len(t.top) && float64(i) <= max(1, float64(t.seen)/c.SpikeRare); i++ {
		if next := t.top[len(t.top)-i-1] - median; next > 0 && t.top[len(t.top)-i]-median > c.SpikeFar*next {
			found, alone = i, next <= c.SpikeAlone*(quartile-median)
		}
	}
	return found, alone
}

// warning says that the mean of samples with such a tail cannot be trusted; it is empty when nothing speaks against it.
func (c *Constants) warning(t *longTail) string {
	index, k := t.index()
	root := math.Sqrt(float64(t.seen))
	if t.inequality-c.Index*index < max(c.WarnMany, min(c.WarnSeveral+c.WarnSeveralRoot/root, c.WarnFew+c.WarnFewRoot/root)) {
		return ""
	}
	what := t.larger + " ones may be missing: do not trust the interval"
	if index*(1-2/math.Sqrt(k)) < 1 {
		what = "such numbers may have no mean"
	}
	return fmt.Sprintf("skewed: a few %s samples dominate the mean, and %s, use the median (tail index about %.1f)", t.large, what, index)
}

// tail returns by how many standard errors the Gini coefficient of n values, all less the least of them, exceeds that of an
// exponential distribution, which is a half. A larger coefficient means that so few values decide the mean that larger ones
// may be missing. Skewness does not tell: a sample that lacks the largest values looks harmless by it.
//
// Source: M. H. Gail and J. L. Gastwirth, "A scale-free goodness-of-fit test for the exponential distribution based on the
// Gini statistic", J. Royal Statistical Society B 40 (1978): the coefficient of m values is almost normal with a variance
// of 1/(12(m-1)).
func tail(gini float64, n uint64) float64 { return (gini - 0.5) * math.Sqrt(12*float64(n-2)) }

// gini returns the Gini coefficient of x, all less the least of them; it is -∞ when all are equal.
func gini(x []float64) float64 {
	x = slices.Clone(x)
	slices.Sort(x)
	return series.Gini(x)
}
