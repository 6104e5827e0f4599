// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"slices"
	"testing"
)

func TestCommonStepFindsTheGranularity(t *testing.T) {
	rounded := func(step float64, n int) (d []int64) { // deltas of a clock that floors to ns
		for i := 1; i <= n; i++ {
			k := float64(2 + i%4)
			d = append(d, int64(step*(k+float64(i)))-int64(step*float64(i)))
		}
		return d
	}
	for _, c := range []struct {
		name  string
		steps []int64
		slack float64
		want  float64
	}{
		{"ticks of 26", []int64{52, 52, 78, 52, 104, 130}, 0, 26},
		{"10.015 ns floored to ns", rounded(10.015, 5000), 1.5, 10},
		{"100 ns exactly", []int64{200, 300, 200, 500}, 1.5, 100},
		{"every ns", []int64{31, 32, 33, 34, 35, 47}, 1.5, 1},
		{"none", nil, 0, 0},
	} {
		sorted := append([]int64(nil), c.steps...)
		slices.Sort(sorted)
		if got := commonStep(sorted, c.slack); got != c.want {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
}
