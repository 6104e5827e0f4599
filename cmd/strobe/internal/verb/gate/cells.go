// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"fmt"
	"slices"

	"github.com/strobe-go/strobe/internal/units"
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
// which need not be that of the medians), that of the instructions if they
// are shown in addition to time, the rounds and the verdict.
func (r *report) cells(x *row) []string {
	cells := x.cells(r.m.flags.by())
	if r.counted() {
		text := "?"
		if ratio, _, _, ok := x.instructionRatio(); ok {
			text = exact(ratio)
		}
		cells = slices.Insert(cells, 4, text)
	}
	return cells
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
func (x *row) cells(by string) []string {
	if len(x.rounds) == 0 {
		return []string{x.name, "?", "?", "not measured", "0", x.outcome.String()}
	}
	iv := x.comparison.Ratio
	text, value := "?", units.Duration
	switch {
	case by == instructions:
		value = count
		if iv.Level > 0 {
			text = small(iv.Center, iv.Lo, iv.Hi)
		}
	case iv.Level > 0:
		text = change(iv)
	}
	verdict := x.outcome.String()
	if x.outcome == decide.Failed {
		verdict = "FAILED"
	}
	return []string{x.name, value(x.median(oldSide, by)), value(x.median(newSide, by)), text, fmt.Sprint(len(x.rounds)), verdict}
}
