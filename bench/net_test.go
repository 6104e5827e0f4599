// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"math"
	"slices"
	"testing"

	"github.com/strobe-go/strobe/stat"
)

func TestTheLoopIsSubtractedWithItsUncertainty(t *testing.T) {
	gross := func(center, lo, hi float64) stat.Interval {
		return stat.Interval{Center: center, Lo: lo, Hi: hi, Level: 0.95, N: 20, Method: "m"}
	}
	for _, c := range []struct {
		gross                stat.Interval
		calls, loop, half    float64
		center, lower, upper float64
	}{
		{gross(110, 107, 114), 10, 10, 0, 10, 9.7, 10.4},
		{gross(110, 107, 113), 10, 10, 4, 10, 9.5, 10.5}, // 3 and 4 add up to 5
		{gross(12, 9, 15), 1, 10, 0, 2, 0, 5},            // a time is never below zero
		{gross(9, 8, 10), 1, 10, 0.5, 0, 0, 1},           // less than the loop: the error is at least that large
		{gross(10, 10, 10), 1, 10, 3, 0, 0, 3},
	} {
		iv := net(c.gross, c.calls, c.loop, c.half)
		if math.Abs(iv.Center-c.center)+math.Abs(iv.Lo-c.lower)+math.Abs(iv.Hi-c.upper) > 1e-9 || iv.N != 20 || iv.Level != 0.95 || iv.Method != "m" {
			t.Errorf("%v less %v ± %v: %v [%v, %v], want %v [%v, %v]", c.gross, c.loop, c.half, iv.Center, iv.Lo, iv.Hi, c.center, c.lower, c.upper)
		}
	}
}

func TestFunctionsThatCostLessThanTheLoopHaveNoLowerBound(t *testing.T) {
	// The mean of 150 is disturbed, the median of 101 is not, and the loop takes 100: the function may take no time.
	disturbed := stat.Interval{Center: 150, Lo: 140, Hi: 160, Level: 0.95}
	if iv := netTime(disturbed, 101, 1, 1, 100, 1); iv.Lo != 0 || iv.Center != 50 || iv.Hi < 60 {
		t.Errorf("[%v, %v]", iv.Lo, iv.Hi)
	}
	// The same excess in a function that takes longer is its own: some calls are slow.
	if iv := netTime(stat.Interval{Center: 1150, Lo: 1140, Hi: 1160, Level: 0.95}, 600, 1, 1, 100, 1); iv.Lo < 1000 || iv.Lo > 1040 {
		t.Errorf("[%v, %v]", iv.Lo, iv.Hi)
	}
	// Every interval includes the quarter by which placement may change the loop.
	if iv := netTime(stat.Interval{Center: 1100, Lo: 1100, Hi: 1100, Level: 0.95}, 1100, 0, 1, 100, 1); iv.Lo != 974 || iv.Hi != 1026 {
		t.Errorf("[%v, %v]", iv.Lo, iv.Hi)
	}
	// This is the time per call, from ten calls.
	if iv := netTime(stat.Interval{Center: 199, Lo: 199, Hi: 199, Level: 0.95}, 150, 0, 10, 100, 0); iv.Lo != 2.5 {
		t.Errorf("[%v, %v]", iv.Lo, iv.Hi)
	}
	// The median counts if it is less than twice the loop: 199 but not 200.
	for gross, low := range map[float64]float64{199.9: 0, 200: 75} {
		if iv := netTime(stat.Interval{Center: gross, Lo: gross, Hi: gross, Level: 0.95}, 110, 0, 1, 100, 0); iv.Lo != low {
			t.Errorf("of %v: [%v, %v], want %v", gross, iv.Lo, iv.Hi, low)
		}
	}
}

func TestAnEmptyFunctionMayTakeNoTime(t *testing.T) {
	o := quick
	o.NoCounters = true
	seen, wrong := 0, 0
	for tries := 0; seen < 10 && tries < 100; tries++ {
		r := Run("empty", func() {}, o)
		if r.Time.Center >= r.Loop.Center { // time that other programs took during the calls cannot be distinguished from slow calls
			continue
		}
		if seen++; r.Time.Lo > r.Loop.Center/4 || len(r.Warnings) == 0 { // by as much placement may change the loop
			t.Logf("%v, median %v, loop %v: %q", r, r.Median, r.Loop, r.Warnings)
			wrong++
		}
	}
	if seen < 5 || 5*wrong > 2*seen { // intervals of 95 %
		t.Errorf("in %d of %d", wrong, seen)
	}
}

func TestMedianHasTheIntervalOfItsOrderStatistics(t *testing.T) {
	for _, c := range []struct {
		n            int
		median, half float64
	}{{1, 0, 0}, {2, 0.5, 0.5}, {3, 1, 1}, {4, 1.5, 1.5}, {21, 10, 5}, {100, 49.5, 9.5}} {
		var took []int64
		for i := range c.n {
			took = append(took, int64(c.n-1-i))
		}
		if m, h := median(took); m != c.median || h != c.half || !slices.IsSorted(took) {
			t.Errorf("0 to %d: %v ± %v, want %v ± %v", c.n-1, m, h, c.median, c.half)
		}
	}
}
