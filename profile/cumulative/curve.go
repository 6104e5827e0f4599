// SPDX-License-Identifier: BSD-3-Clause

package cumulative

import (
	"math"
	"time"
)

// A curve estimates how the calls of a cell are distributed within it. Positions are binary logarithms of seconds.
type curve struct {
	min, max float64 // shortest and longest call
	known    bool
	tick     float64 // length of a tick
}

func (c *curve) extend(shortest, longest time.Duration, nsPerTick float64) {
	lo, hi := math.Log2(max(1, float64(shortest))*1e-9), math.Log2(max(1, float64(longest)+1)*1e-9)
	if !c.known {
		c.min, c.max, c.known = lo, hi, true
	}
	c.min, c.max = min(c.min, lo), max(c.max, hi)
	c.tick = math.Log2(nsPerTick * 1e-9)
}

// edges returns the bounds of a cell, limited to the range of the calls.
func (c *curve) edges(cell int) (lo, hi float64) {
	from, to := octaves.Range(uint64(cell))
	lo, hi = math.Log2(max(0.5, float64(from)))+c.tick, math.Log2(float64(to)+1)+c.tick
	if l, h := max(lo, c.min), min(hi, c.max); l < h {
		return l, h
	}
	return lo, hi
}

// A piece is the curve within one cell.
type piece struct {
	lo, hi       float64 // edges
	begin, close float64 // density at the edges, relative to the mean of the cell
}

// piece returns the curve within a cell. counts begins with the count of cell first.
func (c *curve) piece(counts []uint64, first, cell int) piece {
	lo, hi := c.edges(first + cell)
	p := piece{lo: lo, hi: hi, begin: 1, close: 1}
	own := float64(counts[cell]) / (hi - lo)
	if own == 0 {
		return p
	}
	relative := func(neighbour int) float64 { // density at the edge to another cell
		if neighbour < 0 || neighbour >= len(counts) || first+neighbour == 0 {
			return 1
		}
		lo, hi := c.edges(first + neighbour)
		r := float64(counts[neighbour]) / (hi - lo) / own
		// In an exponential distribution the density at the edge is the geometric mean. Above three times the smaller of the
		// two, the curve of that cell could decrease.
		return min(math.Sqrt(r), 3*min(r, 1))
	}
	p.begin, p.close = relative(cell-1), relative(cell+1)
	return p
}

// share returns the share of the calls of the cell that are at or below x.
func (p piece) share(x float64) float64 {
	t := (x - p.lo) / (p.hi - p.lo)
	if !(t > 0) {
		return 0
	}
	if t >= 1 {
		return 1
	}
	u := 1 - t
	return max(0, min(1, t*u*u*p.begin+t*t*(3-2*t)-t*t*u*p.close))
}
