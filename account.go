// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"math/bits"
	"sync/atomic"
)

// An account is what one lane knows of one zone, in ticks. Its owner writes it.
type account struct {
	calls, total, self word // of the calls that were timed
	outer              word // depth of the zone's outermost open span; 0 is none. Only that one enters the total
	last               word // duration of the latest call, not yet in the distribution; none at first
	min, width         word // the longest call is min+width
	drawn, skip        word // of a sampled zone: calls to be skipped in all, and how many of them are still to come
	spread             atomic.Pointer[spread]
	g                  uint64 // of the goroutine whose lane this is of; 0 of a lane made by hand

	_ [40]byte // 128 in all: no cache line is shared with another lane's account
}

// none stands for no duration. It lies within the extremes of a new account, so it leaves no trace in it.
const none = ^uint64(0)

func newAccount(g uint64) *account {
	a := &account{g: g}
	a.min.set(none)
	a.last.set(none)
	return a
}

// A spread counts durations in cells a sixteenth of their octave wide, from cell first on. It begins small and is
// replaced by a larger copy when a duration lies outside.
type spread struct {
	first uint64
	cells []word
}

const spreadUnit = 4 * perOctave // cells are allocated four octaves at a time

// cellOf returns the cell of d: exact below 32 ticks, then 16 cells an octave, hence within 3.2 % of the midpoint.
func cellOf(d uint64) uint64 {
	e := uint(bits.Len64(d|perOctave)-5) & 63
	return uint64(e)<<4 + d>>e
}

// stretch takes in a duration outside the extremes, and sees to it that the spread reaches that far.
//
//go:noinline
func (a *account) stretch(d uint64) {
	lo, hi := d, d
	old, first := a.spread.Load(), a.min.get() == none
	if !first {
		lo, hi = min(d, a.min.get()), max(d, a.min.get()+a.width.get())
	}
	a.min.set(lo)
	a.width.set(hi - lo)
	if old == nil && !first {
		return // the budget did not allow one
	}
	from, to := cellOf(lo)/spreadUnit*spreadUnit, (cellOf(hi)/spreadUnit+1)*spreadUnit
	if old != nil {
		end := old.first + uint64(len(old.cells))
		if from >= old.first && to <= end {
			return
		}
		from, to = min(from, old.first), max(to, end)
	}
	size := to - from
	if !memory.take(size*wordBytes, detail) {
		if old != nil { // half a histogram would lie: durations beyond it would be missing
			memory.give(uint64(len(old.cells)) * wordBytes)
			a.spread.Store(nil)
		}
		return
	}
	grown := &spread{first: from, cells: make([]word, size)}
	if old != nil {
		for i := range old.cells {
			grown.cells[old.first-from+uint64(i)].set(old.cells[i].get())
		}
		memory.give(uint64(len(old.cells)) * wordBytes)
	}
	a.spread.Store(grown)
}
