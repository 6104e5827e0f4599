// SPDX-License-Identifier: BSD-3-Clause

package stat_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/strobe-go/strobe/stat"
)

func TestCorrectedSamplesAreThoseThatWereOmitted(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		precision := math.Ldexp(1, -1-r.IntN(12))
		got, err := stat.NewHistogram(precision)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := stat.NewHistogram(precision)
		for range 5 {
			interval := int64(math.Exp(r.Float64() * 20))
			v := int64(float64(interval) * math.Exp(r.Float64()*9-1))
			got.RecordCorrected(v, interval)
			want.Record(v)
			for x := v - interval; x >= interval; x -= interval {
				want.Record(x)
			}
		}
		same(t, got, want)
	}
}

func same(t *testing.T, got, want *stat.Histogram) {
	t.Helper()
	if got.N() != want.N() || got.Min() != want.Min() || got.Max() != want.Max() || got.Sum() != want.Sum() {
		t.Errorf("%d samples from %d to %d, sum %v; want %d from %d to %d, sum %v",
			got.N(), got.Min(), got.Max(), got.Sum(), want.N(), want.Min(), want.Max(), want.Sum())
	}
	if !slices.Equal(slices.Collect(got.Cells()), slices.Collect(want.Cells())) {
		t.Error("the samples lie in other cells")
	}
}

func TestSamplesThatPreventNoneAreRecordedOnce(t *testing.T) {
	for _, c := range []struct{ v, interval int64 }{{5, 0}, {5, -1}, {5, 5}, {9, 5}, {-5, 3}, {0, 1}, {math.MaxInt64, math.MaxInt64}, {-1, math.MaxInt64}} {
		var h stat.Histogram
		h.RecordCorrected(c.v, c.interval)
		if h.N() != 1 || h.Sum() != float64(c.v) {
			t.Errorf("%d with an interval of %d: %d samples, sum %v", c.v, c.interval, h.N(), h.Sum())
		}
	}
}

// The time depends on the number of cells, not on that of samples.
func TestManyOmittedSamplesTakeNoTime(t *testing.T) {
	var h stat.Histogram
	h.RecordCorrected(math.MaxInt64, 1)
	if h.N() != math.MaxInt64 || h.Min() != 1 || h.Max() != math.MaxInt64 {
		t.Errorf("%d samples from %d to %d", h.N(), h.Min(), h.Max())
	}
	if got, want := h.Mean(), 0.5*math.Ldexp(1, 63); math.Abs(got/want-1) > 1e-12 {
		t.Errorf("mean %v, want %v", got, want)
	}
}

func TestQuantilesAreThoseOfOneAtATime(t *testing.T) {
	qs := []float64{0.99, 0.5, 0, 1, -1, 2, 0.5, 0.07, math.NaN(), 1e-9, 1 - 1e-9}
	var h stat.Histogram
	for n := range 200 {
		for i, got := range h.Quantiles(qs...) {
			if want := h.Quantile(qs[i]); got != want {
				t.Fatalf("of %d samples quantile %v is %d among others and %d alone", n, qs[i], got, want)
			}
		}
		h.Record(int64(n*n*7919%1_000_003) - 100)
	}
	if n := testing.AllocsPerRun(100, func() { h.Quantile(0.5) }); n != 0 {
		t.Errorf("Quantile allocates %v times", n)
	}
	if got := h.Quantiles(); len(got) != 0 {
		t.Errorf("no quantiles: %v", got)
	}
}

func TestAResetHistogramIsAsNew(t *testing.T) {
	for _, precision := range []float64{0, 0.001} {
		h, err := stat.NewHistogram(precision)
		if err != nil {
			t.Fatal(err)
		}
		fresh, _ := stat.NewHistogram(precision)
		h.Reset()
		for _, v := range []int64{-5, 0, 3, 1 << 40} {
			h.Record(v)
		}
		h.Reset()
		same(t, h, fresh)
		if n := testing.AllocsPerRun(100, func() { h.Reset(); h.Record(1 << 40) }); n != 0 {
			t.Errorf("a histogram that is used again allocates %v times", n)
		}
		for _, v := range []int64{7, 1000} {
			h.Record(v)
			fresh.Record(v)
		}
		fresh.Record(1 << 40)
		same(t, h, fresh)
	}
}

func ExampleHistogram_RecordCorrected() {
	var measured, corrected stat.Histogram
	for range 99 { // a request every 10 ms, answered within 1 ms
		measured.Record(1)
		corrected.RecordCorrected(1, 10)
	}
	measured.Record(1000) // once the server stalls for a second, during which the generator sends nothing
	corrected.RecordCorrected(1000, 10)
	fmt.Println("p75 measured", measured.Quantile(0.75), "ms, corrected", corrected.Quantile(0.75), "ms")
	// Output: p75 measured 1 ms, corrected 510 ms
}
