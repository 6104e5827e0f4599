// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"fmt"
	"slices"

	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
)

// counted reports whether instructions are shown in addition to time.
func (r *report) counted() bool {
	return slices.ContainsFunc(r.rows, func(x row) bool {
		_, _, _, ok := x.instructionRatio()
		return ok
	})
}

// cells returns what the tables have of a row: its name, both medians, the change with its bounds (that of the two runs of a round,
// which need not be that of the medians), that of the instructions if they are shown in addition to time, the rounds and the
// verdict. A second line has what long runs say.
func (r *report) cells(x *row) [][]string {
	verdict := "not judged"
	if r.m.flags.judges(byTime) {
		if verdict = verdictOf(x.byTime, x.isWaived()); x.byTime != decide.Failed { // which is proven slower
			verdict += ", " + x.proof
		}
	}
	lines := [][]string{x.cells(r.m.flags.by(), verdict)}
	if x.opinion != nil && len(x.long.rounds) > 0 {
		lines = append(lines, x.longCells())
	}
	if r.counted() {
		text := "?"
		if ratio, _, _, ok := x.instructionRatio(); ok {
			text = exact(ratio)
		}
		for i := range lines {
			lines[i], text = slices.Insert(lines[i], 4, text), ""
		}
	}
	return lines
}

// answerCells returns what the tables have of a row's other metrics.
func (r *report) answerCells(x *row) (lines [][]string) {
	for _, a := range x.answers {
		if !a.shown() {
			continue
		}
		cells := a.cells(x.name)
		if r.counted() {
			cells = slices.Insert(cells, 4, "")
		}
		lines = append(lines, cells)
	}
	return lines
}

// titles returns the heads of the columns of cells, the first without a name.
func (r *report) titles() []string {
	titles := []string{"", "base", "new", "change by round", "rounds", "verdict"}
	if r.m.emulator != nil {
		titles[4] = "counts"
	}
	if r.counted() {
		titles = slices.Insert(titles, 4, "instructions")
	}
	return titles
}

// cells returns those that a row always has.
func (x *row) cells(by, verdict string) []string {
	if len(x.rounds) == 0 {
		return []string{x.name, "?", "?", "not measured", "0", verdict}
	}
	text, value := "?", units.Duration
	if x.comparison.Ratio.Level > 0 {
		text = changeBy(x.comparison.Ratio, by)
	}
	if by == instructions {
		value = count
	}
	return []string{x.name, value(x.median(oldSide)), value(x.median(newSide)), text, fmt.Sprint(len(x.rounds)), verdict}
}

// longCells returns those of its long runs, with how many calls and collections they saw.
func (x *row) longCells() []string {
	name, text := fmt.Sprintf("  %d calls", x.longCalls), "?"
	before, after := x.collections(oldSide), x.collections(newSide)
	switch {
	case before == after && before > 0:
		name += fmt.Sprintf(", %.4g GCs", before)
	case before+after > 0:
		name += fmt.Sprintf(", %.4g/%.4g GCs", before, after)
	}
	if iv := x.opinion.comparison.Ratio; iv.Level > 0 {
		text = change(iv)
	}
	return []string{name, units.Duration(x.long.median(oldSide)), units.Duration(x.long.median(newSide)), text, fmt.Sprint(len(x.long.rounds)), verdictOf(x.opinion.outcome, false)}
}

// collections returns how many a long run of a side saw, the median of them.
func (b *benchmark) collections(side int) float64 {
	return b.long.medianOf(func(r *round) float64 { return r.collections[side] })
}

// changeBy writes a ratio that is known as a change in percent.
func changeBy(iv stat.Interval, by string) string {
	if by == instructions {
		return small(iv.Center, iv.Lo, iv.Hi)
	}
	return change(iv)
}
