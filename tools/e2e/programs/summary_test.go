// SPDX-License-Identifier: BSD-3-Clause

package programs

import (
	"math"
	"testing"
)

func TestReadingsAreNotPartOfWhatZonesCost(t *testing.T) {
	ran1 := func(processor, readings int64, shares ...float64) said {
		s := said{Processor: processor * 1e6, Readings: readings * 1e6}
		if len(shares) == 3 {
			s.Slower, s.Least, s.Most = &shares[0], &shares[1], &shares[2]
		}
		return s
	}
	without := []float64{1, 2, 1}
	v := summarize(without, []said{ran1(1300, 100, 0.1, 0.05, 0.3), ran1(2100, 200, 0.2, 0.1, 0.5), ran1(1500, 300, 0.3, 0.2, 0.4)})
	for _, c := range []struct{ got, want float64 }{
		{v.Ratios[0], 0.95}, {v.Ratios[1], 1.2}, {v.Ratios[2], 1.2}, {v.Readings, 0.1}, {v.Said, 1.2}, {v.Least, 1.1}, {v.Most, 1.4},
	} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("%v, want %v: %+v", c.got, c.want, v)
		}
	}
	// A run without a figure counts as one with a large figure; most runs without, and nothing is said.
	v = summarize(without, []said{ran1(1300, 100, 0.1, 0.05, 0.3), ran1(2100, 200), ran1(1500, 300, 0.3, 0.2, 0.4)})
	if want := "1.20 (0.95 to 1.20) | 1.30 (1.20 to 1.40) | 0.100"; v.row() != want {
		t.Errorf("%q, want %q", v.row(), want)
	}
	v = summarize(without, []said{ran1(1300, 100), ran1(2100, 200), ran1(1500, 300, 0.3, 0.2, 0.4)})
	if want := "1.20 (0.95 to 1.20) | nothing | 0.100"; v.row() != want {
		t.Errorf("%q, want %q", v.row(), want)
	}
}
