// SPDX-License-Identifier: BSD-3-Clause

package series

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func readAll(t *testing.T, text string, o Options) *Series {
	t.Helper()
	s, err := Read(t.Context(), strings.NewReader(text), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The course includes every number, in order, whether or not samples are kept, and however the unit changes.
func TestTheCourseHasEveryNumberInItsOrder(t *testing.T) {
	for _, n := range []int{1, 7, 128, 129, 1000, 9001} {
		for _, keep := range []int{0, 500} {
			var b strings.Builder
			sum := 0.0
			for i := range n {
				fmt.Fprintf(&b, "%d.%d\n", i, i%10)
				sum += float64(i) + float64(i%10)/10
			}
			b.WriteString("0.125\n") // more decimals than before
			stretches := readAll(t, b.String(), Options{Keep: keep}).Course()
			total, count := 0.0, uint64(0)
			for i, s := range stretches {
				total, count = total+s.Mean*float64(s.N), count+s.N
				if s.Lo > s.Mean+1e-9 || s.Mean > s.Hi+1e-9 || i > 0 && i+1 < len(stretches) && s.Lo <= stretches[i-1].Hi-1 {
					t.Errorf("n=%d: stretch %d is %+v after %+v", n, i, s, stretches[max(0, i-1)])
				}
			}
			if count != uint64(n)+1 || math.Abs(total-sum-0.125) > 1e-6*sum+1e-9 || len(stretches) > mostStretches {
				t.Errorf("n=%d, keep=%d: %d numbers in %d stretches, sum %v, want %v", n, keep, count, len(stretches), total, sum+0.125)
			}
		}
	}
}

func TestTheLagLeavesOutPairsAroundSkippedLines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, keep := range []int{0, 300} {
		for _, skip := range []int{3, 10, 1000} {
			var b strings.Builder
			var x []float64
			var gap []bool // before x[i]
			v := 0.0
			for i := range 5000 {
				v = 0.9*v + r.NormFloat64()
				if i%skip == 1 {
					v = r.NormFloat64() // values after a gap are independent of those before
					b.WriteString("damaged\n")
				}
				fmt.Fprintf(&b, "%.3f\n", 50+v)
				x, gap = append(x, math.Round((50+v)*1e3)/1e3), append(gap, i%skip == 1)
			}
			mean, squares, products, pairs := 0.0, 0.0, 0.0, 0.0
			for _, v := range x {
				mean += v / float64(len(x))
			}
			for i, v := range x {
				squares += (v - mean) * (v - mean)
				if i > 0 && !gap[i] {
					products += (v - mean) * (x[i-1] - mean)
					pairs++
				}
			}
			want := products / squares * float64(len(x)-1) / pairs
			if got := readAll(t, b.String(), Options{Keep: keep}).Moments().Lag1; math.Abs(got-want) > 1e-9 {
				t.Errorf("keep=%d, a gap every %d: lag-1 %v, want %v", keep, skip, got, want)
			}
		}
	}
	if got, want := readAll(t, "x\n1\n2\n4\n3\n", Options{}).Moments().Lag1, readAll(t, "1\n2\n4\n3\n", Options{}).Moments().Lag1; got != want {
		t.Errorf("a damaged first line: lag-1 %v, want %v", got, want)
	}
}

func TestDurationsOfGoAreSeconds(t *testing.T) {
	s := readAll(t, "1m3s\n1m2.5s\n500ms\n2h0m1.000000001s\n-1m1s\n", Options{})
	m := s.Moments()
	if s.Unit != "s" || m.N != 5 || m.Max != 7201.000000001 || m.Min != -61 || math.Abs(m.Mean-(63+62.5+0.5+7201.000000001-61)/5) > 1e-12 {
		t.Errorf("%q, %+v", s.Unit, m)
	}
	if s := readAll(t, "12.3ms\n1m0s\n", Options{}); s.Unit != "ms" || s.Moments().Max != 60_000 {
		t.Errorf("%q, %+v", s.Unit, s.Moments())
	}
	if s := readAll(t, "5\n1m0s\n3 apples each\n", Options{}); s.Damaged != 2 {
		t.Errorf("%d damaged", s.Damaged)
	}
}
