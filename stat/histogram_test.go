// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"bytes"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestHistogramStaysUnder64KBForEveryInt64(t *testing.T) {
	var h Histogram
	h.RecordN(-1, 1)
	h.RecordN(math.MaxInt64, 1)
	if n := len(h.s.cells) * 8; n > 58<<10 {
		t.Errorf("%d bytes of cells", n)
	}
	if n := cap(h.s.cells) * 8; n > 64<<10 {
		t.Errorf("%d bytes allocated", n)
	}
}

func TestQuantilesAreWithinTheirError(t *testing.T) {
	for _, relative := range []float64{0.05, 0.004, 0.0005} {
		r := rand.New(rand.NewPCG(1, 1))
		h := withError(t, relative)
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
		mean, _ := new(big.Rat).SetFrac(sum, big.NewInt(120)).Float64()
		if h.Sum() != want || h.Mean() != mean {
			t.Errorf("%s: sum %v, mean %v, want %v and %v", name, h.Sum(), h.Mean(), want, mean)
		}
		if h.Min() != least || h.Max() != most || h.N() != 120 {
			t.Errorf("%s: %d samples from %d to %d, want %d to %d", name, h.N(), h.Min(), h.Max(), least, most)
		}
	}
}

func TestTheLeastSampleMayBeNegative(t *testing.T) {
	var negative Histogram
	negative.Record(-7)
	negative.Record(5)
	for name, h := range map[string]*Histogram{
		"recorded":    &negative,
		"merged":      merged(&negative, histogramOf(-3, 9)),
		"merged into": merged(histogramOf(-3, 9), &negative),
	} {
		if h.Min() != -7 || h.Quantile(0) != -7 {
			t.Errorf("%s: from %d, want -7", name, h.Min())
		}
	}
	before := negative.Clone()
	negative.Record(3)
	if d, err := negative.Sub(before); err != nil || d.Min() != 3 {
		t.Errorf("since -7 was recorded: from %d, %v", d.Min(), err)
	}
	negative.Record(-2)
	if d, err := negative.Sub(before); err != nil || d.Min() != -7 {
		t.Errorf("-2 since -7 was recorded: from %d, %v; -7 is the least that is known", d.Min(), err)
	}
}

func TestSumIsExactBeyondEveryWord(t *testing.T) {
	coarse := withError(t, 1)
	for range 9 {
		coarse.Record(math.MaxInt64)
	}
	coarse.RecordN(math.MaxInt64, 1<<20)
	if want := (1<<20 + 9) * 0x1p63; coarse.Sum() != want {
		t.Errorf("coarse: %v, want %v", coarse.Sum(), want)
	}
	var negative Histogram
	negative.Record(math.MinInt64)
	negative.RecordN(math.MinInt64, 3)
	if negative.Sum() != -0x1p65 || negative.Mean() != math.MinInt64 {
		t.Errorf("negative: sum %v, mean %v", negative.Sum(), negative.Mean())
	}
	negative.RecordN(math.MaxInt64, 4)
	if negative.Sum() != -4 || negative.Mean() != -0.5 {
		t.Errorf("cancelled: sum %v, mean %v", negative.Sum(), negative.Mean())
	}
}

func TestNewHistogramRefusesWhatItCannotDo(t *testing.T) {
	for _, e := range []float64{-0.01, math.NaN(), 1.01, 95, 1e-5, math.Inf(1), 0x1p-15 * 0.999} {
		if h, err := NewHistogram(e); err == nil || h != nil {
			t.Errorf("error %v was accepted", e)
		}
	}
	for e, cells := range map[float64]int{0: 7, 1: 1, 0.25: 1, 0.2499: 2, 0.004: 7, 1.0 / 256: 7, 0.0039: 8, 0x1p-15: 14} {
		h := withError(t, e)
		h.Record(1 << 40)
		h.each(func(lo, hi int64, _ uint64) bool { // the only cell, 2^-bits wide
			if width := hi - lo + 1; width != 1<<(40-cells) {
				t.Errorf("error %v: cells are %d wide, want %d", e, width, 1<<(40-cells))
			}
			return true
		})
	}
}

func withError(t *testing.T, relative float64) *Histogram {
	t.Helper()
	h, err := NewHistogram(relative)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestACopyIsTheSameHistogramAndACloneIsNot(t *testing.T) {
	var h Histogram
	h.Record(5)
	h.Record(-3)
	same, clone := h, h.Clone()
	h.Record(1 << 50) // the cells move
	if same.N() != 3 || same.Max() != 1<<50 || clone.N() != 2 || clone.Max() != 5 || clone.Sum() != 2 {
		t.Errorf("copy has %d samples, clone %d", same.N(), clone.N())
	}
	clone.Record(5)
	if h.CountBelow(6) != 2 {
		t.Error("recording into a clone changes the original")
	}
	if _, err := h.Sub(&same); err == nil || !strings.Contains(err.Error(), "Clone") {
		t.Errorf("subtracting a copy made by assignment: %v", err)
	}
	if d, err := h.Sub(new(Histogram)); err != nil || d.N() != 3 {
		t.Errorf("subtracting nothing: %v", err)
	}
	if c := new(Histogram).Clone(); c.N() != 0 {
		t.Error("clone of nothing")
	}
}

func TestACloneHasCellsOfItsOwn(t *testing.T) {
	var h Histogram
	h.RecordN(5, 2)
	clone := h.Clone()
	clone.Record(5)
	if h.N() != 2 || clone.N() != 3 {
		t.Errorf("%d and %d samples", h.N(), clone.N())
	}
}

func TestSubOfFewerCells(t *testing.T) {
	var h Histogram
	h.Record(5)
	earlier := h.Clone()
	h.Record(5000)
	d, err := h.Sub(earlier)
	if err != nil || d.N() != 1 || d.Sum() != 5000 || d.CountBelow(4000) != 0 {
		t.Errorf("%v: %d samples", err, d.N())
	}
	if _, err := earlier.Sub(&h); err == nil {
		t.Error("the later one has more cells and was subtracted")
	}
	coarse := withError(t, 0.1)
	coarse.Record(5)
	if _, err := h.Sub(coarse); err == nil {
		t.Error("another precision was subtracted")
	}
	negative := h.Clone()
	negative.Record(-1)
	if _, err := h.Sub(negative); err == nil {
		t.Error("a negative sample that was never recorded was subtracted")
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
	coarse, finer := withError(t, 0.05), withError(t, 0.0005)
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
	if _, err := h.Sub(withError(t, 0.1)); err != nil {
		t.Error("subtracting nothing failed")
	}
	if all, err := h.Sub(nil); err != nil || all.N() != h.N() {
		t.Error("subtracting nil is not a copy")
	}
	if none, err := h.Sub(h.Clone()); err != nil || none.N() != 0 || none.Max() != 0 || none.Min() != 0 || none.Mean() != 0 {
		t.Error("subtracting a clone leaves something")
	}
}

// sameHistogram compares the encoded forms, which contain everything.
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

func histogramOf(samples ...int64) *Histogram {
	h := new(Histogram)
	for _, x := range samples {
		h.Record(x)
	}
	return h
}

func merged(a, b *Histogram) *Histogram {
	c := a.Clone()
	c.Merge(b)
	return c
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

// Samples next to the current extremes change them, on every path that records samples.
func TestNeighboursOfTheExtremesAreRecorded(t *testing.T) {
	for _, first := range []int64{5, 127, 128, 1000, 1 << 40} {
		var h Histogram
		for _, v := range []int64{first, first + 1, first + 2, first - 1, first - 2} {
			h.Record(v)
		}
		if h.N() != 5 || h.Min() != first-2 || h.Max() != first+2 || h.Mean() != float64(first) {
			t.Errorf("around %d: %d samples, %d to %d, mean %v", first, h.N(), h.Min(), h.Max(), h.Mean())
		}
	}
}

// A histogram has cells up to its largest sample and no further, even if it has grown many times.
func TestCellsEndAtTheLargestSample(t *testing.T) {
	var h Histogram
	for v := int64(3); v < 1<<40; v = v*3/2 + 1 {
		h.Record(v)
		if want := int(standard.Index(uint64(v))) + 1; len(h.s.cells) != want {
			t.Fatalf("%d cells for samples up to %d, want %d", len(h.s.cells), v, want)
		}
	}
}

func TestSubHasTheExtremesOfWhatWasRecordedSince(t *testing.T) {
	var h Histogram
	h.Record(10)
	h.Record(90_000)
	earlier := h.Clone()
	h.Record(1000)
	h.Record(5000)
	d, err := h.Sub(earlier)
	if err != nil || d.Min() > 1000 || d.Min() < 990 || d.Max() < 5000 || d.Max() > 5050 {
		t.Errorf("%d to %d, %v", d.Min(), d.Max(), err)
	}
}
