// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"math"
	"slices"
	"testing"
)

func TestScaledSamplesAreThoseThatWereAddedScaled(t *testing.T) {
	samples := []int64{0, -3, 2, 1000000, 7, 0, -1, 4, 12}
	for rounds := range 40 { // through every batch size
		var grown, direct BatchMeans
		for range rounds * 3 {
			for _, x := range samples {
				grown.Add(x)
				direct.Add(1000 * x)
			}
		}
		if !grown.Scale(10) || !grown.Scale(100) {
			t.Fatal("it does not fit")
		}
		for _, x := range samples {
			grown.Add(x)
			direct.Add(x)
		}
		a, b := grown.Moments(), direct.Moments()
		v, w := grown.Interval(0.95), direct.Interval(0.95)
		if a.total() != b.total() || v.Lo != w.Lo || v.Hi != w.Hi || !slices.Equal(v.Warnings, w.Warnings) {
			t.Fatalf("after %d: %v and %v differ", a.N(), v, w)
		}
	}
}

func TestAScaleThatDoesNotFitChangesNothing(t *testing.T) {
	for _, large := range []int64{math.MaxInt64/10 + 1, math.MinInt64/10 - 1, math.MaxInt64, math.MinInt64} {
		for _, small := range []int64{1, 0, -1} {
			var b BatchMeans
			b.Add(small)
			b.Add(large)
			before := b.Moments()
			if b.Scale(10) || b.Scale(0) || b.Scale(-1) {
				t.Errorf("%d and %d were scaled", small, large)
			}
			after := b.Moments()
			if before.total() != after.total() || before.Min() != after.Min() || before.Max() != after.Max() {
				t.Errorf("%d and %d: %v became %v", small, large, before, after)
			}
		}
	}
	var none, edge BatchMeans
	if !none.Scale(math.MaxInt64) {
		t.Error("no samples do not fit")
	}
	edge.Add(math.MaxInt64 / 10)
	edge.Add(math.MinInt64 / 10)
	if m := edge.Moments(); !edge.Scale(10) || m.N() != 2 {
		t.Error("the largest that fit are refused")
	}
}
