// SPDX-License-Identifier: BSD-3-Clause

package cumulative

import (
	"math"
	"math/bits"
	"time"

	"github.com/strobe-go/strobe/internal/cells"
	"github.com/strobe-go/strobe/profile"
)

// octaves is the layout of profile.Histogram.
const octaves = cells.Layout(4)

const cellCount = (65 - 4) << 4

// A source holds what was read about a zone. Durations are those of ended calls.
type source struct {
	target *target
	all    []uint64 // calls by cell
	held   []uint64 // of these, those that no series has counted yet
	first  int      // number of the first cell of all and held
	shape  curve

	owed     int64         // calls that no series has counted; negative while cells are ahead of the calls
	unplaced int64         // timed calls whose cell is not known; negative likewise
	sum      time.Duration // of the durations of owed
	at       float64       // where the division of a cell rounds, from 0 to 1
}

// add adds a reading of the zone.
func (s *source) add(d *profile.ZoneStats) {
	s.owed += int64(min(d.Calls, math.MaxInt64))
	s.unplaced += int64(min(d.Timed, math.MaxInt64))
	s.sum += d.Sum
	h := d.Histogram
	if h.Empty() || h.First < 0 || h.First > cellCount-len(h.Counts) || !(h.NsPerTick > 0) {
		return
	}
	s.cover(h.First, h.First+len(h.Counts))
	for i, n := range h.Counts {
		s.all[h.First-s.first+i] += n
		s.held[h.First-s.first+i] += n
		s.unplaced -= int64(min(n, math.MaxInt64))
	}
	s.shape.extend(d.Min, d.Max, h.NsPerTick)
}

// cover makes room for cells from first up to end.
func (s *source) cover(first, end int) {
	if len(s.all) > 0 {
		first, end = min(first, s.first), max(end, s.first+len(s.all))
		if first == s.first && end == s.first+len(s.all) {
			return
		}
	}
	all, held := make([]uint64, end-first), make([]uint64, end-first)
	if len(s.all) > 0 {
		copy(all[s.first-first:], s.all)
		copy(held[s.first-first:], s.held)
	}
	s.first, s.all, s.held = first, all, held
}

// publish counts the owed calls in a series, distributed like the held calls. The numbers may differ, because lanes keep
// running while they are read, and because a timed call of a sampled zone stands for those after it. While the cells of some
// timed calls are not known, their share of the calls stays owed: it may be of other durations.
func (s *source) publish(to *Series) {
	available := uint64(0)
	for _, n := range s.held {
		available += n
	}
	if s.owed <= 0 || available == 0 {
		return
	}
	owed, sum := uint64(s.owed), s.sum
	if s.unplaced > 0 {
		all := available + uint64(s.unplaced)
		owed = scaled(available, owed, all)
		sum = time.Duration(float64(sum) * (float64(available) / float64(all)))
	}
	seen, before := uint64(0), uint64(0)
	for i, n := range s.held {
		if n == 0 {
			continue
		}
		seen += n
		upTo := scaled(seen, owed, available)
		s.held[i] = n - min(n, upTo-before)
		s.divide(i, upTo-before, to)
		before = upTo
	}
	to.N += owed
	to.Sum += sum
	s.owed, s.sum = s.owed-int64(owed), s.sum-sum
}

// scaled returns a*b/c, rounded down, a <= c.
func scaled(a, b, c uint64) uint64 {
	if b == c {
		return a
	}
	hi, lo := bits.Mul64(a, b)
	q, _ := bits.Div64(hi%c, lo, c) // hi < c because a <= c and b < 2^63
	return q
}

// divide counts n calls of a cell.
func (s *source) divide(cell int, n uint64, to *Series) {
	if n == 0 {
		return
	}
	if s.first+cell == 0 { // of no duration
		to.Buckets.Zero += n
		for i := range to.AtMost {
			to.AtMost[i] += n
		}
		return
	}
	_, s.at = math.Modf(s.at + math.Phi - 1) // each cell rounds at a different point, so that nothing is lost over many readings
	p := s.shape.piece(s.all, s.first, cell)
	upTo := func(x float64) uint64 { return min(n, uint64(float64(n)*p.share(x)+s.at)) }
	scale := math.Ldexp(1, to.Buckets.Scale)
	before := uint64(0)
	for i := int(math.Ceil(p.lo*scale)) - 1; before < n; i++ {
		now := n
		if edge := float64(i+1) / scale; edge < p.hi {
			now = upTo(edge)
		}
		if now > before {
			to.count(i, now-before)
			before = now
		}
	}
	for i, b := range to.Bounds {
		if x := math.Log2(b); x >= p.hi {
			to.AtMost[i] += n
		} else if x > p.lo {
			to.AtMost[i] += upTo(x)
		}
	}
}
