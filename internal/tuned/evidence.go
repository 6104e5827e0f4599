// SPDX-License-Identifier: BSD-3-Clause

package tuned

import (
	"slices"

	"github.com/strobe-go/strobe/internal/series"
)

// Evidence is the data for an interval of the mean of a stream. There are at least [Fewest] samples.
type Evidence struct {
	N              uint64
	Mean, Variance float64 // of all samples
	Lag1           float64 // correlation of neighbouring samples
	Equal          bool    // all samples are equal

	Batches []float64 // means of successive batches, less the first of them, so that no digits are lost
	Size    float64   // samples in a batch
	Thin    []float64 // samples at equal distances, the first of them included, less the first; ascending
	Largest []float64 // the largest samples, less the first; ascending
}

// The amounts that a stream keeps. Each is a power of two.
const (
	Batches = 128 // batches; when there are so many, they are merged in pairs
	Thin    = 256 // samples at equal distances; when there are so many, every other one is dropped
	Largest = 64  // largest samples
)

// Of returns the evidence of stored samples. stat.BatchMeans collects the same in constant
// memory.
func Of(x []float64) Evidence {
	d := series.Describe(x)
	e := Evidence{N: uint64(len(x)), Mean: d.Mean, Variance: d.Variance, Lag1: d.Lag1, Equal: slices.Min(x) == slices.Max(x)}
	size := 1
	for len(x)/size >= Batches {
		size *= 2
	}
	e.Size = float64(size)
	for batch := range slices.Chunk(x[:len(x)/size*size], size) {
		e.Batches = append(e.Batches, series.Describe(batch).Mean)
	}
	for i, first := len(e.Batches)-1, e.Batches[0]; i >= 0; i-- {
		e.Batches[i] -= first
	}
	distance := 1
	for (len(x)-1)/distance+1 >= Thin {
		distance *= 2
	}
	for i := 0; i < len(x); i += distance {
		e.Thin = append(e.Thin, x[i]-x[0])
	}
	slices.Sort(e.Thin)
	e.Largest = slices.Clone(x)
	slices.Sort(e.Largest)
	e.Largest = e.Largest[max(0, len(x)-Largest):]
	for i := range e.Largest {
		e.Largest[i] -= x[0]
	}
	return e
}
