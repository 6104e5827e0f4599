// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"sync/atomic"
	"unsafe"

	"github.com/strobe-go/strobe/internal/budget"
	"github.com/strobe-go/strobe/internal/cells"
	"github.com/strobe-go/strobe/internal/word"
)

// An accumulator is the distribution of one zone's durations on one lane, in ticks. Only its lane writes it. It fills a cache line.
type accumulator struct {
	last       word.Word  // the latest duration, not yet in the histogram; none at first
	min, width word.Word  // of the durations in the histogram: the longest is min+width
	cells      *word.Word // those of hist, for the lane: to read hist, it would wait for one more cache line
	first      uint32     // that of hist
	count      uint32     // number of cells
	hist       atomic.Pointer[histogram]
	zone       *Zone
	longest    word.Word // min+width, for readers
}

// accumulatorBytes includes the first histogram, so that the first duration needs no memory.
const accumulatorBytes = uint64(unsafe.Sizeof(accumulator{})) + histogramStep*cellBytes

// none means that there is no duration. It lies within the extremes of a new accumulator, so adding it changes nothing.
const none = ^uint64(0)

func newAccumulator(z *Zone) *accumulator {
	a := &accumulator{zone: z}
	a.min.Set(none)
	a.last.Set(none)
	return a
}

// octaves divides durations into cells, 16 per octave.
const octaves = cells.Layout(4)

// A histogram counts durations in the cells from first on. It starts small and is replaced by a larger copy when a duration
// lies outside it.
type histogram struct {
	first uint64
	cells []word.Word
}

const (
	histogramStep = 64 // cells are allocated four octaves at a time
	cellBytes     = uint64(unsafe.Sizeof(word.Word{}))
)

// add records a duration. The histogram gets the previous one, which does not depend on the clock just read, so that the
// processor counts it while it waits for the clock.
func (a *accumulator) add(d uint64) {
	last := a.last.Get()
	a.last.Set(d)
	if last-a.min.Get() > a.width.Get() {
		a.widen(last)
	}
	if i := octaves.Index(last) - uint64(a.first); i < uint64(a.count) {
		c := a.cell(i)
		c.Set(c.Get() + 1)
	}
}

// cell returns a cell of the histogram, by its index there.
func (a *accumulator) cell(i uint64) *word.Word {
	return (*word.Word)(unsafe.Add(unsafe.Pointer(a.cells), i*cellBytes))
}

// widen extends the extremes and the histogram to a duration outside them. The extremes come last, so that a reader that sees
// them finds a histogram.
//
//go:noinline
func (a *accumulator) widen(d uint64) {
	lo, hi := d, d
	if a.min.Get() != none {
		lo, hi = min(d, a.min.Get()), max(d, a.longest.Get())
	}
	a.reach(octaves.Index(lo), octaves.Index(hi))
	a.min.Set(lo)
	a.width.Set(hi - lo)
	a.longest.Set(hi)
}

// reach makes the histogram reach from one cell to another. If the budget does not allow that, the zone no longer has a
// distribution, since one without its longest calls would mislead.
func (a *accumulator) reach(from, to uint64) {
	from, to = from/histogramStep*histogramStep, (to/histogramStep+1)*histogramStep
	old := a.hist.Load()
	switch {
	case old != nil:
		end := old.first + uint64(len(old.cells))
		if from >= old.first && to <= end {
			return
		}
		from, to = min(from, old.first), max(to, end)
		if !memory.Take((to-from)*cellBytes, budget.Essential) {
			a.zone.undistributed.Store(true) // first: a reader that does not find the histogram knows why
			a.use(nil)
			memory.Give(uint64(len(old.cells)) * cellBytes)
			return
		}
		memory.Give(uint64(len(old.cells)) * cellBytes)
	case a.min.Get() != none:
		return // there was no memory for it
	}
	wider := &histogram{first: from, cells: make([]word.Word, to-from)}
	if old != nil {
		for i := range old.cells {
			wider.cells[old.first-from+uint64(i)].Set(old.cells[i].Get())
		}
	}
	a.use(wider)
}

// use makes h the histogram; nil if there is none any more.
func (a *accumulator) use(h *histogram) {
	a.cells, a.first, a.count = nil, 0, 0
	if h != nil {
		a.cells, a.first, a.count = unsafe.SliceData(h.cells), uint32(h.first), uint32(len(h.cells))
	}
	a.hist.Store(h)
}

// read returns the histogram, nil if there is none, the extremes, and the latest duration, which is not in the histogram, with
// the count of its cell there. The duration is in either, even if a call ends meanwhile, except at the moment when it is
// moved: then it is in neither.
func (a *accumulator) read() (h *histogram, lo, hi, last, count uint64) {
	for {
		last, lo, hi, h = a.last.Read(), a.min.Read(), a.longest.Read(), a.hist.Load()
		count = h.at(octaves.Index(last))
		if a.last.Read() == last && a.longest.Read() == hi && a.min.Read() == lo && a.hist.Load() == h {
			return h, lo, hi, last, count
		}
	}
}

// at returns the count of a cell.
func (h *histogram) at(cell uint64) uint64 {
	if h == nil || cell-h.first >= uint64(len(h.cells)) {
		return 0
	}
	return h.cells[cell-h.first].Read()
}
