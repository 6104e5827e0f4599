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

// An accumulator is the distribution of one zone's durations on one lane, in ticks. Only its lane writes it.
type accumulator struct {
	last       word.Word // the latest duration, not yet in the histogram; none at first
	min, width word.Word // the longest is min+width
	hist       atomic.Pointer[histogram]
	zone       *Zone

	_ [24]byte // 64 in all: no cache line is shared with another lane
}

const accumulatorBytes = uint64(unsafe.Sizeof(accumulator{}))

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
	if h := a.hist.Load(); h != nil {
		if i := octaves.Index(last) - h.first; i < uint64(len(h.cells)) {
			h.cells[i].Set(h.cells[i].Get() + 1)
		}
	}
}

// widen extends the extremes and the histogram to a duration outside them.
//
//go:noinline
func (a *accumulator) widen(d uint64) {
	lo, hi := d, d
	old, first := a.hist.Load(), a.min.Get() == none
	if !first {
		lo, hi = min(d, a.min.Get()), max(d, a.min.Get()+a.width.Get())
	}
	a.min.Set(lo)
	a.width.Set(hi - lo)
	if old == nil && !first {
		return // the budget does not allow one
	}
	from, to := octaves.Index(lo)/histogramStep*histogramStep, (octaves.Index(hi)/histogramStep+1)*histogramStep
	if old != nil {
		end := old.first + uint64(len(old.cells))
		if from >= old.first && to <= end {
			return
		}
		from, to = min(from, old.first), max(to, end)
	}
	size := to - from
	if !memory.Take(size*cellBytes, budget.Detail) {
		if old != nil { // a histogram without its tail would mislead
			memory.Give(uint64(len(old.cells)) * cellBytes)
			a.hist.Store(nil)
		}
		return
	}
	wider := &histogram{first: from, cells: make([]word.Word, size)}
	if old != nil {
		for i := range old.cells {
			wider.cells[old.first-from+uint64(i)].Set(old.cells[i].Get())
		}
		memory.Give(uint64(len(old.cells)) * cellBytes)
	}
	a.hist.Store(wider)
}
