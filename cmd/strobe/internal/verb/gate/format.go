// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"strconv"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/stat"
)

// change writes a ratio as a change in percent, with its interval as far as it is bounded.
func change(iv stat.Interval) string {
	x, lo, hi := 100*(iv.Center-1), 100*(iv.Lo-1), 100*(iv.Hi-1)
	switch {
	case iv.Lo < 1e-9:
		return units.RoundedChange(x, hi-x, "%") + ", at most " + units.RoundedChange(hi, hi-x, "%")
	case iv.Hi > 1e9:
		return units.RoundedChange(x, x-lo, "%") + ", at least " + units.RoundedChange(lo, x-lo, "%")
	}
	if least := 0.05; hi-lo < 2*least { // the clock and the code's place matter more than that
		return units.RoundedChange(x, least, "%")
	}
	return units.Change(x, lo, hi, "%")
}

// exact writes the ratio of two counts as a change in percent.
func exact(ratio float64) string {
	return signed(strconv.FormatFloat(layout.Significant(100*(ratio-1), 3), 'f', -1, 64))
}

// small is exact, with the bounds if there are any.
func small(ratio, lo, hi float64) string {
	if lo != hi {
		return units.Change(100*(ratio-1), 100*(lo-1), 100*(hi-1), "%")
	}
	return exact(ratio)
}

// rough writes a ratio whose uncertainty is not known as a change in percent.
func rough(ratio float64) string {
	return signed(strconv.FormatFloat(layout.Significant(100*(ratio-1), 2), 'f', -1, 64))
}

// signed adds a sign and the percent.
func signed(percent string) string {
	if strings.HasPrefix(percent, "-") {
		return percent + " %"
	}
	return "+" + percent + " %"
}

// count writes a number of instructions.
func count(n float64) string {
	if n >= 1000 {
		return layout.Fixed(n, 0)
	}
	return strconv.FormatFloat(layout.Significant(n, 4), 'f', -1, 64)
}
