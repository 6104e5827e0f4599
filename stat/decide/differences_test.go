// SPDX-License-Identifier: BSD-3-Clause

package decide

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestDifferencesAreThoseOfAllPairsSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 30; n++ {
		for _, scale := range []float64{1, 1e-300, 1e300, math.SmallestNonzeroFloat64} {
			a, b := drawn(r, n, 9), drawn(r, 1+n*7%13, 1000) // with many ties, and with hardly any
			for i := range a {
				a[i] = (a[i] - 4) * scale
			}
			for i := range b {
				b[i] *= scale
			}
			d := NewDifferences(a, b)
			var all []float64
			for _, x := range a {
				for _, y := range b {
					all = append(all, y-x)
				}
			}
			slices.Sort(all)
			if d.N() != len(all) {
				t.Fatalf("%d differences, want %d", d.N(), len(all))
			}
			for k, want := range all {
				if got := d.At(k + 1); got != want {
					t.Fatalf("%v and %v, number %d: %v, want %v", a, b, k+1, got, want)
				}
				upTo, _ := slices.BinarySearchFunc(all, want, func(x, w float64) int {
					if x <= w {
						return -1
					}
					return 1
				})
				if got := d.AtMost(want); got != upTo {
					t.Fatalf("%v and %v: %d at most %v, want %d", a, b, got, want, upTo)
				}
			}
			if d.At(-3) != all[0] || d.At(0) != all[0] || d.At(len(all)+1) != all[len(all)-1] || d.At(math.MaxInt) != all[len(all)-1] {
				t.Errorf("%v and %v beyond the ends: %v, %v", a, b, d.At(0), d.At(len(all)+1))
			}
			if want := all[(len(all)-1)/2]/2 + all[len(all)/2]/2; math.Abs(d.Median()-want) > 1e-15*math.Abs(want) && len(all)%2 == 0 || len(all)%2 == 1 && d.Median() != all[len(all)/2] {
				t.Errorf("%v and %v: median %v, want %v", a, b, d.Median(), want)
			}
		}
	}
}

func BenchmarkDifferencesAt(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	x, y := make([]float64, 100), make([]float64, 100)
	for i := range x {
		x[i], y[i] = r.NormFloat64(), r.NormFloat64()
	}
	slices.Sort(x)
	slices.Sort(y)
	for b.Loop() {
		NewDifferences(x, y).At(4000)
	}
}
