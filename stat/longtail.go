// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"fmt"
	"math"
	"slices"
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
	t.gini = giniOf(x)
	// Either alone errs: the first about long tails that are light, the second about few samples. An exponential tail has 1.
	t.inequality = t.gini + giniOf(t.top)
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
func (t *longTail) weight(free float64) float64 {
	n := float64(t.n)
	// As in a queue, where the longest busy periods may be missing.
	few := min(0.4, 2-free/80, n/free/4-1, 0.5+(t.gini-0.5)*math.Sqrt(12*free))
	if uint64(len(t.x)) == t.n { // more samples tell a lognormal tail from an exponential one better
		return max(few, min(1, tail(t.gini, t.n)+10/n-n/100))
	}
	if t.x[len(t.x)/2] == t.x[0] { // as in counts of what is rare: their logarithms are no measure
		return 0
	}
	heavy := min(1, 10*(t.inequality-1.2), 2-n/500)
	return max(heavy, few)
}

// beyond returns how much farther than reach above the mean the interval of the mean extends, if the samples are worth free
// independent ones. quantile is that of Student's distribution.
func (t *longTail) beyond(free, quantile, reach float64) float64 {
	weight := t.weight(free)
	if !(weight > 0) {
		return 0
	}
	// Within bounds: where many values equal the least, their logarithms are no measure.
	far := min((3+32/float64(t.n))*reach, fitLognormal(t.x).reach(quantile, max(1, float64(len(t.x))/free)))
	return weight * max(0, far-reach)
}

// spikes returns how many of the samples are so much larger than all others that they belong to another process: at least ten
// times as far above the median. That is so for the largest of 16 lognormal samples with a sigma of 1 in fewer than 2 of 100
// cases, and more rarely for larger samples. At most one sample in fifty is a spike, or one if there are fewer than fifty.
//
// alone reports whether the others have no heavy tail: the largest is at most six times as far above the median as the upper quartile.
func (t *longTail) spikes() (found int, alone bool) {
	median, quartile := t.x[len(t.x)/2], t.x[len(t.x)*3/4]
	for i := 1; i < len(t.top) && uint64(i) <= max(1, t.seen/50); i++ {
		if next := t.top[len(t.top)-i-1] - median; next > 0 && t.top[len(t.top)-i]-median > 10*next {
			found, alone = i, next <= 6*(quartile-median)
		}
	}
	return found, alone
}

// warning says that the mean of samples with such a tail cannot be trusted; it is empty when nothing speaks against it.
//
// The inequality less 0.3 times the index tells Pareto samples that lack their largest from lognormal samples whose logarithm
// has a standard deviation of 1 and from gamma samples of shape 1/2 better than either does; the limit is what these seldom exceed.
func (t *longTail) warning() string {
	index, k := t.index()
	root := math.Sqrt(float64(t.seen))
	if t.inequality-0.3*index < max(0.7, min(0.79+2.05/root, 0.57+4.5/root)) {
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
	return giniOf(x)
}

// giniOf is gini of values in ascending order.
func giniOf(x []float64) float64 {
	least, m := x[0], float64(len(x)-1)
	var weighted, sum float64
	for i, v := range x[1:] {
		weighted += (2*float64(i+1) - m - 1) * (v - least)
		sum += v - least
	}
	if !(sum > 0) {
		return math.Inf(-1)
	}
	return weighted / sum / (m - 1)
}
