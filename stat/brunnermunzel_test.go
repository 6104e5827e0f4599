// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"math"
	"testing"

	"github.com/strobe-go/strobe/stat/dist"
)

// The samples have very different spreads. Placements are counted pair by pair.
func TestRankForUnequalSpreads(t *testing.T) {
	a := []float64{-1, -0.5, -0.2, 0.1, 0.3, 0.4, 0.8, 1.2, 1.5, 1.9}
	b := []float64{60, 70, 80, 90, 99, 101, 112, 121, 133}
	const center = 100
	placed := func(x, y []float64) (variance float64) {
		var p []float64
		mean := 0.0
		for _, v := range x {
			n := 0.0
			for _, w := range y {
				if w < v {
					n++
				}
			}
			p = append(p, n)
			mean += n / float64(len(x))
		}
		for _, n := range p {
			variance += (n - mean) * (n - mean) / float64(len(x)-1)
		}
		return variance
	}
	var moved []float64
	for _, v := range b {
		moved = append(moved, v-center)
	}
	n, m := float64(len(a)), float64(len(b))
	va, vb := n*placed(a, moved), m*placed(moved, a)
	sd, free := math.Sqrt(va+vb), (va+vb)*(va+vb)/(va*va/(n-1)+vb*vb/(m-1))
	if equal := math.Sqrt(n * m * (n + m + 1) / 12); sd < unequal*equal {
		t.Fatalf("the spreads are nearly equal: %v, %v", sd, equal)
	}
	want := n*m/2 + 0.5 - dist.StudentUpper(0.025, free)*sd // with the correction for continuity
	if got := rankForSpreads(a, b, center, 0.05); float64(got) != math.Floor(want) {
		t.Errorf("rank %d, want %v", got, want)
	}
	if got := rankForSpreads(a[:1], b, center, 0.05); got != math.MaxInt {
		t.Errorf("rank %d of a single value", got)
	}
	if got := rankForSpreads(a, a, 0, 0.05); got != math.MaxInt {
		t.Errorf("rank %d for equal spreads", got)
	}
}
