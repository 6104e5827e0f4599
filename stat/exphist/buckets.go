// SPDX-License-Identifier: BSD-3-Clause

// Package exphist turns a stat.Histogram into base-2 exponential buckets: those of OpenTelemetry exponential histograms
// and Prometheus native histograms.
//
// Use it in exporters. Every sample is counted. Each cell is counted in the bucket of its middle, so a sample within
// 0.4 % of the edge of a bucket may be counted in the neighbouring bucket, never further. At scales up to 3 that happens
// to 2 in 100 samples; export larger scales from a finer histogram.
//
// # Units
//
// Bounds have the unit of the samples divided by per: From(h, 3, 1e9) turns nanoseconds into seconds.
//
// # Concurrency
//
// From must not run while the histogram is written. The result is plain data.
//
// # Sources
//
// OpenTelemetry metrics data model, "ExponentialHistogram"; Prometheus native histograms specification, "Schema".
package exphist

import (
	"fmt"
	"math"
	"slices"

	"github.com/strobe-go/strobe/stat"
)

// Buckets are counts between powers of 2^(2^-Scale). Bucket i, counted from Offset, holds samples above base^i and up to
// base^(i+1). The index of the same bucket in a Prometheus native histogram is i+1, its schema is Scale.
type Buckets struct {
	Scale  int
	Zero   uint64   // samples that are 0 or negative
	Offset int      // index of the bucket of Counts[0]
	Counts []uint64 // without empty ones at either end
}

// The smallest and the largest scale of the OpenTelemetry data model: buckets a thousand octaves and 0.02 % wide.
const (
	minScale = -10
	maxScale = 12
)

// From returns the buckets of h at the given scale, of samples divided by per. It fails when the scale is not between -10
// and 12, or per is not positive and finite. A nil or empty h gives no counts.
func From(h *stat.Histogram, scale int, per float64) (Buckets, error) {
	b := Buckets{Scale: scale}
	switch {
	case scale < minScale || scale > maxScale:
		return Buckets{}, fmt.Errorf("exphist: scale %d is not between %d and %d", scale, minScale, maxScale)
	case !(per > 0 && per <= math.MaxFloat64):
		return Buckets{}, fmt.Errorf("exphist: samples cannot be divided by %v", per)
	case h == nil:
		return b, nil
	}
	edges := edgesOf(b.Scale)
	for c := range h.Cells() {
		if c.Hi == 0 {
			b.Zero += c.N
			continue
		}
		i := index((float64(c.Lo)+float64(c.Hi))/2/per, b.Scale, edges)
		if len(b.Counts) == 0 {
			b.Offset = i
		}
		for len(b.Counts) <= i-b.Offset {
			b.Counts = append(b.Counts, 0)
		}
		b.Counts[i-b.Offset] += c.N
	}
	return b, nil
}

// N returns the number of samples.
func (b Buckets) N() uint64 {
	n := b.Zero
	for _, c := range b.Counts {
		n += c
	}
	return n
}

// Bounds returns the bounds of Counts[i], lo < sample <= hi.
func (b Buckets) Bounds(i int) (lo, hi float64) {
	bound := func(i int) float64 { return math.Exp2(math.Ldexp(float64(i), -b.Scale)) }
	return bound(b.Offset + i), min(bound(b.Offset+i+1), math.MaxFloat64)
}

// Fit returns the buckets at the largest scale, not above that of b, with at most limit counts. It adds adjacent buckets,
// which is exact. A limit below 2 means 2, the fewest that samples on both sides of 1 need.
func (b Buckets) Fit(limit int) Buckets {
	for b.Counts = slices.Clone(b.Counts); len(b.Counts) > max(2, limit) && b.Scale > minScale; {
		offset := b.Offset >> 1
		counts := make([]uint64, (b.Offset+len(b.Counts)-1)>>1-offset+1)
		for i, n := range b.Counts {
			counts[(b.Offset+i)>>1-offset] += n
		}
		b.Scale, b.Offset, b.Counts = b.Scale-1, offset, counts
	}
	return b
}

// edgesOf returns the upper bounds of buckets within one octave, as mantissas between 0.5 and 1.
func edgesOf(scale int) []float64 {
	if scale <= 0 {
		return nil
	}
	edges := make([]float64, 1<<scale)
	for j := range edges {
		edges[j] = math.Exp2(math.Ldexp(float64(j), -scale) - 1)
	}
	return edges
}

// index returns the i with base^i < v <= base^(i+1), v > 0.
func index(v float64, scale int, edges []float64) int {
	mantissa, exponent := math.Frexp(v) // v = mantissa·2^exponent, 0.5 <= mantissa < 1
	if scale > 0 {
		j, _ := slices.BinarySearch(edges, mantissa)
		return j + (exponent-1)<<scale - 1
	}
	if mantissa == 0.5 { // v = 2^(exponent-1), which ends its bucket
		exponent--
	}
	return (exponent - 1) >> -scale
}
