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

// heavyWarning says that the mean of samples with such a tail cannot be trusted; it is empty when nothing speaks against it.
// Both the shape of all samples and that of the largest must tell, because either alone errs: the first about samples most
// of which are small, the second about few samples.
func (t *tails) heavyWarning(n uint64, least int64) string {
	x := t.values()
	index, k := t.index(n, least)
	limit := 0.525 + 0.9/math.Sqrt(float64(len(x)))
	if uint64(len(x)) == n { // so few that the interval allows for a lognormal tail
		limit += 0.015
	}
	if gini(x) < limit || index > 2*(1-0.8/math.Sqrt(k)) {
		return ""
	}
	what := "larger ones may be missing: do not trust the interval"
	if index*(1-2/math.Sqrt(k)) < 1 {
		what = "such numbers may have no mean"
	}
	return fmt.Sprintf("skewed: a few large samples dominate the mean, and %s, use the median (tail index about %.1f)", what, index)
}
