// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"slices"

	"github.com/strobe-go/strobe/internal/tuned"
)

// tails holds what tells a heavy tail in a stream: samples at equal distances for the shape of all, and the largest for that
// of the tail. Batch means do not tell: they look harmless where the largest samples are missing.
type tails struct {
	thin [tuned.Thin]int64 // samples at equal distances, from the first
	kept int
	more uint64 // distance of the samples in thin - 1

	top  [tuned.Largest]int64 // the largest samples, a heap with the least of them first
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

// sorted returns the samples at equal distances and the largest ones in ascending order, less the first sample, so that no digits are
// lost.
func (t *tails) sorted() (thin, largest []float64) {
	less := func(from []int64) []float64 {
		x := make([]float64, len(from))
		for i := range x {
			x[i] = extend128(from[i]).minus(extend128(t.thin[0])).float()
		}
		slices.Sort(x)
		return x
	}
	return less(t.thin[:t.kept]), less(t.top[:t.held])
}
