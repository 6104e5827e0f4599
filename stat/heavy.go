// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"fmt"
	"math"
	"slices"
)

// tails holds what tells a heavy tail in a stream: samples at equal distances for the shape of all, and the largest for that
// of the tail. Batch means do not tell: they look harmless where the largest samples are missing.
type tails struct {
	thin [256]int64 // samples at equal distances, from the first
	kept int
	more uint64 // distance of the samples in thin - 1

	top  [64]int64 // the largest samples, a heap with the least of them first
	held int
}

// add takes at most eight samples, the first of which is number n, a multiple of eight.
func (t *tails) add(n uint64, samples []int64) {
	for i, x := range samples {
		if x > t.top[0] || t.held < len(t.top) {
			t.hold(x)
		}
		if (n+uint64(i))&t.more == 0 {
			t.keep(x)
		}
	}
}

// keep adds a sample to thin.
func (t *tails) keep(x int64) {
	t.thin[t.kept] = x
	if t.kept++; t.kept == len(t.thin) {
		for i := range len(t.thin) / 2 {
			t.thin[i] = t.thin[2*i]
		}
		t.kept /= 2
		t.more = 2*t.more + 1
	}
}

// hold adds a sample to the largest, in place of the least of them when there are enough.
func (t *tails) hold(x int64) {
	if t.held < len(t.top) {
		i := t.held
		for t.held++; i > 0 && t.top[(i-1)/2] > x; i = (i - 1) / 2 {
			t.top[i] = t.top[(i-1)/2]
		}
		t.top[i] = x
		return
	}
	i := 0
	for child := 1; child < len(t.top); child = 2*i + 1 {
		if child+1 < len(t.top) && t.top[child+1] < t.top[child] {
			child++
		}
		if t.top[child] >= x {
			break
		}
		t.top[i], i = t.top[child], child
	}
	t.top[i] = x
}

// values returns the samples of thin, less the first of them so that no digits are lost.
func (t *tails) values() []float64 {
	x := make([]float64, t.kept)
	for i := range x {
		x[i] = extend128(t.thin[i]).minus(extend128(t.thin[0])).float()
	}
	return x
}

// index estimates the exponent of the tail of n samples of which least is the least: below 2 their variance is infinite, and
// below 1 they have no mean. It is large when there is no tail. It counts on the k largest samples, a quarter at most.
//
// Source: B. M. Hill, "A simple general approach to inference about the tail of a distribution", Annals of Statistics 3 (1975).
func (t *tails) index(n uint64, least int64) (index, k float64) {
	top := slices.Sorted(slices.Values(t.top[:t.held]))
	from := len(top) - int(min(uint64(len(top)-1), n/4)) // the first that counts
	above := func(x int64) float64 { return float64(uint64(x) - uint64(least)) }
	logs, start := 0.0, above(top[from-1])
	for _, x := range top[from:] {
		logs += math.Log(above(x) / start)
	}
	k = float64(len(top) - from)
	if !(start > 0) || !(logs > 0) { // most values are the least, or the largest
		return math.MaxFloat64, k
	}
	return k / logs, k
}

// inequality returns the Gini coefficient of all of n samples plus that of their largest quarter, or of as many as there are in
// top: 1 for an exponential tail. Either alone errs: the first about long tails that are light, the second about few samples.
func (t *tails) inequality(n uint64) float64 {
	top := slices.Sorted(slices.Values(t.top[:t.held]))
	top = top[len(top)-1-int(min(uint64(len(top)-1), n/4)):]
	largest := make([]float64, len(top))
	for i, x := range top {
		largest[i] = float64(uint64(x) - uint64(top[0]))
	}
	return gini(t.values()) + gini(largest)
}

// weight returns how far the interval of n samples that count as so many independent ones must allow for a lognormal tail: 0 is
// not at all, or less, 1 fully.
func (t *tails) weight(n uint64, free float64) float64 {
	x := t.values()
	// As in a queue, where the longest busy periods may be missing.
	few := min(0.4, 2-free/80, float64(n)/free/4-1, 0.5+(gini(x)-0.5)*math.Sqrt(12*free))
	if uint64(len(x)) == n { // more samples tell a lognormal tail from an exponential one better
		return max(few, min(1, tail(x)+10/float64(n)-float64(n)/100))
	}
	if slices.Sort(x); x[len(x)/2] == x[0] { // as in counts of what is rare: their logarithms are no measure
		return 0
	}
	heavy := min(1, 10*(t.inequality(n)-1.2), 2-float64(n)/500)
	return max(heavy, few)
}

// spikes returns how many of n samples are so much larger than all others that they belong to another process: at least ten
// times as far above the median. That is so for the largest of 16 lognormal samples with a sigma of 1 in fewer than 2 of 100 cases,
// and more rarely for that of more samples. At most one sample in fifty is a spike, or one if there are fewer than fifty.
//
// alone reports whether the others have no heavy tail: the largest is at most six times as far above the median as the upper quartile.
func (t *tails) spikes(n uint64) (found int, alone bool) {
	x, top := slices.Sorted(slices.Values(t.thin[:t.kept])), slices.Sorted(slices.Values(t.top[:t.held]))
	above := func(x1, x0 int64) float64 { return extend128(x1).minus(extend128(x0)).float() }
	median, quartile := x[len(x)/2], x[len(x)*3/4]
	for i := 1; i < len(top) && uint64(i) <= max(1, n/50); i++ {
		if next := above(top[len(top)-i-1], median); next > 0 && above(top[len(top)-i], median) > 10*next {
			found, alone = i, next <= 6*above(quartile, median)
		}
	}
	return found, alone
}

// heavyWarning says that the mean of samples with such a tail cannot be trusted; it is empty when nothing speaks against it.
//
// The inequality less 0.3 times the index tells Pareto samples that lack their largest from lognormal samples whose logarithm
// has a standard deviation of 1 and from gamma samples of shape 1/2 better than either does; the limit is what these seldom exceed.
func (t *tails) heavyWarning(n uint64, least int64) string {
	index, k := t.index(n, least)
	root := math.Sqrt(float64(n))
	if t.inequality(n)-0.3*index < max(0.7, min(0.79+2.05/root, 0.57+4.5/root)) {
		return ""
	}
	what := "larger ones may be missing: do not trust the interval"
	if index*(1-2/math.Sqrt(k)) < 1 {
		what = "such numbers may have no mean"
	}
	return fmt.Sprintf("skewed: a few large samples dominate the mean, and %s, use the median (tail index about %.1f)", what, index)
}
