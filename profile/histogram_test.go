// SPDX-License-Identifier: BSD-3-Clause

package profile

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/strobe-go/strobe/stat"
)

// histogram returns the distribution of durations, with a tick of 1 ns.
func histogram(all ...time.Duration) (h Histogram) {
	for _, d := range all {
		h.merge(Histogram{First: int(octaves.Index(uint64(d))), Counts: []uint64{1}, NsPerTick: 1})
	}
	return h
}

func durations(r *rand.Rand, n int) (all []time.Duration) {
	for range n {
		all = append(all, time.Duration(math.Exp(r.NormFloat64()*2+8)))
	}
	return all
}

func TestQuantilesAreThoseOfTheDurationsWithin3Percent(t *testing.T) {
	all := durations(rand.New(rand.NewPCG(1, 2)), 1000)
	h := histogram(all...)
	slices.Sort(all)
	for _, q := range []float64{0, 0.001, 0.25, 0.5, 0.9, 0.999, 1} {
		want := float64(all[max(1, int(math.Ceil(q*1000)))-1])
		if got, ok := h.Quantile(q); !ok || math.Abs(float64(got)-want) > 0.032*want+1 {
			t.Errorf("quantile %v is %v, want %v", q, got, want)
		}
	}
	for _, q := range []float64{-0.1, 1.1, math.NaN()} {
		if d, ok := h.Quantile(q); ok {
			t.Errorf("quantile %v is %v", q, d)
		}
	}
}

func TestAnEmptyHistogramSaysSo(t *testing.T) {
	var h Histogram
	_, q := h.Quantile(0.5)
	_, sd := h.StdDev()
	if q || sd || !h.Empty() || h.N() != 0 {
		t.Errorf("%v %v %v %v", q, sd, h.Empty(), h.N())
	}
	for c := range h.Cells() {
		t.Errorf("a cell %v", c)
	}
	if _, ok := histogram(5).StdDev(); ok {
		t.Error("one duration has a standard deviation")
	}
}

func TestStandardDeviationIsThatOfTheDurations(t *testing.T) {
	all := durations(rand.New(rand.NewPCG(1, 3)), 2000)
	mean, m2 := 0.0, 0.0
	for _, d := range all {
		mean += float64(d) / float64(len(all))
	}
	for _, d := range all {
		m2 += (float64(d) - mean) * (float64(d) - mean)
	}
	want := math.Sqrt(m2 / float64(len(all)-1))
	if got, ok := histogram(all...).StdDev(); !ok || !(math.Abs(got-want) <= 0.03*want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestStandardDeviationIsExactWhereCellsAreOneTickWide(t *testing.T) {
	if got, ok := histogram(2, 4, 4, 4, 5, 5, 7, 9).StdDev(); !ok || !(math.Abs(got-math.Sqrt(32./7)) <= 1e-12) {
		t.Errorf("%v, want %v", got, math.Sqrt(32./7))
	}
	if got, ok := histogram(3, 5).StdDev(); !ok || !(math.Abs(got-math.Sqrt2) <= 1e-12) {
		t.Errorf("%v of two, want %v", got, math.Sqrt2)
	}
}

// Snapshots are read from files of other programs, which may contain anything.
func TestCellsThatDoNotExistAreLeftOut(t *testing.T) {
	last := int(octaves.Count()) - 1
	for first, n := range map[int]uint64{0: 3, last - 1: 3, last: 1, -1: 1, math.MaxInt: 1, math.MinInt: 1} {
		h := histogram(5)
		h.merge(Histogram{First: first, Counts: []uint64{1, 1}, NsPerTick: 1})
		if h.N() != n {
			t.Errorf("cells from %d on: %d durations, want %d", first, h.N(), n)
		}
	}
}

func TestCellsHoldTheirDurations(t *testing.T) {
	all := durations(rand.New(rand.NewPCG(1, 4)), 500)
	h := histogram(all...)
	n, last := uint64(0), time.Duration(-1)
	for c := range h.Cells() {
		if c.Lo <= last || c.Hi <= c.Lo {
			t.Errorf("cell %v after %v", c, last)
		}
		in := uint64(0)
		for _, d := range all {
			if c.Lo <= d && d < c.Hi {
				in++
			}
		}
		if in != c.N {
			t.Errorf("cell %v holds %d", c, in)
		}
		n, last = n+c.N, c.Lo
	}
	if n != 500 || h.N() != 500 {
		t.Errorf("%d in cells, N is %d", n, h.N())
	}
}

func TestDifferenceOfHistogramsIsWhatCameBetween(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	for range 100 {
		early, late := durations(r, r.IntN(20)), durations(r, r.IntN(20))
		before, now := histogram(early...), histogram(append(early, late...)...)
		kept := slices.Clone(now.Counts)
		d := difference{scale: 1}
		got := now
		got.sub(before, d.alloc)
		want := histogram(late...)
		if !slices.Equal(got.Counts, want.Counts) || got.First != want.First && !want.Empty() {
			t.Fatalf("%v without %v is %v, want %v", now, before, got, want)
		}
		if !slices.Equal(kept, now.Counts) {
			t.Fatal("sub changed what it subtracts from")
		}
	}
}

func TestNewHistogramCountsEverySampleInItsCell(t *testing.T) {
	var samples stat.Histogram
	rng := rand.New(rand.NewPCG(1, 2))
	want := make(map[Cell]uint64)
	for range 10_000 {
		v := int64(math.Exp(rng.Float64() * 25))
		samples.Record(v)
		lo, hi := octaves.Range(octaves.Index(uint64(v)))
		want[Cell{Lo: time.Duration(lo), Hi: time.Duration(hi + 1)}]++
	}
	h := NewHistogram(&samples)
	for c := range h.Cells() {
		if n := want[Cell{Lo: c.Lo, Hi: c.Hi}]; n != c.N {
			t.Errorf("%v: want %d", c, n)
		}
		delete(want, Cell{Lo: c.Lo, Hi: c.Hi})
	}
	if len(want) > 0 || h.N() != 10_000 {
		t.Errorf("%d samples; not there: %v", h.N(), want)
	}
	if h := NewHistogram(new(stat.Histogram)); !h.Empty() {
		t.Errorf("no samples: %v", h)
	}
}
