// SPDX-License-Identifier: BSD-3-Clause

package exphist

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/strobe-go/strobe/stat"
)

func frames() *stat.Histogram {
	var h stat.Histogram
	r := rand.New(rand.NewPCG(1, 1))
	for range 20000 {
		h.Record(int64(16.7e6 * math.Exp(r.NormFloat64())))
	}
	h.Record(0)
	h.Record(-5)
	h.Record(1)
	h.Record(math.MaxInt64)
	return &h
}

func from(t *testing.T, h *stat.Histogram, scale int, per float64) Buckets {
	t.Helper()
	b, err := From(h, scale, per)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestScalesAndDivisorsOutOfRangeAreRefused(t *testing.T) {
	var h stat.Histogram
	h.Record(1)
	for _, c := range []struct {
		scale int
		per   float64
	}{{-11, 1}, {13, 1}, {0, 0}, {0, -1}, {0, math.NaN()}, {0, math.Inf(1)}} {
		if b, err := From(&h, c.scale, c.per); err == nil || b.N() != 0 {
			t.Errorf("%+v: %+v", c, b)
		}
	}
}

func TestFitNeedsTwoBuckets(t *testing.T) {
	var h stat.Histogram
	h.Record(1)       // below or at 1 at every scale
	h.Record(1 << 62) // above
	for _, limit := range []int{-1, 0, 1, 2} {
		if b := from(t, &h, 0, 1).Fit(limit); len(b.Counts) != 2 || b.N() != 2 {
			t.Errorf("limit %d: %+v", limit, b)
		}
	}
}

func TestEveryCountIsKeptAtEveryScale(t *testing.T) {
	h := frames()
	for scale := minScale; scale <= maxScale; scale++ {
		for _, per := range []float64{1, 1e9} {
			b := from(t, h, scale, per)
			if b.N() != h.N() || b.Zero != 2 {
				t.Errorf("scale %d: %d of %d samples, %d zero", scale, b.N(), h.N(), b.Zero)
			}
			if len(b.Counts) > 0 && (b.Counts[0] == 0 || b.Counts[len(b.Counts)-1] == 0) {
				t.Errorf("scale %d: empty buckets at the ends", scale)
			}
			if f := b.Fit(160); f.N() != h.N() || len(f.Counts) > 160 {
				t.Errorf("scale %d: %d samples in %d buckets after Fit", scale, f.N(), len(f.Counts))
			}
		}
	}
}

func TestBucketsHoldTheirBounds(t *testing.T) {
	for scale := -3; scale <= 8; scale++ {
		edges := edgesOf(scale)
		for _, v := range []float64{1e-9, 0.3, 0.5, 0.999, 1, 1.0001, 2, 3, 4, 1000, 1024, 1025, 1e18} {
			i := index(v, scale, edges)
			lo, hi := Buckets{Scale: scale, Offset: i}.Bounds(0)
			if !(lo < v && v <= hi) {
				t.Errorf("scale %d: %v is in %v to %v", scale, v, lo, hi)
			}
		}
	}
}

func TestFitIsTheSameAsACoarserScale(t *testing.T) {
	h := frames()
	fine := from(t, h, 0, 1) // in nanoseconds every octave is an edge of cells
	for scale := -1; scale >= -4; scale-- {
		coarse := from(t, h, scale, 1)
		fitted := fine.Fit(len(coarse.Counts))
		if fmt.Sprint(fitted) != fmt.Sprint(coarse) {
			t.Errorf("scale %d: %v, want %v", scale, fitted, coarse)
		}
	}
}

func TestNothingGivesNoBuckets(t *testing.T) {
	for _, h := range []*stat.Histogram{nil, {}} {
		if b := from(t, h, 3, 1e9).Fit(0); b.N() != 0 || len(b.Counts) != 0 {
			t.Errorf("%+v", b)
		}
	}
}

func ExampleFrom() {
	var h stat.Histogram
	for _, ns := range []int64{900_000_000, 1_500_000_000, 3_000_000_000} {
		h.Record(ns)
	}
	b, _ := From(&h, 0, 1e9) // seconds; these arguments are valid
	for i, n := range b.Counts {
		lo, hi := b.Bounds(i)
		fmt.Println(lo, hi, n)
	}
	// Output:
	// 0.5 1 1
	// 1 2 1
	// 2 4 1
}
