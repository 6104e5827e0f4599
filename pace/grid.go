// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"math/bits"
	"strconv"
	"strings"

	"github.com/strobe-go/strobe/clock"
)

// A grid is the instants start + n*period, with the period an exact fraction: q + r/num ns. A period rounded to whole
// ns would drift, at 144 Hz by 230 µs an hour.
type grid struct {
	start     clock.Instant
	q, r, num uint64
}

// newGrid returns the grid of a rate, which is taken as a decimal number: 59.94 Hz is 5994/100 Hz. The rate lies within the
// limits of Options.
func newGrid(rate float64, start clock.Instant) grid {
	num, den := fraction(rate)
	hi, lo := bits.Mul64(1e9, den)
	q, r := bits.Div64(hi, lo, num)
	return grid{start: start, q: q, r: r, num: num}
}

// at returns grid point n: start + floor(n * 1e9 * den / num) ns.
func (g grid) at(n uint64) clock.Instant {
	hi, lo := bits.Mul64(n, g.r)
	part, _ := bits.Div64(hi, lo, g.num) // r < num, so hi < num
	return g.start + clock.Instant(n*g.q+part)
}

// after returns the first n whose point lies after t.
func (g grid) after(t clock.Instant) uint64 {
	if t < g.start {
		return 0
	}
	n := uint64(t-g.start) / (g.q + 1) // a period is less than q+1, so this is not beyond t
	for p := g.at(n); p <= t; p = g.at(n) {
		n += uint64(t-p)/(g.q+1) + 1
	}
	return n
}

// period returns the period in ns, rounded down, at least 1.
func (g grid) period() int64 { return int64(max(g.q, 1)) }

// fraction returns rate as num/den in lowest terms, from the shortest decimal that stands for it.
func fraction(rate float64) (num, den uint64) {
	digits := strconv.FormatFloat(rate, 'f', -1, 64)
	whole, part, _ := strings.Cut(digits, ".")
	for len(whole)+len(part) > 18 { // beyond a float64's 17 digits; cannot happen within the limits of Options
		part = part[:len(part)-1]
	}
	num, _ = strconv.ParseUint(whole+part, 10, 64)
	den = 1
	for range part {
		den *= 10
	}
	a, b := num, den
	for b != 0 {
		a, b = b, a%b
	}
	return num / a, den / a
}
