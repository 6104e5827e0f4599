// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"bytes"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestCellsAreContiguousAndTheirRangeIsTheInverse(t *testing.T) {
	for _, m := range []uint{minMantissa, 5, defaultMantissa, maxMantissa} {
		next := int64(0)
		for i := range firstNegative(m) {
			lo, hi := cellRange(i, m)
			if lo != next || cellOf(lo, m) != i || cellOf(hi, m) != i {
				t.Fatalf("m=%d: cell %d is %d to %d, cells of the ends %d and %d", m, i, lo, hi, cellOf(lo, m), cellOf(hi, m))
			}
			if middle := lo + (hi-lo)/2; float64(hi-middle) > float64(lo)*math.Pow(2, -float64(m)-1) {
				t.Fatalf("m=%d: cell %d to %d is too wide", m, lo, hi)
			}
			next = hi + 1
		}
		if next != math.MinInt64 { // the last cell ends at the largest int64
			t.Errorf("m=%d: cells end before %d", m, next)
		}
		for p := range 63 {
			for _, v := range []int64{1<<p - 1, 1 << p, 1<<p + 1} {
				if lo, hi := cellRange(cellOf(v, m), m); v < lo || v > hi {
					t.Errorf("m=%d: %d is not in its cell %d to %d", m, v, lo, hi)
				}
			}
		}
	}
}

func TestHistogramStaysUnder64KBForEveryInt64(t *testing.T) {
	if n := (cellOf(-1, defaultMantissa) + 1) * 8; n >= 64<<10 {
		t.Errorf("%d bytes of cells", n)
	}
	var h Histogram
	h.RecordN(-1, 1)
	h.RecordN(math.MaxInt64, 1)
	if n := cap(h.cells) * 8; n > 64<<10 {
		t.Errorf("%d bytes allocated", n)
	}
}

func TestQuantilesAreWithinTheirError(t *testing.T) {
	for _, relative := range []float64{0.05, 0.004, 0.0005} {
		r := rand.New(rand.NewPCG(1, 1))
		h := NewHistogram(relative)
		samples := make([]int64, 20000)
		for i := range samples {
			samples[i] = int64(1e6 * math.Exp(2*r.NormFloat64()))
			h.Record(samples[i])
		}
		slices.Sort(samples)
		for _, q := range []float64{1e-4, 0.01, 0.07, 0.5, 0.9, 0.99, 0.999, 0.9999} {
			want := float64(samples[int(math.Ceil(q*float64(len(samples))-1e-9))-1])
			if got := float64(h.Quantile(q)); math.Abs(got-want) > relative*want {
				t.Errorf("error %v: quantile %v is %v, want %v", relative, q, got, want)
			}
		}
		if h.Quantile(0) != samples[0] || h.Quantile(-1) != samples[0] || h.Quantile(math.NaN()) != samples[0] ||
			h.Quantile(1) != samples[len(samples)-1] || h.Quantile(7) != samples[len(samples)-1] {
			t.Error("the ends are not the extremes")
		}
	}
}

func TestSumAndExtremesAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	draws := map[string]func() int64{
		"nanoseconds": func() int64 { return 16_000_000 + r.Int64N(1_000_000) },
		"centuries":   func() int64 { return math.MaxInt64 - r.Int64N(1<<60) }, // far beyond 64 bits
		"overhead":    func() int64 { return r.Int64N(100) - 50 },
	}
	for name, draw := range draws {
		var h Histogram
		sum, least, most := new(big.Int), int64(math.MaxInt64), int64(math.MinInt64)
		for range 120 {
			v := draw()
			h.Record(v)
			sum.Add(sum, big.NewInt(v))
			least, most = min(least, v), max(most, v)
		}
		want, _ := new(big.Float).SetInt(sum).Float64()
		if h.exactSum().int().Cmp(sum) != 0 || math.Abs(h.Sum()-want) > 1e-15*math.Abs(want) {
			t.Errorf("%s: sum %v, want %v", name, h.Sum(), want)
		}
		if h.Min() != max(least, 0) || h.Max() != most || h.N() != 120 {
			t.Errorf("%s: %d samples from %d to %d, want %d to %d", name, h.N(), h.Min(), h.Max(), least, most)
		}
	}
}

func TestCountBelowIsExactAtCellEdges(t *testing.T) {
	var h Histogram
	for v := range int64(1000) {
		h.Record(v)
	}
	for _, v := range []int64{-5, 0, 1, 100, 256, 512, 768, 1000, 5000} {
		if got, want := h.CountBelow(v), uint64(max(0, min(1000, v))); got != want {
			t.Errorf("below %d: %d, want %d", v, got, want)
		}
	}
	if got := h.CountBelow(771); got < 770 || got > 772 {
		t.Errorf("below 771: %d", got)
	}
}

func TestMergedHistogramIsTheOneOfAllSamples(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var parts [3]Histogram
	var whole, merged Histogram
	for i := range 999 {
		v := r.Int64N(1<<40) - 1<<20
		whole.Record(v)
		parts[i%3].Record(v)
	}
	for i := range parts {
		merged.Merge(&parts[i])
	}
	merged.Merge(nil)
	merged.Merge(&Histogram{})
	sameHistogram(t, &merged, &whole)
	merged.Merge(&merged)
	if merged.N() != 2*whole.N() || merged.Sum() != 2*whole.Sum() {
		t.Error("merging with itself does not double")
	}
}

func TestMergeBetweenPrecisionsKeepsCountsAndSums(t *testing.T) {
	coarse, finer := NewHistogram(0.05), NewHistogram(0.0005)
	for v := int64(-1); v < 5000; v += 7 {
		finer.Record(v * v * v)
	}
	coarse.Record(1)
	coarse.Merge(finer)
	if coarse.N() != finer.N()+1 || coarse.Sum() != finer.Sum()+1 || coarse.Max() != finer.Max() {
		t.Errorf("n %d of %d, sum %v of %v", coarse.N(), finer.N(), coarse.Sum(), finer.Sum())
	}
	if a, b := float64(coarse.Quantile(0.9)), float64(finer.Quantile(0.9)); math.Abs(a-b) > 0.051*b {
		t.Errorf("quantile %v of %v", a, b)
	}
	var copied Histogram
	copied.Merge(finer)
	sameHistogram(t, &copied, finer)
}

func TestSubIsWhatWasRecordedSince(t *testing.T) {
	var h, earlier, since Histogram
	for v := range int64(3000) {
		h.Record(v * 1000)
	}
	earlier.Merge(&h)
	for v := int64(500); v < 600; v++ {
		h.Record(v * v)
		since.Record(v * v)
	}
	d, err := h.Sub(&earlier)
	if err != nil {
		t.Fatal(err)
	}
	if d.N() != since.N() || d.Sum() != since.Sum() || d.Quantile(0.5) != since.Quantile(0.5) {
		t.Errorf("n %d sum %v, want %d %v", d.N(), d.Sum(), since.N(), since.Sum())
	}
	if d.Min() > since.Min() || d.Max() < since.Max() || float64(d.Max()) > 1.01*float64(since.Max()) {
		t.Errorf("%d to %d, want about %d to %d", d.Min(), d.Max(), since.Min(), since.Max())
	}
	if _, err := earlier.Sub(&h); err == nil {
		t.Error("subtracting the later one did not fail")
	}
	if _, err := h.Sub(NewHistogram(0.1)); err != nil {
		t.Error("subtracting nothing failed")
	}
	if all, err := h.Sub(nil); err != nil || all.N() != h.N() {
		t.Error("subtracting nil is not a copy")
	}
	if none, err := h.Sub(&h); err != nil || none.N() != 0 || none.Max() != 0 || none.Min() != 0 || none.Mean() != 0 {
		t.Error("subtracting itself leaves something")
	}
}

// sameHistogram compares by the written form, which holds everything.
func sameHistogram(t *testing.T, got, want *Histogram) {
	t.Helper()
	a, _ := got.MarshalJSON()
	b, _ := want.MarshalJSON()
	if !bytes.Equal(a, b) {
		t.Errorf("got  %.300s\nwant %.300s", a, b)
	}
}

func TestEmptyHistogramIsAllZero(t *testing.T) {
	var h Histogram
	if h.N() != 0 || h.Min() != 0 || h.Max() != 0 || h.Mean() != 0 || h.Sum() != 0 || h.Quantile(0.5) != 0 || h.CountBelow(9) != 0 {
		t.Error("not zero")
	}
}

func TestRecordDoesNotAllocateOnceItHasSeenTheRange(t *testing.T) {
	var h Histogram
	h.Record(1 << 30)
	if n := testing.AllocsPerRun(1000, func() { h.Record(12345) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkHistogramRecord(b *testing.B) {
	samples := frameTimes()
	var h Histogram
	for b.Loop() {
		for _, v := range samples {
			h.Record(v)
		}
	}
	reportPerSample(b)
}

func BenchmarkHistogramQuantile(b *testing.B) {
	var h Histogram
	for _, v := range frameTimes() {
		h.Record(v)
	}
	for b.Loop() {
		h.Quantile(0.99)
	}
}
