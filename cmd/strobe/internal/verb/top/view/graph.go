// SPDX-License-Identifier: BSD-3-Clause

package view

import (
	"slices"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
	"github.com/strobe-go/strobe/internal/units"
)

// A graph has a column of dots for each group of frames, whose height is the time of the slowest. The graph is three budgets
// high, so that a slow frame does not flatten the rest: higher columns are cut off.
const budgets = 3

// dots are the bits of a braille character, from the lowest dot of a column up.
var dots = [2][4]rune{{0x40, 0x04, 0x02, 0x01}, {0x80, 0x20, 0x10, 0x08}}

const (
	braille    = 0x2800
	labelWidth = 9
)

// levels returns the heights of n columns in dots, the latest frames last. A column without frames has height 0.
func levels(frames []feed.Frame, zoom, n, top int, budget time.Duration) []int {
	heights := make([]int, n)
	if len(frames) == 0 || budget <= 0 {
		return heights
	}
	// Group by number, so that groups stay the same while the graph moves.
	last := frames[len(frames)-1].Number / int64(zoom)
	for _, f := range slices.Backward(frames) {
		at := int64(n) - 1 - (last - f.Number/int64(zoom))
		if at < 0 {
			break
		}
		level := float64(f.Took) / float64(budget) / budgets * float64(top)
		heights[at] = max(heights[at], 1, int(min(level, float64(top))+0.5))
	}
	return heights
}

// graphLines returns a graph of frames with the given number of lines, a multiple of three.
func graphLines(frames []feed.Frame, zoom, width, height int, budget time.Duration) []Line {
	cells := width - labelWidth
	if cells < 1 || height < budgets {
		return nil
	}
	heights := levels(frames, zoom, 2*cells, 4*height, budget)
	third := height / budgets
	lines := make([]Line, height)
	for row := range height {
		below := height - 1 - row // rows below this one
		style := [...]Style{Good, Warn, Bad}[below/third]
		var line Line
		for cell := range cells {
			var mask rune
			for side := range 2 {
				for d := range min(4, max(0, heights[2*cell+side]-4*below)) {
					mask |= dots[side][d]
				}
			}
			span := Span{string(rune(braille) + mask), style}
			switch {
			case mask == 0 && below == third:
				span = Span{"_", Faint} // the budget
			case mask == 0:
				span = Span{" ", Plain}
			}
			if n := len(line); n > 0 && line[n-1].Style == span.Style {
				line[n-1].Text += span.Text
			} else {
				line = append(line, span)
			}
		}
		lines[row] = append(line, Span{label(below, height, third, budget), Faint})
	}
	return lines
}

func label(below, height, third int, budget time.Duration) string {
	switch {
	case budget <= 0:
		return ""
	case below == height-1:
		return " " + units.Duration(float64(budgets*budget))
	case below == third:
		return " " + units.Duration(float64(budget))
	case below == 0:
		return " 0"
	}
	return ""
}
