// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestPlainIntervalIsStudentsOfBatchMeans(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct{ n, batch int }{{2, 1}, {16, 1}, {31, 1}, {32, 2}, {100, 4}, {1 << 12, 1 << 8}, {1<<12 + 5, 1 << 8}} {
		var b BatchMeans
		var means Moments // of batches, times their size
		sum, in := int64(0), 0
		for range c.n {
			x := r.Int64N(1000)
			b.Add(x)
			if sum, in = sum+x, in+1; in == c.batch {
				means.Add(sum)
				sum, in = 0, 0
			}
		}
		all, want, got := b.Moments(), means.Interval(0.9), b.PlainInterval(0.9)
		if half := want.Half() / float64(c.batch); math.Abs(got.Half()/half-1) > 1e-12 || got.Center != all.Mean() || got.N != uint64(c.n) ||
			got.Level != 0.9 || got.Reason != "" || len(got.Warnings) > 0 || c.batch == 1 && math.Abs(got.NEff/float64(c.n)-1) > 1e-12 {
			t.Errorf("%d samples: %+v, want %v ± %v", c.n, got, all.Mean(), half)
		}
	}
}

func TestPlainIntervalOfTooLittleSaysSo(t *testing.T) {
	var b BatchMeans
	if iv := b.PlainInterval(0); iv.Known() || iv.Reason != "no samples" {
		t.Errorf("%+v", iv)
	}
	b.Add(5)
	if iv := b.PlainInterval(0); !iv.Known() || iv.Bounded() || iv.Center != 5 {
		t.Errorf("%+v", iv)
	}
	b.Add(5)
	if iv := b.PlainInterval(0); iv.Half() != 0 || iv.Level != 0.95 {
		t.Errorf("equal samples: %+v", iv)
	}
	if iv := b.PlainInterval(2); iv.Bounded() || iv.Reason == "" {
		t.Errorf("%+v", iv)
	}
}
