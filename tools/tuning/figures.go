// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"math"

	"github.com/strobe-go/strobe/internal/simulated"
)

// A figure is what a tally says.
type figure string

const (
	covered  figure = "contain the mean"
	caught   figure = "of the misses carry a warning"
	needless figure = "carry a needless warning"
	width    figure = "times as wide as Student's"
)

// figures returns those that matter for a process: warnings of its intervals are needless if it is clean, and otherwise those of
// misses are wanted.
func figures(p simulated.Process) []figure {
	if p.Clean {
		return []figure{covered, needless, width}
	}
	return []figure{covered, caught, width}
}

func (f figure) of(t simulated.Tally) float64 {
	switch f {
	case covered:
		return t.Covered()
	case caught:
		return t.Caught()
	case needless:
		return t.WarnedOf()
	}
	return t.Width()
}

// worse returns by how much a tally is worse than another in the figure: in standard errors of the difference for shares of series,
// which are the same ones for both, and in hundredths for the width.
func (f figure) worse(t trial, than simulated.Tally) float64 {
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
	}
	return float64(more) / math.Sqrt(float64(max(1, t.changed)))
}

// number writes the figure, shares in percent.
func (f figure) number(t simulated.Tally) string {
	if f == width {
		return fmt.Sprintf("%.2f", f.of(t))
	}
	return fmt.Sprintf("%.1f", f.of(t))
}

// say writes the figure with its unit.
func (f figure) say(t simulated.Tally) string {
	if f == width {
		return f.number(t)
	}
	return f.number(t) + " %"
}
