// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/stat"
)

// rows is the height of the plot.
const rows = 8

// order plots the numbers in their order, from left to right, with the range and the mean of each stretch. Arrows show where
// numbers lie above or below the plot, and a mark shows where the level changes.
func (r *summary) order(p *layout.Printer) {
	if len(r.course) < 8 {
		return
	}
	lo, hi, least, most := r.reach()
	if !(hi > lo) {
		return
	}
	top, bottom := units.Approx(hi, r.of.Unit), units.Approx(lo, r.of.Unit)
	label := max(utf8.RuneCountInString(top), utf8.RuneCountInString(bottom))
	columns := layout.Columns
	if p.Width > 0 {
		columns = min(columns, p.Width)
	}
	room := max(8, min(len(r.course), columns-label-5))
	blank := func() []rune { return []rune(strings.Repeat(" ", room)) }
	above, below, grid := blank(), blank(), make([][]rune, rows)
	for i := range grid {
		grid[i] = blank()
	}
	at := func(v float64) int { // 0 is the top
		return max(0, min(rows-1, int((hi-v)/(hi-lo)*rows)))
	}
	mark, seen := -1, uint64(0)
	for i, s := range r.course {
		x := i * room / len(r.course)
		for y := at(s.Hi); y <= at(s.Lo); y++ {
			if grid[y][x] == ' ' {
				grid[y][x] = '·'
			}
		}
		grid[at(s.Mean)][x] = '●'
		if s.Hi > hi {
			above[x] = '↑'
		}
		if s.Lo < lo {
			below[x] = '↓'
		}
		if r.change.Kind == stat.StepChange && mark < 0 && seen+s.N > r.change.At {
			mark = x
		}
		seen += s.N
	}
	what := "each number"
	if n := r.course[0].N; n > 1 {
		what = "range and mean of each " + layout.Plural(n, "number")
	}
	p.Printf("\n%s  %s, from the first on\n", p.Bold("order"), what)
	outside := func(arrows []rune) {
		if text := strings.TrimRight(string(arrows), " "); text != "" {
			p.Printf("  %*s  %s\n", label, "", text)
		}
	}
	outside(above)
	for y, line := range grid {
		name := ""
		switch y {
		case 0:
			name = top
		case rows - 1:
			name = bottom
		}
		p.Printf("  %*s │%s\n", label, name, strings.TrimRight(string(line), " "))
	}
	outside(below)
	if most > hi {
		p.Wrap("  ↑", "numbers above the plot, up to "+units.Approx(most, r.of.Unit))
	}
	if least < lo {
		p.Wrap("  ↓", "numbers below the plot, down to "+units.Approx(least, r.of.Unit))
	}
	if mark >= 0 {
		p.Printf("  %*s  %s▲ the level changes here\n", label, "", strings.Repeat(" ", min(mark, max(0, columns-label-30))))
	}
}

// reach returns the range of the plot and that of all numbers. They differ if a few numbers would flatten the rest.
func (r *summary) reach() (lo, hi, least, most float64) {
	var los, his []float64
	for _, s := range r.course {
		los, his = append(los, s.Lo), append(his, s.Hi)
	}
	slices.Sort(los)
	slices.Sort(his)
	n := len(los)
	least, most = los[0], his[n-1]
	lo, hi = least, most
	inner, outer := his[n*9/10], los[n/10]
	if wide := inner - outer; wide > 0 {
		hi, lo = math.Min(hi, inner+wide), math.Max(lo, outer-wide)
	}
	return lo, hi, least, most
}
