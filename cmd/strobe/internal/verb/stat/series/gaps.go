// SPDX-License-Identifier: BSD-3-Clause

package series

// gaps are the places where lines without a number were skipped. The numbers before and after a gap are not neighbours, so the
// correlation of neighbours leaves them out. Sums are in the unit of the input, relative to a center to keep precision.
type gaps struct {
	n                       uint64
	center                  float64
	before, after, products float64

	waiting bool    // a gap is open: the number after it has not been read
	last    float64 // the number before it
	from    int     // index in the block of the number after it
}

// close ends an open gap with the number after it.
func (g *gaps) close(next float64) {
	if !g.waiting {
		return
	}
	if g.n == 0 {
		g.center = g.last
	}
	x, y := g.last-g.center, next-g.center
	g.n++
	g.before, g.after, g.products = g.before+x, g.after+y, g.products+x*y
	g.waiting = false
}

// without returns the lag-1 correlation of n samples with a mean and a standard deviation, without the pairs around gaps.
func (g *gaps) without(lag1 float64, n uint64, mean, sd float64) float64 {
	pairs := float64(n) - 1
	if g.n == 0 || float64(g.n) >= pairs || !(sd > 0) {
		return lag1
	}
	m := mean - g.center
	squares := sd * sd * pairs
	across := g.products - m*(g.before+g.after) + m*m*float64(g.n)
	return max(-1, min(1, (lag1-across/squares)*pairs/(pairs-float64(g.n))))
}
