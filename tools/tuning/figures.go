// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"math"
)

// A figure is what a tally says.
type figure string

const (
	covered  figure = "contain the mean"
	caught   figure = "of the misses carry a warning"
	needless figure = "carry a needless warning"
	named    figure = "name what is wrong"
	width    figure = "times as wide as Student's"
)

// figures returns those that matter for a process: warnings are needless if it is clean, and otherwise those of misses are wanted, or
// those that name what is wrong.
func figures(p process) (all []figure) {
	if !p.pair {
		all = append(all, covered)
	}
	switch {
	case p.Clean:
		all = append(all, needless)
	case p.wrong != nil:
		all = append(all, named)
	}
	if !p.Clean && !p.pair {
		all = append(all, caught)
	}
	return append(all, width)
}

func (f figure) of(t tally) float64 {
	switch f {
	case covered:
		return t.Covered()
	case caught:
		return t.Caught()
	case needless:
		return t.WarnedOf()
	case named:
		return 100 * float64(t.named) / float64(t.Series)
	}
	return t.Width()
}

// worse returns by how much a trial is worse than what is in use: in standard errors of the difference for shares of series, which are
// the same ones for both, and in hundredths for the width.
func (f figure) worse(t trial, than tally) float64 {
	if f == width {
		return 100 * math.Log(t.tally.Width()/than.Width())
	}
	var more int
	switch f {
	case covered:
		more = t.tally.Missed - than.Missed
	case caught: // misses in silence
		more = (t.tally.Missed - t.tally.Both) - (than.Missed - than.Both)
	case needless:
		more = t.tally.Warned - than.Warned
	case named:
		more = than.named - t.tally.named
	}
	return float64(more) / math.Sqrt(float64(max(1, t.changed)))
}

// number writes the figure, shares in percent.
func (f figure) number(t tally) string {
	if f == width {
		return fmt.Sprintf("%.2f", f.of(t))
	}
	return fmt.Sprintf("%.1f", f.of(t))
}

// say writes the figure with its unit.
func (f figure) say(t tally) string {
	if f == width {
		return f.number(t)
	}
	return f.number(t) + " %"
}
