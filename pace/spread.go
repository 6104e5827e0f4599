// SPDX-License-Identifier: BSD-3-Clause

package pace

import "math/bits"

// spread counts latenesses in cells an eighth of their octave wide.
type spread struct {
	n, max uint64
	cells  [62 << 3]uint64
}

func (s *spread) Record(v int64) {
	x := uint64(max(v, 0))
	e := bits.Len64(x|8) - 4
	s.cells[min(uint64(e)<<3+x>>e, uint64(len(s.cells)-1))]++
	s.n++
	s.max = max(s.max, x)
}

func (s *spread) N() uint64  { return s.n }
func (s *spread) Max() int64 { return int64(s.max) }

func (s *spread) Quantile(q float64) int64 {
	rank := uint64(q*float64(s.n-1)) + 1
	for i, c := range s.cells {
		if rank <= c {
			if i < 16 {
				return int64(i)
			}
			e := i>>3 - 1
			return min(int64(i-e<<3)<<e+int64(1)<<e/2, int64(s.max))
		}
		rank -= c
	}
	return int64(s.max)
}
