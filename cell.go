// SPDX-License-Identifier: BSD-3-Clause

package strobe

const perOctave = 16

// cellRange returns the durations [lo, hi] of cell i: one tick each below 32, then 16 cells an octave.
func cellRange(i uint64) (lo, hi uint64) {
	if i < 2*perOctave {
		return i, i
	}
	e := i>>4 - 1
	lo = (i - e<<4) << e
	return lo, lo + 1<<e - 1
}
