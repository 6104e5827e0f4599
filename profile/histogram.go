// SPDX-License-Identifier: BSD-3-Clause

package profile

import (
	"iter"
	"math"
	"time"

	"github.com/strobe-go/strobe/internal/cells"
	"github.com/strobe-go/strobe/stat"
)

// octaves is the layout of the profiler's histograms: 16 cells per octave.
const octaves = cells.Layout(4)

// A Histogram counts durations in cells that are a sixteenth of an octave wide. It is plain data: to count samples, use a
// stat.Histogram. The zero value is empty.
type Histogram struct {
	First     int      `json:"first"`       // number of the first cell
	Counts    []uint64 `json:"counts"`      // number of durations in each cell from there on
	NsPerTick float64  `json:"ns_per_tick"` // duration of a tick: cells are bounded by whole ticks of the counter
}

// NewHistogram returns the distribution of samples in ns. Its ticks are nanoseconds.
func NewHistogram(samples *stat.Histogram) Histogram {
	h := Histogram{NsPerTick: 1}
	for c := range samples.Cells() { // in ascending order
		i := int(octaves.Index(uint64(c.Lo)))
		if h.Empty() {
			h.First = i
		}
		for h.First+len(h.Counts) <= i {
			h.Counts = append(h.Counts, 0)
		}
		h.Counts[i-h.First] += c.N
	}
	if h.Empty() {
		return Histogram{}
	}
	return h
}

// Empty reports whether the histogram has no cells.
func (h Histogram) Empty() bool { return len(h.Counts) == 0 }

// N returns the number of durations.
func (h Histogram) N() uint64 {
	n := uint64(0)
	for _, c := range h.Counts {
		n += c
	}
	return n
}

// Quantile returns the q-quantile of the durations, 0 <= q <= 1: the middle of its cell, which is within 3.2 %. ok is false
// if the histogram is empty.
func (h Histogram) Quantile(q float64) (d time.Duration, ok bool) {
	n := h.N()
	if n == 0 || !(q >= 0 && q <= 1) {
		return 0, false
	}
	rank := min(n, max(1, uint64(math.Ceil(q*float64(n)))))
	for i, c := range h.Counts {
		if rank <= c {
			lo, hi := octaves.Range(uint64(h.First + i))
			return time.Duration((float64(lo) + float64(hi-lo)/2) * h.NsPerTick), true
		}
		rank -= c
	}
	return 0, false
}

// StdDev returns the standard deviation of the durations in ns, from the middles of the cells. ok is false if there are fewer
// than two.
func (h Histogram) StdDev() (sd float64, ok bool) {
	n, mean, m2 := 0.0, 0.0, 0.0
	for i, c := range h.Counts {
		if c == 0 {
			continue
		}
		lo, hi := octaves.Range(uint64(h.First + i))
		x, w := (float64(lo)+float64(hi-lo)/2)*h.NsPerTick, float64(c)
		n += w
		d := x - mean
		mean += d * w / n
		m2 += w * d * (x - mean)
	}
	if n < 2 {
		return 0, false
	}
	return math.Sqrt(m2 / (n - 1)), true
}

// A Cell is a range of durations and the number of durations in it, as a stat.Cell is one of any values.
type Cell struct {
	Lo, Hi time.Duration // Lo is included, Hi is not
	N      uint64
}

// Cells returns the non-empty cells, from the shortest to the longest duration.
func (h Histogram) Cells() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		for i, c := range h.Counts {
			if c == 0 {
				continue
			}
			lo, hi := octaves.Range(uint64(h.First + i))
			if !yield(Cell{time.Duration(float64(lo) * h.NsPerTick), time.Duration(float64(hi)*h.NsPerTick + h.NsPerTick), c}) {
				return
			}
		}
	}
}

// merge adds the counts of o. It never writes to memory that o refers to. Cells that do not exist are left out, since o may
// come from another process.
func (h *Histogram) merge(o Histogram) {
	switch {
	case o.Empty() || o.First < 0 || o.First > int(octaves.Count())-len(o.Counts):
		return
	case h.Empty():
		*h = Histogram{First: o.First, Counts: append([]uint64(nil), o.Counts...), NsPerTick: o.NsPerTick}
		return
	}
	first, end := min(h.First, o.First), max(h.First+len(h.Counts), o.First+len(o.Counts))
	if end-first > len(h.Counts) {
		counts := make([]uint64, end-first)
		copy(counts[h.First-first:], h.Counts)
		h.First, h.Counts = first, counts
	}
	for i, c := range o.Counts {
		h.Counts[o.First-h.First+i] += c
	}
}

// sub subtracts the counts of an earlier histogram and returns the cells of the shortest and the longest remaining duration.
// The counts are in a new slice, which holds only these cells and those between them.
func (h *Histogram) sub(o Histogram, alloc func(int) []uint64) (lowest, highest int) {
	shift := h.First - o.First // a cell's place in o
	lowest, highest = 0, len(h.Counts)-1
	for lowest <= highest && h.Counts[lowest] <= countAt(o.Counts, lowest+shift) {
		lowest++
	}
	if lowest > highest {
		*h = Histogram{}
		return 0, 0
	}
	for h.Counts[highest] <= countAt(o.Counts, highest+shift) {
		highest--
	}
	counts := alloc(highest - lowest + 1)
	for i := range counts {
		now := h.Counts[lowest+i]
		counts[i] = now - min(now, countAt(o.Counts, lowest+i+shift))
	}
	h.Counts, h.First = counts, h.First+lowest
	return h.First, h.First + highest - lowest
}

// countAt returns the i-th count, 0 if there is none.
func countAt(counts []uint64, i int) uint64 {
	if uint(i) < uint(len(counts)) {
		return counts[i]
	}
	return 0
}
