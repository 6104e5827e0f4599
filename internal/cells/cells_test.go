// SPDX-License-Identifier: BSD-3-Clause

package cells

import (
	"math"
	"math/bits"
	"testing"
)

// edges are the values at which a layout changes: both sides of every power of two and of small multiples of it.
func edges() (values []uint64) {
	for e := range 64 {
		for _, k := range []uint64{1, 3, 17, 255} {
			v := k << e
			values = append(values, v-1, v, v+1)
		}
	}
	return append(values, 0, math.MaxUint64-1, math.MaxUint64)
}

func TestCellsFollowEachOtherWithoutGaps(t *testing.T) {
	for l := Layout(0); l <= 14; l++ {
		next := uint64(0)
		for i := range l.Count() {
			lo, hi := l.Range(i)
			if lo != next || hi < lo || l.Index(lo) != i || l.Index(hi) != i {
				t.Fatalf("layout %d: cell %d is %d to %d, in cells %d and %d; it should begin at %d",
					l, i, lo, hi, l.Index(lo), l.Index(hi), next)
			}
			next = hi + 1
		}
		if next != 0 { // beyond the largest uint64
			t.Errorf("layout %d: the last cell ends at %d", l, next-1)
		}
	}
}

func TestSmallValuesHaveACellEach(t *testing.T) {
	for l := Layout(0); l <= 14; l++ {
		for v := range uint64(2) << l {
			if lo, hi := l.Range(v); l.Index(v) != v || lo != v || hi != v {
				t.Fatalf("layout %d: value %d is in cell %d of %d to %d", l, v, l.Index(v), lo, hi)
			}
		}
	}
}

func TestKnownCells(t *testing.T) {
	for _, c := range []struct {
		l            Layout
		v, i, lo, hi uint64
	}{
		{4, 31, 31, 31, 31},
		{4, 32, 32, 32, 33},
		{4, 1000, 5<<4 + 31, 992, 1023},
		{7, 255, 255, 255, 255},
		{7, 256, 256, 256, 257},
		{7, 1_000_000, 12<<7 + 244, 999_424, 1_003_519},
		{0, 5, 3 - 1 + 1, 4, 7},
		{62, math.MaxUint64, 3<<62 - 1, math.MaxUint64 - 1, math.MaxUint64},
	} {
		lo, hi := c.l.Range(c.i)
		if i := c.l.Index(c.v); i != c.i || lo != c.lo || hi != c.hi {
			t.Errorf("layout %d: value %d is in cell %d of %d to %d, want %d of %d to %d", c.l, c.v, i, lo, hi, c.i, c.lo, c.hi)
		}
	}
}

func TestIndexAndRangeAgreeInEveryLayout(t *testing.T) {
	for l := Layout(0); l <= 62; l++ {
		for _, v := range edges() {
			check(t, l, v)
		}
	}
}

// check checks what the package promises of Index and Range for v.
func check(t *testing.T, l Layout, v uint64) {
	t.Helper()
	i := l.Index(v)
	lo, hi := l.Range(i)
	if v < lo || v > hi || i >= l.Count() {
		t.Fatalf("layout %d: value %d is in cell %d of %d, from %d to %d", l, v, i, l.Count(), lo, hi)
	}
	if v < math.MaxUint64 {
		if next := l.Index(v + 1); next != i && (next != i+1 || hi != v) {
			t.Fatalf("layout %d: cells of %d and %d are %d and %d", l, v, v+1, i, next)
		}
	}
	if width := hi - lo; width > 0 && bits.Len64(width) > bits.Len64(lo)-int(l)-1 {
		t.Fatalf("layout %d: cell of %d is %d wide", l, v, width+1)
	}
}

func FuzzIndexAndRange(f *testing.F) {
	f.Add(uint8(4), uint64(31))
	f.Add(uint8(7), uint64(math.MaxUint64))
	f.Fuzz(func(t *testing.T, l uint8, v uint64) { check(t, Layout(l%63), v) })
}

func TestNoLayoutPanics(t *testing.T) {
	for _, l := range []Layout{63, 64, 65, math.MaxUint} {
		l.Range(l.Index(math.MaxUint64))
		sink += l.Count()
	}
}

var sink uint64

// BenchmarkIndex compares a constant layout with the same expression written for that constant.
func BenchmarkIndex(b *testing.B) {
	const fixed = Layout(4)
	b.Run("layout", func(b *testing.B) {
		for v := uint64(0); b.Loop(); v += 977 {
			sink += fixed.Index(v)
		}
	})
	b.Run("written-out", func(b *testing.B) {
		for v := uint64(0); b.Loop(); v += 977 {
			e := uint(bits.Len64(v|16)-5) & 63
			sink += uint64(e)<<4 + v>>e
		}
	})
}
